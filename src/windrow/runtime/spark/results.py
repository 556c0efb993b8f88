"""Takes what comes out of a query in the program's process: files to commit, rows for the sinks here, totals."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from typing import Any

from windrow.graph.job_graph import SINK_LEVEL, JobGraph
from windrow.runtime.sources.messages import MessagesBySource
from windrow.runtime.spark.print_receiver import drain_prints
from windrow.runtime.spark.rows import (
    COMMIT_LEVEL,
    DUE_LEVEL,
    PRINTED_LEVEL,
    SENT_LEVEL,
    TOTALS_LEVEL,
    SparkRow,
    decode,
    read_note,
)
from windrow.runtime.stage.chunk import ChunkRow
from windrow.runtime.stage.host import Subtask
from windrow.runtime.stage.sinks import SinkRouter
from windrow.runtime.stage.totals import Totals

_log = logging.getLogger("windrow")

#: The key of an edge that leads to a sink, and one of its channels.
SinkChannel = tuple[str, int]


class ResultReceiver:
    """Takes the rows of one batch after the other.

    Args:
        job: The job.
        ended: The channels of the sinks' edges that had ended before: they say it once.
    """

    def __init__(self, job: JobGraph, ended: Iterable[SinkChannel] = ()) -> None:
        self._router = SinkRouter(job)
        self._name = job.name
        self._has_said_where = False
        self.ended_channels = set(ended)
        self._keys = {edge.id: edge.key for sink in job.sinks for edge in sink.edges}
        channels = ((edge, channel) for sink in job.sinks for edge in sink.edges for channel in range(edge.channels))
        self._open = {(edge.key, channel) for edge, channel in channels} - self.ended_channels
        #: What was counted up to the last batch, and before it by earlier runs on the same checkpoint.
        self.totals = Totals()
        #: What readers have sent in the batch that was received last.
        self.sent: MessagesBySource = {}
        #: When the next timers of processing time are due, by what was said in that batch.
        self.due: dict[Subtask, int | None] = {}

    @property
    def ended(self) -> bool:
        """True once the end of the input has reached every sink."""
        return not self._open

    def end(self) -> None:
        """The batch that was received last had the end of the input: a sink that is new does not hear of all channels.

        Of those that ended before it was there nothing comes any more.
        """
        self._open.clear()

    def receive(self, batch: int, rows: Iterable[SparkRow]) -> None:
        """Commit the batch, then show it."""
        committables: dict[str, list[Any]] = {}
        arrived: list[ChunkRow] = []
        totals = self.totals.copy()
        self.sent, self.due = {}, {}
        drain_prints()
        for row in rows:
            if row.level == COMMIT_LEVEL:
                for tag, committable in read_note(row).items():
                    committables.setdefault(tag, []).extend(committable)
            elif row.level == TOTALS_LEVEL:
                totals.merge(read_note(row))
            elif row.level == SENT_LEVEL:
                for tag, messages in read_note(row).items():
                    self.sent.setdefault(tag, {}).update(messages)
            elif row.level == DUE_LEVEL:
                self.due.update(read_note(row))
            elif row.level == PRINTED_LEVEL:
                self._say_where_prints_are()
            elif row.level == SINK_LEVEL:
                arrived.append(decode(row))
        self._router.commit(batch, committables)
        self._router.deliver(arrived)
        self.totals = totals
        for chunk_row in arrived:
            if "end" in chunk_row.chunk.controls:
                ended = self._keys[chunk_row.edge], chunk_row.channel
                self._open.discard(ended)
                self.ended_channels.add(ended)

    def _say_where_prints_are(self) -> None:
        if not self._has_said_where:
            self._has_said_where = True
            _log.warning(
                "functions of job %r have printed; that is in the logs of Spark's executors (stderr of each of them, "
                "in Spark's web page under Executors), where this program cannot read it",
                self._name,
            )
