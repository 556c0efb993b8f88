"""The enumerators of all of a job's sources with readers."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack

from windrow.connectors.source import Source
from windrow.graph.job_graph import Entry, JobGraph
from windrow.runtime.sources.coordinator import SourceCoordinator
from windrow.runtime.sources.coordinator_log import CoordinatorLog


class Coordinators(dict[str, SourceCoordinator]):
    """By the sources' tags. Whoever starts them closes them, also if one of them cannot be started."""

    def start(self, job: JobGraph, log_of: Callable[[Entry], CoordinatorLog]) -> None:
        """Start one for each source with readers.

        Args:
            job: The job.
            log_of: Where the decisions of a source's enumerator are written.

        Raises:
            UserFunctionError: an enumerator has failed.
        """
        for entry, source in job.sources():
            if isinstance(source, Source):
                coordinator = SourceCoordinator(source, entry.node.name, entry.subtasks, log_of(entry))
                coordinator.start()
                self[entry.node.tag] = coordinator

    def close(self) -> None:
        """Close all of them, even if one fails."""
        with ExitStack() as closing:
            for coordinator in self.values():
                closing.callback(coordinator.close)
