"""Runs one subtask of a chain, batch after batch.

What a runtime does with it: make one per (entry, subtask), then for each batch call :meth:`run` with the chunks that
have arrived and the subtask's page store. Between two calls nothing is kept here; all is in the store.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from windrow.common.limits import MAX_WATERMARK, MIN_WATERMARK
from windrow.graph.job_graph import Entry, JobGraph
from windrow.operators.watermarks.valve import StatusWatermarkValve
from windrow.runtime.stage.chain import ChainedOperator, OperatorChain
from windrow.runtime.stage.chunk import ChunkRow, Control, ProcessingTime
from windrow.runtime.stage.input_gate import ChannelStatus, steps
from windrow.state.codec import dumps, loads
from windrow.state.paged import NoPages, PageStore

#: After so many control events what a task has made goes out as a chunk; all subtasks count the same events.
CONTROLS_PER_CHUNK = 256


class StageTask:
    """A chain, opened for a subtask."""

    def __init__(self, entry: Entry, job: JobGraph, subtask: int) -> None:
        self.entry = entry
        self.chain = OperatorChain(entry.node, job, subtask, keyed=entry.keyed)
        self._subtask = subtask
        self._batch_mode = job.batch_mode
        self._edge_offsets: dict[int, int] = {}
        #: Which input of the operator each channel belongs to.
        self._inputs: list[int] = []
        for edge in entry.edges:
            self._edge_offsets[edge.id] = len(self._inputs)
            self._inputs += [edge.input] * edge.channels
        # A source's chain is fed by one channel: each has a chain of its own.
        self._channels = len(self._inputs) or 1
        self._statuses: list[ChannelStatus] = []
        #: The operators as they are before any element: what a subtask that has no state yet starts from.
        self._initial = [chained.operator.snapshot() for chained in self.chain.operators]
        self._valve = StatusWatermarkValve(self._channels, _ValveOutput(self))
        self._ended = 0

    def run(self, rows: Iterable[ChunkRow], store: PageStore, now: int) -> Iterator[ChunkRow]:
        """Process what has arrived, at processing time ``now``, and give what goes to later levels.

        ``rows`` are sorted (``ChunkRow.order``), and read as they are needed.
        """
        self.attach(store)
        self.advance_processing_time(now)
        sequence = controls = 0
        arriving = ((self._edge_offsets[row.edge] + row.channel, row) for row in rows)
        for step in steps(arriving, self._statuses):
            self.step(step.channel, step.keys, step.values, step.timestamps, step.control)
            controls += step.control is not None
            if controls == CONTROLS_PER_CHUNK:
                yield from self.finish(now, sequence=sequence)
                sequence, controls = sequence + 1, 0
        self.detach(store)
        yield from self.finish(now, sequence=sequence)

    def attach(self, store: PageStore) -> None:
        """Show the state that is in ``store``."""
        tag = self.entry.node.tag
        for name, state in self.chain.keyed_states():
            state.attach(store, name)
        stored = store.get(f"{tag}/task")
        if stored is None:
            self._statuses = [ChannelStatus(MIN_WATERMARK) for _ in range(self._channels)]
            self._valve = StatusWatermarkValve(self._channels, _ValveOutput(self))
            self._ended = 0
            for chained, initial in zip(self.chain.operators, self._initial, strict=True):
                chained.context.time.watermark = MIN_WATERMARK
                chained.context.time.processing_time = 0
                if initial is not None:
                    chained.operator.restore(initial)
            self._set_positions([0] * len(self.chain.writers))
            return
        self._statuses, valve, self._ended, operators, positions = loads(stored)
        self._set_positions(positions)
        self._valve.restore(valve)
        for chained, (watermark, processing_time, snapshot) in zip(self.chain.operators, operators, strict=True):
            chained.context.time.watermark = watermark
            chained.context.time.processing_time = processing_time
            if snapshot is not None:
                chained.operator.restore(snapshot)

    def detach(self, store: PageStore) -> None:
        """Write the state that is shown."""
        if isinstance(store, NoPages):
            return
        operators: list[tuple[int, int, Any]] = []
        for chained in self.chain.operators:
            chained.operator.store_state()
            time = chained.context.time
            operators.append((time.watermark, time.processing_time, chained.operator.snapshot()))
        for _, state in self.chain.keyed_states():
            state.flush()
        positions = [writer.position for writer in self.chain.writers]
        task = (self._statuses, self._valve.snapshot(), self._ended, operators, positions)
        store.put(f"{self.entry.node.tag}/task", dumps(task))

    def _set_positions(self, positions: list[int]) -> None:
        for writer, position in zip(self.chain.writers, positions, strict=True):
            writer.position = position

    def set_processing_time(self, now: int) -> None:
        """Let operators see ``now`` without making them act on it."""
        for chained in self.chain.operators:
            chained.context.time.processing_time = now

    def advance_processing_time(self, now: int) -> None:
        """Processing time has come to ``now``: what is due fires."""
        for chained in self.chain.operators:
            if now > chained.context.time.processing_time:
                chained.advance_processing_time(now)

    def step(
        self,
        channel: int,
        keys: Sequence[Any] | None,
        values: Sequence[Any],
        timestamps: Sequence[int],
        control: Control | None,
    ) -> None:
        """Elements of one channel, then a control event."""
        if len(values):
            head = self.chain.head
            if isinstance(head, ChainedOperator):
                head.batch(values, timestamps, keys, self._inputs[channel])
            else:
                head.batch(values, timestamps)
        if control is None:
            return
        if isinstance(control, int):
            self._valve.input_watermark(channel, control)
        elif isinstance(control, ProcessingTime):
            self.chain.head.control(control)
        elif control == "end":
            self._end(channel)
        else:
            self._valve.input_status(channel, idle=control == "idle")

    def _end(self, channel: int) -> None:
        """A channel has ended: it holds nothing back any more; after the last one the input has ended."""
        self._ended += 1
        if self._ended == self._channels:
            self.end_of_input()
        else:
            self._valve.input_watermark(channel, MAX_WATERMARK)

    def end_of_input(self) -> None:
        """Everything has arrived: the last watermark, in BATCH the pending processing-time timers, then the end."""
        for chained in self.chain.operators:
            chained.operator.end_of_input()
            chained.output.flush()
        if self._valve.last_output_watermark < MAX_WATERMARK:
            self.chain.head.control(MAX_WATERMARK)
        if self._batch_mode:
            for chained in self.chain.operators:
                chained.fire_pending_processing_timers()
        self.chain.head.control("end")

    def finish(self, now: int, *, sequence: int, channel: int = 0) -> Iterator[ChunkRow]:
        """What the chain has sent to later levels since the last call."""
        # Each channel of a source is a channel of its own, with control events of its own.
        producer = self._subtask if self.entry.edges else 0
        for writer in self.chain.writers:
            yield from writer.finish(now, channel, producer, sequence)

    def close(self) -> None:
        self.chain.close()


class _ValveOutput:
    """What the valve decides goes to the head of the chain."""

    def __init__(self, task: StageTask) -> None:
        self._task = task

    def emit_watermark(self, timestamp: int) -> None:
        self._task.chain.head.control(timestamp)

    def emit_status(self, *, idle: bool) -> None:
        self._task.chain.head.control("idle" if idle else "active")
