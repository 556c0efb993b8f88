"""Names the files of a checkpoint, and says when one of them is gone, damaged or cannot be written."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from contextlib import contextmanager

from windrow.errors import CheckpointError, JobExecutionError, WindrowError

LAYOUT, PLAN, FINISHED = "windrow.json", "sources.pickle", "finished"
#: What sources were yet to give that another program, or another parallelism, had.
PLAN_BEFORE = "sources-before.pickle"
ENDED, ENDED_CHANNELS = "ended", "ended_channels.json"
#: Says that a savepoint is being copied, and not all of it is there.
ARRIVING = ".from-savepoint"
#: The savepoint whose state is dealt out anew, and what was made of it already.
ORIGIN, ASSIGNED_PAGES = "origin.json", "assigned.pickle"
#: Says that the input is to end where it is.
DRAIN = "drain"
#: What batches have read, a folder for each reader, and what enumerators have decided, a folder for each source.
READS, DECISIONS = "reads", "decisions"

#: In the layout of a savepoint that holds nothing but keyed state, which no job has left.
BOOTSTRAPPED = "bootstrapped"
#: Says that a savepoint is being made of elements, and is none yet.
BOOTSTRAPPING = ".bootstrapping"
#: Names the savepoint that a job begins with: Flink's option. It is copied to the job's own checkpoint directory.
RECOVERY = "execution.state-recovery.path"

_REMEDY = (
    "bring it back from a copy of the checkpoint, start from a savepoint (execution.state-recovery.path) with another "
    "checkpoint directory, or remove the whole directory and let the job begin anew"
)
#: By the first part of the name in the checkpoint, or in Spark's half of it.
_SAYS = {
    LAYOUT: "which operators the state belongs to",
    PLAN: "what sources were to read when the job first started",
    PLAN_BEFORE: "what sources are yet to give of what they were to read in the savepoint",
    "totals": "what was counted so far",
    ENDED_CHANNELS: "which inputs have ended",
    ENDED: "in which batch the input ends",
    READS: "what a batch has read",
    ORIGIN: "with which savepoint the job has begun, as another program or with another parallelism",
    ASSIGNED_PAGES: "what subtasks begin with that are not those of the savepoint",
    DECISIONS: "what a source's enumerator has decided",
    "metadata": "which of Spark's queries this is",
    "offsets": "what each batch was to read",
    "commits": "which batches are done",
    "sources": "which files Spark has read",
    "state": "what operators remember",
}


def totals_name(batch: int) -> str:
    """The file of what was counted up to a batch; -1: up to the savepoint that a job has begun with."""
    return f"totals.{batch}.pickle"


def no_savepoint(location: str) -> CheckpointError:
    """The error for a savepoint that a ``SavepointWriter`` has begun, and not written to its end."""
    return CheckpointError(
        f"{location} is no savepoint: the job that was to make it is not done, or has failed; remove it, and write it "
        "again"
    )


def gone_error(file: str, part: str) -> CheckpointError:
    """The error for a file that has to be there."""
    return CheckpointError(f"checkpoint file {file} is gone: it says {_SAYS[part]}; {_REMEDY}")


def damaged_error(file: str, part: str, why: object) -> CheckpointError:
    """The error for a file that cannot be read."""
    return CheckpointError(
        f"checkpoint file {file} cannot be read ({why}); it is damaged: it says {_SAYS[part]}; {_REMEDY}"
    )


@contextmanager
def reading(file: str, part: str) -> Iterator[None]:
    """Name the file, if it cannot be read.

    Raises:
        CheckpointError: it is gone, or holds something else.
        JobExecutionError: its file system does not give it now; another attempt may have it.
    """
    try:
        yield
    except WindrowError:
        raise
    except Exception as error:
        if isinstance(error, OSError) and not isinstance(error, FileNotFoundError):
            msg = f"checkpoint file {file} cannot be read now: {error.strerror or error}"
            raise JobExecutionError(msg) from error
        raise damaged_error(file, part, error) from error


@contextmanager
def writing(file: str) -> Iterator[None]:
    """Name the file, if it cannot be written; that it is there is for the caller.

    Raises:
        CheckpointError: it could not be written; what was committed stays.
        JobExecutionError: its file system does not take it now; another attempt may write it.
    """
    try:
        yield
    except FileExistsError:
        raise
    except OSError as error:
        kind = JobExecutionError if error.errno == errno.EIO else CheckpointError
        msg = (
            f"checkpoint file {file} cannot be written: {error.strerror or error}; mend that and start the job again: "
            "it goes on behind its last committed batch"
        )
        raise kind(msg) from error
