"""Hands what has reached the sinks to them: in order to those in this process, to writers what a partition holds."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from windrow.common.limits import MIN_WATERMARK
from windrow.connectors.interfaces import DriverSink, SinkWriter, WriterContext, WriterSink
from windrow.graph.job_graph import JobGraph, SinkEntry
from windrow.operators.user_function import NamingErrors
from windrow.runtime.stage.chunk import ChunkRow
from windrow.runtime.stage.input_gate import ChannelStatus, steps


class SinkRouter:
    """The sinks of a job as seen from the program's own process."""

    def __init__(self, job: JobGraph) -> None:
        self._sinks = job.sinks
        for entry in job.sinks:
            if isinstance(entry.sink, DriverSink):
                entry.sink.name = entry.name
        self._statuses = {sink.tag: [ChannelStatus(MIN_WATERMARK) for _ in range(sink.channels)] for sink in job.sinks}

    def deliver(self, rows: Iterable[ChunkRow]) -> None:
        """Hand one batch's rows to the sinks in this process, in the order of their streams."""
        by_edge: dict[int, list[ChunkRow]] = {}
        for row in rows:
            by_edge.setdefault(row.edge, []).append(row)
        for entry in self._sinks:
            if isinstance(entry.sink, DriverSink):
                self._deliver(entry, entry.sink, by_edge)

    def _deliver(self, entry: SinkEntry, sink: DriverSink, by_edge: dict[int, list[ChunkRow]]) -> None:
        arrived: list[tuple[int, ChunkRow]] = []
        first = 0
        for edge in entry.edges:
            arrived.extend((first + row.channel, row) for row in by_edge.get(edge.id, ()))
            first += edge.channels
        arrived.sort(key=lambda pair: (pair[1].sequence, pair[0], pair[1].producer))
        for step in steps(arrived, self._statuses[entry.tag]):
            if len(step.batch):
                with NamingErrors(entry.name, "deliver"):
                    sink.deliver(step.batch.elements, step.batch.timestamps)
            if isinstance(step.control, int) and first == 1:
                sink.deliver_watermark(step.control)

    def commit(self, batch: int, committables: dict[str, list[Any]]) -> None:
        """Make a batch's written output visible; ``committables`` by the sink's tag."""
        for entry in self._sinks:
            if isinstance(entry.sink, WriterSink):
                with NamingErrors(entry.name, "commit"):
                    entry.sink.commit(batch, committables.get(entry.tag, []))


def forget(job: JobGraph, name: str) -> None:
    """Let the sinks forget a job without a checkpoint that has finished; ``name`` is that of its writers' contexts."""
    for entry in job.sinks:
        if isinstance(entry.sink, WriterSink):
            entry.sink.forget(name)


class PartitionWriters:
    """The writers of one partition of one batch, made when the first element for their sink comes."""

    def __init__(self, sinks: Iterable[SinkEntry], context: WriterContext) -> None:
        self._context = context
        written = (entry for entry in sinks if isinstance(entry.sink, WriterSink))
        self._entry_of_edge = {edge.id: entry for entry in written for edge in entry.edges}
        self._writers: dict[str, SinkWriter] = {}

    def takes(self, edge: int) -> bool:
        """Tell whether the edge leads to one of the sinks, and that is one that workers write."""
        return edge in self._entry_of_edge

    def write(self, row: ChunkRow) -> bool:
        """Write the row if its sink is one that workers write; else say False."""
        entry = self._entry_of_edge.get(row.edge)
        if entry is None:
            return False
        assert isinstance(entry.sink, WriterSink)
        batch = row.chunk.batch
        if len(batch):
            writer = self._writers.get(entry.tag)
            if writer is None:
                with NamingErrors(entry.name, "create_writer"):
                    writer = entry.sink.create_writer(replace(self._context, sink=entry.name, tag=entry.tag))
                self._writers[entry.tag] = writer
            with NamingErrors(entry.name, "its writer"):
                writer.write(batch.elements, batch.timestamps)
        return True

    def prepare_commit(self) -> dict[str, list[Any]]:
        """End writing; what the sinks' commits need, by tag."""
        prepared = {}
        for entry in self._entry_of_edge.values():
            if entry.tag in self._writers and entry.tag not in prepared:
                with NamingErrors(entry.name, "prepare_commit"):
                    prepared[entry.tag] = self._writers[entry.tag].prepare_commit()
        return {tag: [committable] for tag, committable in prepared.items() if committable is not None}

    def abort(self) -> None:
        for writer in self._writers.values():
            writer.abort()
