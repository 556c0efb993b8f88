"""Names the files of a checkpoint, and says when one of them is gone, damaged or cannot be written."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from windrow.errors import CheckpointError

LAYOUT, PLAN, FINISHED = "windrow.json", "sources.pickle", "finished"
ENDED, ENDED_CHANNELS = "ended", "ended_channels.json"
#: Says that the input is to end where it is.
DRAIN = "drain"
#: What batches have read, a folder for each reader, and what enumerators have decided, a folder for each source.
READS, DECISIONS = "reads", "decisions"

_REMEDY = (
    "bring it back from a copy of the checkpoint, start from a savepoint (execution.state-recovery.path) with another "
    "checkpoint directory, or remove the whole directory and let the job begin anew"
)
#: By the first part of the name in the checkpoint, or in Spark's half of it.
_SAYS = {
    LAYOUT: "which operators the state belongs to",
    PLAN: "what sources were to read when the job first started",
    "totals": "what was counted so far",
    ENDED_CHANNELS: "which inputs have ended",
    ENDED: "in which batch the input ends",
    READS: "what a batch has read",
    DECISIONS: "what a source's enumerator has decided",
    "metadata": "which of Spark's queries this is",
    "offsets": "what each batch was to read",
    "commits": "which batches are done",
    "sources": "which files Spark has read",
    "state": "what operators remember",
}


def is_gone(file: str, part: str) -> CheckpointError:
    """The error for a file that has to be there."""
    return CheckpointError(f"checkpoint file {file} is gone: it says {_SAYS[part]}; {_REMEDY}")


def is_damaged(file: str, part: str, why: object) -> CheckpointError:
    """The error for a file that cannot be read."""
    return CheckpointError(
        f"checkpoint file {file} cannot be read ({why}); it is damaged: it says {_SAYS[part]}; {_REMEDY}"
    )


@contextmanager
def writing(file: str) -> Iterator[None]:
    """Name the file, if it cannot be written; that it is there is for the caller.

    Raises:
        CheckpointError: it could not be written; what was committed stays.
    """
    try:
        yield
    except FileExistsError:
        raise
    except OSError as error:
        msg = (
            f"checkpoint file {file} cannot be written: {error.strerror or error}; mend that and start the job again: "
            "it goes on behind its last committed batch"
        )
        raise CheckpointError(msg) from error
