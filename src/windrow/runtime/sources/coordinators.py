"""The enumerators of a job's sources."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

from windrow.connectors.iterator_source import IteratorSource
from windrow.connectors.source import Source
from windrow.graph.job_graph import Entry, JobGraph
from windrow.runtime.sources.coordinator import SourceCoordinator
from windrow.runtime.sources.coordinator_log import CoordinatorLog


def enumerated_sources(job: JobGraph) -> Iterator[tuple[Entry, Source[Any, Any, Any]]]:
    """The sources whose splits an enumerator deals while the job runs; of all others the runtime deals the parts."""
    for entry, source in job.sources():
        if isinstance(source, Source) and not isinstance(source, IteratorSource):
            yield entry, source


class Coordinators(dict[str, SourceCoordinator]):
    """By the sources' tags. Whoever starts them closes them, also if one of them cannot be started."""

    def start(self, job: JobGraph, log_of: Callable[[Entry], CoordinatorLog]) -> None:
        """Start one for each source that needs one.

        Args:
            job: The job.
            log_of: Where the decisions of a source's enumerator are written.

        Raises:
            UserFunctionError: an enumerator has failed.
        """
        for entry, source in enumerated_sources(job):
            coordinator = SourceCoordinator(
                source, entry.node.name, entry.subtasks, log_of(entry), watched=job.monitored
            )
            coordinator.start()
            self[entry.node.tag] = coordinator

    def progress(self) -> dict[str, dict[str, int]]:
        """Count the splits that no reader has yet, by the sources' tags; names and numbers, to be shown as they are."""
        counted = {tag: coordinator.unassigned_splits for tag, coordinator in self.items()}
        known = {tag: count for tag, count in counted.items() if count is not None}
        return {"unassigned_splits": known} if known else {}

    def close(self) -> None:
        """Close all of them, even if one fails."""
        with ExitStack() as closing:
            for coordinator in self.values():
                closing.callback(coordinator.close)
