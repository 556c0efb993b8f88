"""What comes out of a query in the program's own process: files to commit, rows for the sinks here, counters."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from windrow.graph.job_graph import SINK_LEVEL, JobGraph
from windrow.runtime.spark.rows import COMMIT_LEVEL, COUNTER_LEVEL, SparkRow, decode, read_note
from windrow.runtime.stage.chunk import ChunkRow
from windrow.runtime.stage.host import CountersByOperator
from windrow.runtime.stage.sinks import SinkRouter


class ResultReceiver:
    """Takes the rows of one batch after the other."""

    def __init__(self, job: JobGraph) -> None:
        self._router = SinkRouter(job)
        self._open = {
            (edge.id, channel) for sink in job.sinks for edge in sink.edges for channel in range(edge.channels)
        }
        self.counters: CountersByOperator = {}

    @property
    def ended(self) -> bool:
        """Whether the end of the input has reached every sink."""
        return not self._open

    def receive(self, batch: int, rows: Iterable[SparkRow]) -> None:
        """Commit the batch, then show it."""
        committables: dict[str, list[Any]] = {}
        arrived: list[ChunkRow] = []
        for row in rows:
            if row.level == COMMIT_LEVEL:
                for tag, committable in read_note(row).items():
                    committables.setdefault(tag, []).extend(committable)
            elif row.level == COUNTER_LEVEL:
                for operator, counted in read_note(row).items():
                    self.counters.setdefault(operator, Counter()).update(counted)
            elif row.level == SINK_LEVEL:
                arrived.append(decode(row))
        self._router.commit(batch, committables)
        self._router.deliver(arrived)
        for chunk_row in arrived:
            if "end" in chunk_row.chunk.controls:
                self._open.discard((chunk_row.edge, chunk_row.channel))
