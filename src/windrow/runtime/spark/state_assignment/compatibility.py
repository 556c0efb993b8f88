"""Refuses a program that cannot begin with what another one has left."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from windrow.errors import CheckpointError
from windrow.graph.job_graph import JobGraph
from windrow.runtime.spark.layout import changed_kinds, operator_named
from windrow.runtime.spark.state_assignment.before import JobBefore

#: Flink's option, which its command line calls ``--allowNonRestoredState``.
IGNORE_UNCLAIMED = "execution.state-recovery.ignore-unclaimed-state"
#: Checkpoints that a version before this one has begun have parts of keys in other key groups than the keys.
_BEGUN = 9


def check_compatibility(
    job: JobGraph, layout: dict[str, Any], before: JobBefore, place: str, *, ignore_unclaimed: bool
) -> None:
    """Refuse a program that cannot begin with a savepoint.

    Args:
        job: The job.
        layout: Its layout.
        before: The job that has left the savepoint.
        place: Where that is.
        ignore_unclaimed: Whether state of operators that are gone may be lost.

    Raises:
        CheckpointError: it says what does not fit.
    """
    differing = list(_differing(job, layout, before, ignore_unclaimed=ignore_unclaimed))
    if differing:
        msg = f"savepoint {place} does not fit this program: {'; '.join(differing)}"
        raise CheckpointError(msg)


def _differing(job: JobGraph, layout: dict[str, Any], before: JobBefore, *, ignore_unclaimed: bool) -> Iterator[str]:
    stored = before.layout
    if stored.get("begun", 0) < _BEGUN:
        yield (
            "it was begun by a version of Windrow that did not keep all of a key in its key group, and goes on with "
            "the program and the parallelism that it has"
        )
        return
    if stored["max_parallelism"] != layout["max_parallelism"]:
        yield (
            f"max parallelism was {stored['max_parallelism']} and is {layout['max_parallelism']}: "
            f"set_max_parallelism({stored['max_parallelism']})"
        )
    yield from changed_kinds(stored, layout)
    if before.is_same_program:
        return
    nodes = {node.tag: node for node in job.nodes()}
    keyed = {entry.node.tag for level in job.levels for entry in level if entry.keyed}
    for tag in before.levels:
        if not before.has_state(tag):
            continue
        named = operator_named(tag, stored.get("names", {}))
        if tag not in nodes and not ignore_unclaimed:
            yield (
                f"{named} is gone, and its state would be lost: give an operator .uid({tag!r}), or set "
                f"{IGNORE_UNCLAIMED} to true"
            )
        elif tag in nodes and (tag in before.sources()) != (nodes[tag].factory is None):
            change = "a source, and is an operator" if tag in before.sources() else "an operator, and is a source"
            yield f"{named} was {change}: give it another uid"
        elif tag in nodes and before.has_keys(tag) and tag not in keyed and not ignore_unclaimed:
            yield f"{named} has state of keys, and has none in this program: key_by, or another uid"
        elif tag in nodes and not nodes[tag].has_uid:
            yield (
                f"{named} has state, and calls were added, taken away or moved, so the number of a call says no more "
                f"which operator it is: .uid({tag!r}) on the one whose state it is"
            )
