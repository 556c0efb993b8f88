"""Enumerators for a batch query: of sources that assign all their splits when the job starts."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from windrow.graph.job_graph import JobGraph
from windrow.runtime.sources.coordinator_log import MemoryLog
from windrow.runtime.sources.coordinators import Coordinators, enumerated_sources
from windrow.runtime.sources.messages import MessagesBySource
from windrow.runtime.stage.closing import close_after

#: By the source's tag and the reader's subtask: what goes to it, pickled.
Assignments = dict[str, dict[int, list[bytes]]]


def fits_one_query(job: JobGraph) -> bool:
    """Tell whether a batch query can run the job: it ends, and nobody has to hear of anything while it runs.

    Readers that wait for their enumerator or for each other, and timers that follow the clock, need batches.
    """
    if not all(source.bounded for _, source in job.sources()):
        return False
    enumerated = list(enumerated_sources(job))
    for entry, source in enumerated:
        aligned = entry.strategy is not None and entry.strategy.alignment is not None and not job.batch_mode
        if aligned or not source.assigns_at_start:
            return False
    return not enumerated or not any(entry.ticked(unbounded=False) for level in job.levels for entry in level)


class BatchEnumerators:
    """The enumerators of a job's sources."""

    def __init__(self) -> None:
        self._coordinators = Coordinators()

    @staticmethod
    @contextmanager
    def started(job: JobGraph) -> Iterator[BatchEnumerators]:
        """They run until the end of the block."""
        enumerators = BatchEnumerators()
        try:
            enumerators._coordinators.start(job, lambda _: MemoryLog())
            yield enumerators
        except BaseException as error:
            close_after(error, enumerators._coordinators.close)
            raise
        enumerators._coordinators.close()

    def assignments(self) -> Assignments:
        """All that they send to their readers, once they have decided it."""
        return {tag: coordinator.assignments() for tag, coordinator in self._coordinators.items()}

    def hear(self, sent: MessagesBySource) -> None:
        """Tell them what their readers have sent, behind the only batch."""
        for tag, coordinator in self._coordinators.items():
            coordinator.handle(0, sent.get(tag, {}))
