"""Runs one subtask of a chain, batch after batch.

What a runtime does with it: make one per (entry, subtask), then for each batch call :meth:`run` with the chunks that
have arrived and the subtask's page store. Between two calls nothing is kept here; all is in the store.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from threading import Lock
from typing import Any, NamedTuple

from windrow.common.limits import MAX_WATERMARK, MIN_WATERMARK
from windrow.elements.batch import EMPTY, Batch
from windrow.elements.stored import dumps, loads
from windrow.errors import UsageError
from windrow.graph.job_graph import SINK_LEVEL, Entry, JobGraph
from windrow.operators.watermarks.valve import StatusWatermarkValve
from windrow.runtime.stage.chain import ChainedOperator, OperatorChain
from windrow.runtime.stage.chunk import COLUMN_ELEMENTS_PER_CHUNK, ELEMENTS_PER_CHUNK, ChunkRow, Control, ProcessingTime
from windrow.runtime.stage.input_gate import ChannelStatus, Step, steps
from windrow.runtime.stage.monitored_chain import MonitoredParts
from windrow.runtime.stage.sorted_input import MOST_PARTS, SortedInput
from windrow.runtime.stage.task_metrics import CHANNELS, TaskMetrics
from windrow.runtime.stage.totals import Totals
from windrow.state.page_store import NoPages, PageStore
from windrow.state.storable import NotStorableError, check_storable

#: After so many control events what a task has made goes out as a chunk; all subtasks count the same events.
CONTROLS_PER_CHUNK = 256


class OperatorState(NamedTuple):
    """The state of an operator besides keyed state, as its task keeps it."""

    watermark: int
    processing_time: int
    snapshot: Any
    #: How the snapshot can be dealt out again (``Redistribution``).
    redistribution: str


class TaskState(NamedTuple):
    """The state of a task in the store besides keyed state.

    Where channels stand is the same in all subtasks: they see the same control events.
    """

    statuses: list[ChannelStatus]
    valve: Any
    #: How many channels have ended.
    ended: int
    operators: list[OperatorState]
    #: Where each writer goes on, by its edge's key, behind how that can be dealt out again.
    positions: dict[str, tuple[str, int]]
    #: How many blocks each run has of an input that is sorted when it has ended; its elements go by their key groups.
    runs: Sequence[int] = ()


def has_ended(entry: Entry, store: PageStore) -> bool:
    """Tell whether the subtask whose store this is has come to the end of its input."""
    stored = store.get(_page(entry))
    return stored is not None and bool(loads(stored).ended == (entry.channels or 1))


class StageTask:
    """A chain, opened for a subtask.

    Its functions are closed in the run that comes to the end of the input, so that what they count then counts.
    """

    def __init__(self, entry: Entry, job: JobGraph, subtask: int) -> None:
        self.entry = entry
        #: Counts and times the operators; None: nobody looks at the job.
        self.monitored_parts = MonitoredParts(job, subtask) if job.monitored else None
        self.chain = OperatorChain(entry.node, job, subtask, self.monitored_parts, keyed=entry.keyed)
        self._subtask = subtask
        self._batch_mode = job.batch_mode
        self._unbounded = job.unbounded
        #: Whether the batch has brought elements.
        self._brought = False
        self._edge_offsets: dict[int, int] = {}
        #: Which input of the operator each channel belongs to.
        self._inputs: list[int] = []
        #: Whether each channel's elements come with keys.
        self._keyed: list[bool] = []
        for edge in entry.edges:
            self._edge_offsets[edge.id] = len(self._inputs)
            self._inputs += [edge.input] * edge.channels
            self._keyed += [edge.partitioner.keyed] * edge.channels
        sorts = entry.keyed and (job.batch_mode or entry.node.only_at_end)
        self._sorted = SortedInput(_input_page(entry)) if sorts else None
        #: What a program that sorted this input has left, and this one does not wait for the end with.
        self._left: SortedInput | None = None
        # A source's chain is fed by one channel: each has a chain of its own.
        self._channels = len(self._inputs) or 1
        self._statuses: list[ChannelStatus] = []
        #: The operators as they are before any element: what a subtask that has no state yet starts from.
        self._initial = [chained.operator.snapshot() for chained in self.chain.operators]
        self._valve = StatusWatermarkValve(self._channels, _ValveOutput(self))
        self._ended = 0
        #: Whether the functions are closed: the task has come to its end, or was given up.
        self.closed = False
        #: What is counted when functions are opened counts in the run that begins the subtask, whoever runs it later.
        self._opened = self.chain.take_totals(gauges=False)
        self._totals = Totals()
        #: When the next timer of processing time is due behind the last batch; None: there is none.
        self.next_processing_time: int | None = None
        self.metrics = TaskMetrics(entry.node, self.chain, subtask)
        self._counting = Lock()

    def run(self, rows: Iterable[ChunkRow], store: PageStore, now: int) -> Iterator[ChunkRow]:
        """Process what has arrived, at processing time ``now``, and give what goes to later levels.

        ``rows`` are sorted (``ChunkRow.order``), and read as they are needed.
        """
        self.attach(store)
        self.next_processing_time = None
        if self._has_ended:  # in another process
            self.close()
            return
        self.advance_processing_time(now)
        sequence = controls = 0
        writers = self.chain.writers
        arriving = ((self._edge_offsets[row.edge] + row.channel, row) for row in rows)
        if self._left is not None:
            sequence = yield from self._process_sorted(self._left, now, sequence)
        for step in steps(arriving, self._statuses):
            control = step.control
            if self._sorted is None:
                self.step(step.channel, step.batch, control)
            else:
                control = self._gather(self._sorted, step)
                if control == "end" and self._ended + 1 == self._channels:
                    sequence = yield from self._process_sorted(self._sorted, now, sequence)
                self.step(step.channel, EMPTY, control)
            for writer in writers:
                if writer.is_full:
                    yield from self._placed(writer.full_parts(now, 0, self._producer))
            controls += control is not None
            if controls == CONTROLS_PER_CHUNK:
                yield from self.finish(now, sequence=sequence)
                controls = 0
        self.end_of_batch()
        self.detach(store)
        yield from self.finish(now, sequence=sequence)
        self.close_at_end()

    @property
    def _has_ended(self) -> bool:
        return self._ended == self._channels

    def attach(self, store: PageStore) -> None:
        """Show the state that is in ``store``, and count from nothing."""
        self._brought = False
        for name, state in self.chain.keyed_states():
            state.attach(store, name)
        stored = store.get(_page(self.entry))
        with self._counting:
            self.chain.discard_totals()
            self._totals = self._opened.copy() if stored is None else Totals()
        if self._sorted is not None:
            self._sorted.attach(store)
        self._left = None
        if stored is None:
            self._statuses = [ChannelStatus(MIN_WATERMARK) for _ in range(self._channels)]
            self._valve = StatusWatermarkValve(self._channels, _ValveOutput(self))
            self._ended = 0
            for chained, initial in zip(self.chain.operators, self._initial, strict=True):
                chained.context.time.watermark = MIN_WATERMARK
                chained.context.time.processing_time = 0
                if initial is not None:
                    chained.operator.restore(initial)
            self._set_positions({})
            self.metrics.begin()
            return
        task: TaskState = loads(stored)
        self._statuses, self._ended = task.statuses, task.ended
        self._set_positions({edge: position for edge, (_, position) in task.positions.items()})
        if task.runs:
            waiting = self._sorted or SortedInput(_input_page(self.entry))
            waiting.attach(store, task.runs)
            self._left = None if self._sorted else waiting
        self._valve.restore(task.valve)
        for chained, kept, initial in zip(self.chain.operators, task.operators, self._initial, strict=True):
            chained.context.time.watermark = kept.watermark
            chained.context.time.processing_time = kept.processing_time
            snapshot = initial if kept.snapshot is None else kept.snapshot
            if snapshot is not None:
                chained.operator.restore(snapshot)
        self.metrics.begin()

    def detach(self, store: PageStore) -> None:
        """Write the state that is shown, and see what was counted."""
        self.chain.settle()
        if not isinstance(store, NoPages):
            self._write(store)
        self._count()

    def close_at_end(self) -> None:
        """Close the functions at the end of the input; what has gone out has asked key selectors for the last time."""
        if self._has_ended:
            self.close()
            self._count(gauges=False)  # what they show may be closed as well

    def _write(self, store: PageStore) -> None:
        operators: list[OperatorState] = []
        for number, chained in enumerate(self.chain.operators):
            time = chained.context.time
            operator = chained.operator
            rule = operator.redistribution.value
            with self.chain.parts.work_of(chained.node):
                if self.monitored_parts is not None and (
                    self._brought or self.metrics.time_has_passed(number) or chained.node.uses_processing_time
                ):
                    self.monitored_parts.note_waiting(chained.node, operator)
                operator.store_state()
                operators.append(OperatorState(time.watermark, time.processing_time, operator.snapshot(), rule))
        if not self._has_ended:
            timed = (chained.operator for chained in self.chain.operators if chained.node.uses_processing_time)
            times = [operator.next_processing_time() for operator in timed]
            self.next_processing_time = min((time for time in times if time is not None), default=None)
        for chained, (_, state) in zip(self.chain.operators, self.chain.keyed_states(), strict=True):
            written = state.written_bytes
            with _named(chained), self.chain.parts.work_of(chained.node):
                state.flush()
            if self.monitored_parts is not None:
                self.monitored_parts.note_state(chained.node, state, written)
        positions = {writer.edge.key: (writer.redistribution.value, writer.position) for writer in self.chain.writers}
        runs: list[int] = []
        if self._sorted is not None:
            with _named(self.chain.operators[0]):
                self._sorted.write()
            runs = self._sorted.runs
        task = TaskState(self._statuses, self._valve.snapshot(), self._ended, operators, positions, runs)
        store.put(_page(self.entry), self._dumps(task))

    def _dumps(self, task: TaskState) -> bytes:
        try:
            return dumps(task)
        except Exception:  # whatever the __reduce__ of a user's class raises
            for chained, kept in zip(self.chain.operators, task.operators, strict=True):
                with _named(chained):
                    check_storable("what it keeps", kept.snapshot)
            raise

    def _count(self, *, gauges: bool = True) -> None:
        with self._counting:
            self._totals.merge(self.chain.take_totals(gauges=gauges))
            self._totals.merge(self.metrics.part())
            if self.monitored_parts is not None:
                self._totals.merge(self._monitored_totals(self.monitored_parts))
                self.monitored_parts.settle()

    def _monitored_totals(self, parts: MonitoredParts) -> Totals:
        """Collect the metrics that only those see who look at the job: results and clients have them not."""
        part = Totals()
        for tag, metric, value in parts.metrics():
            part.measured.setdefault(tag, {})[metric] = value
        if self.entry.edges and self._subtask == 0:  # all subtasks see the same
            channels = tuple((each.watermark, each.active, each.aligned) for each in self._valve.channels)
            part.measured.setdefault(self.entry.node.tag, {})[CHANNELS] = channels
        return part

    def take_totals(self) -> Totals:
        """Take what was counted in the runs since the last call."""
        with self._counting:
            taken, self._totals = self._totals, Totals()
        return taken

    def read_totals(self, *, live: bool = False) -> Totals:
        """Give what was counted since then so far; another thread may ask in the middle of a run.

        ``live``: with what was measured in the middle of a run, too.
        """
        with self._counting:
            read = self._totals.merged(self.chain.read_totals(gauges=not (self.closed or live)))
            if live and self.monitored_parts is not None and not self.closed:
                read.merge(self.metrics.read())
                read.merge(self._monitored_totals(self.monitored_parts))
            return read

    def _set_positions(self, positions: dict[str, int]) -> None:
        for writer in self.chain.writers:  # a sink's is not there, if the sink is new
            writer.position = positions.get(writer.edge.key, 0)

    def set_processing_time(self, now: int) -> None:
        """Let operators see ``now`` without making them act on it."""
        for chained in self.chain.operators:
            chained.context.time.processing_time = now

    def advance_processing_time(self, now: int) -> None:
        """Processing time has come to ``now``: what is due fires."""
        behind = [chained for chained in self.chain.operators if now > chained.context.time.processing_time]
        for chained in behind:  # what fires in one of them goes through those behind it, whose time it is, too
            chained.context.time.processing_time = now
        for chained in behind:
            chained.advance_processing_time(now)

    @property
    def elements_per_chunk(self) -> int:
        """After how many elements of its source what the task has made goes out."""
        rows = any(writer.takes_rows for writer in self.chain.writers)
        return ELEMENTS_PER_CHUNK if rows else COLUMN_ELEMENTS_PER_CHUNK

    def step(self, channel: int, batch: Batch, control: Control | None) -> None:
        """Elements of one channel, then a control event."""
        if len(batch):
            self._process(batch, self._inputs[channel] if self._inputs else 0)
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

    def _process(self, batch: Batch, which_input: int) -> None:
        self.metrics.records_in += len(batch)
        self._brought = True
        head = self.chain.head
        if isinstance(head, ChainedOperator):
            head.batch(batch, which_input)
        else:
            head.batch(batch)

    def _gather(self, gathered: SortedInput, step: Step) -> Control | None:
        """Keep elements with keys until the input has ended, and say what is left to be done.

        Elements without keys, which are broadcast, are there before the others. Watermarks and statuses mean nothing
        for what is sorted: as in Flink none goes on but the last.
        """
        if len(step.batch):
            if self._keyed[step.channel]:
                with _named(self.chain.operators[0]):
                    gathered.add(self._inputs[step.channel], step.batch)
            else:
                self._process(step.batch, self._inputs[step.channel])
        control = step.control
        return control if control == "end" or isinstance(control, ProcessingTime) else None

    def _process_sorted(self, gathered: SortedInput, now: int, sequence: int) -> Generator[ChunkRow, None, int]:
        """Process what was gathered, a part at a time; the next sequence number.

        It is the same in all subtasks, however much each has gathered: what they say next is said at one place, behind
        the results of all of them; and what they have said before, before these.
        """
        yield from self.finish(now, sequence=sequence)
        for number, part in enumerate(gathered.parts(), sequence + 1):
            self._process(part.batch, part.input)
            if gathered is self._sorted:  # and nothing comes behind it
                self.chain.operators[0].sorted_to(int(part.batch.timestamp_array()[-1]))
            yield from self.finish(now, sequence=number)
        for writer in self.chain.writers:
            writer.begin(sequence + MOST_PARTS)
        return sequence + MOST_PARTS

    def _end(self, channel: int) -> None:
        """A channel has ended: it holds nothing back any more; after the last one the input has ended."""
        if self._ended + 1 == self._channels:
            self.end_of_input()
        else:
            self._ended += 1
            self._valve.input_watermark(channel, MAX_WATERMARK)

    def end_of_batch(self) -> None:
        """The batch is over: in a job without end, watermarks follow the elements that it has brought.

        Where a batch ends is fixed by its offsets, or by what was written down of it: one that is run again makes the
        same watermarks. Where a bounded input is cut must not be seen: there they follow the count of elements alone.
        """
        self.chain.settle()
        if self._unbounded and self._brought and not self._has_ended:
            for chained in self.chain.operators:
                with self.chain.parts.work_of(chained.node):
                    chained.operator.end_of_batch()
                    chained.output.flush()

    def end_of_input(self) -> None:
        """Everything has arrived: the last watermark, in BATCH the pending processing-time timers, then the end."""
        self._ended = self._channels
        self.chain.settle()
        for chained in self.chain.operators:
            with self.chain.parts.work_of(chained.node):
                chained.operator.end_of_input()
                chained.output.flush()
        if self._valve.last_output_watermark < MAX_WATERMARK:
            self.chain.head.control(MAX_WATERMARK)
        if self._batch_mode:
            for chained in self.chain.operators:
                chained.fire_pending_processing_timers()
        self.chain.head.control("end")

    def finish(self, now: int, *, sequence: int, channel: int = 0) -> Iterator[ChunkRow]:
        """Give what the chain has sent to later levels since the last call, with numbers from this ``sequence`` on.

        All subtasks have to give the same control events: what operators have put off is done before.
        """
        self.chain.settle()
        for writer in self.chain.writers:
            yield from self._placed(writer.finish(now, channel, self._producer, sequence))

    @property
    def _producer(self) -> int:
        # Each channel of a source is a channel of its own, with control events of its own.
        return self._subtask if self.entry.edges else 0

    def _placed(self, rows: Iterable[ChunkRow]) -> Iterator[ChunkRow]:
        here = self.entry.first_channel + self._subtask
        for row in rows:
            if row.level == SINK_LEVEL:  # nobody waits for it in a later level: it stays where it is
                row.subtask = here
            yield row

    def close(self) -> None:
        """Close the functions, unless they are closed."""
        if not self.closed:
            self.closed = True
            if self._sorted is not None:
                self._sorted.close()
            self.chain.close()


@contextmanager
def _named(chained: ChainedOperator) -> Iterator[None]:
    try:
        yield
    except NotStorableError as error:
        msg = f"operator {chained.node.name!r}: {error}"
        raise UsageError(msg) from None


def _page(entry: Entry) -> str:
    return f"{entry.node.tag}/task"


def _input_page(entry: Entry) -> str:
    return f"{entry.node.tag}/input"


class _ValveOutput:
    """Gives the head of the chain what the valve decides."""

    def __init__(self, task: StageTask) -> None:
        self._task = task

    def emit_watermark(self, timestamp: int) -> None:
        self._task.chain.head.control(timestamp)

    def emit_status(self, *, idle: bool) -> None:
        self._task.chain.head.control("idle" if idle else "active")
