"""The parts of a chain in a job that somebody looks at: they count elements in and out, and time each operator.

A job that nobody looks at has the plain parts (``ChainParts``), which count and time nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import AbstractContextManager

from windrow.elements.batch import Batch
from windrow.graph.job_graph import SINK_LEVEL, Edge, JobGraph, Node
from windrow.operators.base import Operator, OperatorContext
from windrow.operators.waiting import Waiting
from windrow.runtime.stage.chain import ChainedOperator, ChainedOutput, ChainParts, Taker
from windrow.runtime.stage.chunk import Control
from windrow.runtime.stage.stopwatch import Stopwatch
from windrow.runtime.stage.task_metrics import (
    BUSY_NANOS_BY_SUBTASK,
    RECORDS_IN_BY_SUBTASK,
    RECORDS_OUT_BY_SUBTASK,
    STATE,
    STATE_BYTES_WRITTEN,
    WAITING,
)
from windrow.runtime.stage.totals import MetricTotal
from windrow.state.paged import PagedKeyedState, StateSummary


class MonitoredParts(ChainParts):
    """Makes parts that count in one place, for one subtask.

    Args:
        job: The job; its sinks are counted, too, by their tags.
        subtask: The number under which is counted.
    """

    joins_operators = False

    def __init__(self, job: JobGraph, subtask: int) -> None:
        self._sinks = [sink.tag for sink in job.sinks]
        self._subtask = subtask
        self.watch = Stopwatch()
        self._in: Counter[str] = Counter()
        self._out: Counter[str] = Counter()
        self._written: Counter[str] = Counter()
        self._states: dict[str, StateSummary] = {}
        self._waiting: dict[str, Waiting | None] = {}
        self._has_waited: set[str] = set()

    def output(self, node: Node, *, object_reuse: bool) -> ChainedOutput:
        return _CountingOutput(node.tag, self._out, object_reuse=object_reuse)

    def operator(
        self, node: Node, operator: Operator, context: OperatorContext, output: ChainedOutput
    ) -> ChainedOperator:
        return _TimedOperator(node, operator, context, output, self.watch, self._in)

    def exchange(self, edge: Edge, writer: Taker) -> Taker:
        return writer if edge.target_level != SINK_LEVEL else _CountingTaker(self._sinks[edge.target], self._in, writer)

    def work_of(self, node: Node) -> AbstractContextManager[None]:
        return self.watch.of(node.tag)

    def note_state(self, node: Node, state: PagedKeyedState, written_before: int) -> None:
        """The operator's state was written."""
        self._written[node.tag] += state.written_bytes - written_before
        summary = state.summary()
        if summary is not None:
            self._states[node.tag] = summary

    def note_waiting(self, node: Node, operator: Operator) -> None:
        """The batch is over: ask the operator what it waits for event time with."""
        waiting = operator.waiting()
        if waiting is not None or node.tag in self._has_waited:  # most operators never do, and say nothing
            self._has_waited.add(node.tag)
            self._waiting[node.tag] = waiting

    def metrics(self) -> Iterator[tuple[str, str, MetricTotal]]:
        """Give what was measured since the last :meth:`settle`: tag, metric, value."""
        counted = {
            RECORDS_IN_BY_SUBTASK: self._in,
            RECORDS_OUT_BY_SUBTASK: self._out,
            BUSY_NANOS_BY_SUBTASK: self.watch.spent,
            STATE_BYTES_WRITTEN: self._written,
        }
        for metric, by_tag in counted.items():
            for tag, count in by_tag.copy().items():
                if count:
                    yield tag, metric, Counter({self._subtask: count})
        for tag, summary in self._states.copy().items():
            yield tag, STATE, {self._subtask: tuple(summary)}
        for tag, waiting in self._waiting.copy().items():
            yield tag, WAITING, {self._subtask: None if waiting is None else tuple(waiting)}

    def settle(self) -> None:
        """Forget what was measured: it was handed over."""
        for counted in (self._in, self._out, self._written, self.watch.spent):
            counted.clear()
        self._states.clear()
        self._waiting.clear()


class _CountingOutput(ChainedOutput):
    def __init__(self, tag: str, counted: Counter[str], *, object_reuse: bool) -> None:
        super().__init__(object_reuse=object_reuse)
        self._tag = tag
        self._counted = counted

    def _hand_on(self, takers: list[Taker], batch: Batch) -> None:
        self._counted[self._tag] += len(batch.elements)
        if len(takers) == 1:
            takers[0].batch(batch)
        else:
            super()._hand_on(takers, batch)


class _TimedOperator(ChainedOperator):
    """Measures where elements come and go, thousands of times a second: what is called there is written out."""

    def __init__(
        self,
        node: Node,
        operator: Operator,
        context: OperatorContext,
        output: ChainedOutput,
        watch: Stopwatch,
        counted: Counter[str],
    ) -> None:
        super().__init__(node, operator, context, output)
        self._tag = node.tag
        self._watch = watch
        self._turn_to = watch.turn_to
        self._counted = counted

    def batch(self, batch: Batch, which_input: int = 0) -> None:
        self._counted[self._tag] += len(batch.elements)
        turn_to = self._turn_to
        before = turn_to(self._tag)
        try:
            with self._naming_errors:
                self._process[which_input](batch)
                self.output.flush()
        finally:
            turn_to(before)

    def control(self, control: Control) -> None:
        before = self._watch.turn_to(self.node.tag)
        try:
            super().control(control)
        finally:
            self._watch.turn_to(before)

    def sorted_to(self, timestamp: int) -> None:
        with self._watch.of(self._tag):
            super().sorted_to(timestamp)

    def settle(self) -> None:
        with self._watch.of(self._tag):
            super().settle()

    def advance_processing_time(self, now: int) -> None:
        with self._watch.of(self._tag):
            super().advance_processing_time(now)


class _CountingTaker:
    """Counts what goes to a sink."""

    def __init__(self, tag: str, counted: Counter[str], writer: Taker) -> None:
        self._tag = tag
        self._counted = counted
        self._writer = writer

    def batch(self, batch: Batch) -> None:
        self._counted[self._tag] += len(batch)
        self._writer.batch(batch)

    def control(self, control: Control) -> None:
        self._writer.control(control)
