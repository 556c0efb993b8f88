"""Operators wired one behind another: what one emits is processed by the next at once, in the same call."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from os import urandom
from typing import Any, Protocol

from windrow.common.limits import MIN_WATERMARK
from windrow.elements.batch import Batch
from windrow.errors import WindrowError, user_function_error
from windrow.graph.job_graph import Edge, JobGraph, Node
from windrow.operators.base import Operator, OperatorContext, Time, TwoInputOperator
from windrow.operators.one_pass import OnePass, may_join
from windrow.operators.runtime_context import OperatorRuntimeContext
from windrow.operators.user_function import NamingErrors, NoElement
from windrow.runtime.stage.chunk import Control, ProcessingTime
from windrow.runtime.stage.closing import close_after
from windrow.runtime.stage.function_totals import FunctionTotals
from windrow.runtime.stage.record_writer import RecordWriter, is_dropped
from windrow.runtime.stage.totals import Totals
from windrow.state.paged import PagedKeyedState


class Taker(Protocol):
    """The receiver of an operator's output: the next operator of the chain, or an exchange."""

    def batch(self, batch: Batch) -> None: ...

    def control(self, control: Control) -> None: ...


class ChainedOutput:
    """An operator's output: buffers elements until the operator returns, then hands them on together."""

    def __init__(self, *, object_reuse: bool = False) -> None:
        self.main: list[Taker] = []
        self.sides: dict[str, list[Taker]] = {}
        self._object_reuse = object_reuse
        #: The last one that was handed on in this batch.
        self.watermark = MIN_WATERMARK
        self._values: list[Any] = []
        self._timestamps: list[int] = []
        self._side_buffers: dict[str, tuple[list[Any], list[int]]] = {}

    def emit(self, value: Any, timestamp: int) -> None:
        self._values.append(value)
        self._timestamps.append(timestamp)

    def emit_batch(self, batch: Batch) -> None:
        self.flush()
        if len(batch):
            self._hand_on(self.main, batch)

    def emit_side(self, tag_id: str, value: Any, timestamp: int) -> None:
        if tag_id in self.sides:
            values, timestamps = self._side_buffers.setdefault(tag_id, ([], []))
            values.append(value)
            timestamps.append(timestamp)

    def emit_watermark(self, timestamp: int) -> None:
        self.control(timestamp)

    def emit_status(self, *, idle: bool) -> None:
        self.control("idle" if idle else "active")

    def flush(self) -> None:
        """Hand on what was emitted."""
        if self._values:
            values, timestamps = self._values, self._timestamps
            self._values, self._timestamps = [], []
            self._hand_on(self.main, Batch(values, timestamps))
        if self._side_buffers:
            buffers, self._side_buffers = self._side_buffers, {}
            for tag_id, (values, timestamps) in buffers.items():
                self._hand_on(self.sides[tag_id], Batch(values, timestamps))

    def _hand_on(self, takers: list[Taker], batch: Batch) -> None:
        """Of several takers all but the last get copies: none sees what another one changes."""
        for taker in takers[:-1]:
            taker.batch(batch if self._object_reuse else batch.copied())
        for taker in takers[-1:]:
            taker.batch(batch)

    def control(self, control: Control) -> None:
        """Hand on a control event, behind all that was emitted before."""
        self.flush()
        if isinstance(control, int):
            self.watermark = control
        for taker in self.main:
            taker.control(control)
        for takers in self.sides.values():
            for taker in takers:
                taker.control(control)


class ChainedOperator:
    """An operator with its context and its output, called by what is in front of it in the chain."""

    def __init__(self, node: Node, operator: Operator, context: OperatorContext, output: ChainedOutput) -> None:
        self.node = node
        self.operator = operator
        self.context = context
        self.output = output
        self._naming_errors = NamingErrors(node.name, "the operator itself")
        self._process: list[Callable[[Batch], None]] = [operator.process_batch]
        if isinstance(operator, TwoInputOperator):
            self._process += [operator.process_batch1, operator.process_batch2]

    @property
    def following(self) -> ChainedOperator | None:
        """The operator that is given all that this one emits; None: there is none, or not it alone."""
        takers = self.output.main
        only = takers[0] if len(takers) == 1 and not self.output.sides else None
        return only if isinstance(only, ChainedOperator) else None

    def process_by(self, process: Callable[[Batch], None]) -> None:
        """Have elements processed by this function, which emits what the last operator of a pass makes of them."""
        self._process[0] = process

    def batch(self, batch: Batch, which_input: int = 0) -> None:
        """Process elements of an input, whose number is that of ``Edge.input``."""
        with self._naming_errors:
            self._process[which_input](batch)
            self.output.flush()

    def control(self, control: Control) -> None:
        operator = self.operator
        if isinstance(control, int):
            self.context.time.watermark = control
            with self._naming_errors:
                if operator.puts_off(control):
                    return
                operator.process_watermark(control)
        else:
            self.settle()
        if isinstance(control, ProcessingTime):
            self.advance_processing_time(control.now)
            self.output.control(control)
            return
        if control in ("idle", "active"):
            operator.process_status(idle=control == "idle")
        if control == "end" or operator.forwards_time:
            self.output.control(control)
        else:
            self.output.flush()

    def sorted_to(self, timestamp: int) -> None:
        """Elements that come are no earlier, in BATCH: let the operator give out what is over, if it may be told."""
        operator, time = self.operator, self.context.time
        # A session that ends where an element begins goes on with it.
        if operator.follows_sorted_time() and timestamp - 2 > time.watermark:
            time.watermark = timestamp - 2
            with self._naming_errors:
                operator.process_watermark(time.watermark)
                self.output.flush()

    def settle(self) -> None:
        """Let the operator do what it has put off."""
        with self._naming_errors:
            self.operator.settle()
            self.output.flush()

    def advance_processing_time(self, now: int) -> None:
        self.context.time.processing_time = now
        with self._naming_errors:
            self.operator.advance_processing_time(now)
            self.output.flush()

    def fire_pending_processing_timers(self) -> None:
        """At the end of a BATCH job; timers that these register are not accepted (Flink's batch timer service)."""
        timers = self.context.state.processing_timers
        timers.closed = True
        with self._naming_errors:
            self.operator.advance_processing_time(2**63 - 1)
        timers.closed = False
        self.output.flush()


class ChainParts:
    """Makes what a chain is put together from."""

    #: Whether several operators may work as one (``OnePass``), where none is measured by itself.
    joins_operators = True

    def output(self, node: Node, *, object_reuse: bool) -> ChainedOutput:
        """The output of an operator, or of a source."""
        return ChainedOutput(object_reuse=object_reuse)

    def operator(
        self, node: Node, operator: Operator, context: OperatorContext, output: ChainedOutput
    ) -> ChainedOperator:
        """Put an operator into its place, in front of the output."""
        return ChainedOperator(node, operator, context, output)

    def exchange(self, edge: Edge, writer: Taker) -> Taker:
        """Make the taker of the elements for an edge, which gives them to its writer."""
        return writer

    def work_of(self, node: Node) -> AbstractContextManager[None]:
        """A context in which the operator works, called by somebody else than its chain; may be entered again."""
        return nullcontext()


class OperatorChain:
    """All operators of one entry of a level, opened for one subtask."""

    def __init__(
        self, root: Node, job: JobGraph, subtask: int, parts: ChainParts | None = None, *, keyed: bool = False
    ) -> None:
        self.job = job
        self.parts = parts or ChainParts()
        self.writers: list[RecordWriter] = []
        self.operators: list[ChainedOperator] = []
        self._totals: list[FunctionTotals] = []
        self._opened: list[ChainedOperator] = []
        self.source_output = self.parts.output(root, object_reuse=job.object_reuse)
        self._subtask = subtask
        try:
            self.head = self._build_head(root, keyed=keyed)
            if self.parts.joins_operators:
                self._join_operators()
        except BaseException as error:
            close_after(error, self.close)
            raise

    def _build_head(self, root: Node, *, keyed: bool) -> Taker:
        if root.factory is not None:
            return self._build(root, keyed=keyed)
        self._wire(root, self.source_output)
        return _SourceHead(self.source_output)

    def _join_operators(self) -> None:
        seen: set[int] = set()
        for first in self.operators:
            run: list[Operator] = []
            chained: ChainedOperator | None = first
            while chained is not None and id(chained) not in seen and may_join(chained.operator):
                seen.add(id(chained))
                run.append(chained.operator)
                chained = chained.following
            if len(run) > 1:
                first.process_by(OnePass(run).process_batch)

    def _build(self, node: Node, *, keyed: bool = False) -> ChainedOperator:
        assert node.factory is not None
        reuse = self.job.object_reuse
        output = self.parts.output(node, object_reuse=reuse)
        operator = node.factory()
        runtime_context = self._runtime_context(node)
        context = OperatorContext(
            node.name,
            output,
            Time(),
            PagedKeyedState(self.job.max_parallelism, _new_token, node.name),
            runtime_context,
            object_reuse=reuse,
            columns=self.job.columns,
            any_order=self.job.any_order,
        )
        if keyed:
            runtime_context.state = context.state
        chained = self.parts.operator(node, operator, context, output)
        self.operators.append(chained)
        self._totals.append(FunctionTotals(node, runtime_context, context.counters))
        self._wire(node, output)
        with NamingErrors(node.name, "open"):
            operator.open(context)
        self._opened.append(chained)
        return chained

    def _wire(self, node: Node, output: ChainedOutput) -> None:
        for side, taker in node.takers:
            target: Taker
            if isinstance(taker, Edge):
                dropped = is_dropped(taker, self.job.sinks)
                writer = RecordWriter(
                    taker,
                    self.job.max_parallelism,
                    node.name,
                    self._subtask,
                    dropped=dropped,
                    object_reuse=self.job.object_reuse,
                    columns=self.job.columns,
                    target=None if taker.operator is None else taker.operator(),
                    combines=self.job.combines,
                    any_order=self.job.any_order,
                )
                self.writers.append(writer)
                target = self.parts.exchange(taker, writer)
            else:
                target = self._build(taker)
            (output.main if side is None else output.sides.setdefault(side, [])).append(target)

    def _runtime_context(self, node: Node) -> OperatorRuntimeContext:
        return OperatorRuntimeContext(
            task_name=node.name,
            parallelism=node.subtasks,
            max_parallelism=self.job.max_parallelism,
            subtask_index=self._subtask,
            job_parameters=self.job.job_parameters,
            object_reuse=self.job.object_reuse,
        )

    def settle(self) -> None:
        """Let operators do what they have put off, the first one first."""
        for chained in self.operators:
            chained.settle()

    def keyed_states(self) -> Iterator[tuple[str, PagedKeyedState]]:
        """The keyed state of each operator, under the name it has in checkpoints."""
        for index, chained in enumerate(self.operators):
            state = chained.context.state
            assert isinstance(state, PagedKeyedState)
            yield owner_of_state(chained.node.tag, index), state

    def read_totals(self, *, gauges: bool = True) -> Totals:
        """Copy what operators and functions have counted and not yet handed over; it stays to be handed over."""
        read = Totals()
        for totals in self._totals:
            read.merge(totals.part(gauges=gauges))
        return read

    def take_totals(self, *, gauges: bool = True) -> Totals:
        """Hand over what operators and functions have counted."""
        taken = self.read_totals(gauges=gauges)
        for totals in self._totals:
            totals.settle()
        return taken

    def discard_totals(self) -> None:
        """Forget what was counted and not handed over: a run that failed has left it."""
        for totals in self._totals:
            totals.discard()

    def close(self) -> None:
        """Close what was opened, all of it, head first.

        Raises:
            UserFunctionError: the first of the functions that failed.
        """
        failed: WindrowError | None = None
        opened = {id(chained) for chained in self._opened}
        self._opened = []
        for chained in self.operators:
            if id(chained) in opened:
                chained.context.state.clear_current_key()
                try:
                    chained.operator.close()
                except BaseException as error:
                    failed = failed or user_function_error(chained.node.name, NoElement("close"), error)
        if failed is not None:
            raise failed


def owner_of_state(tag: str, index: int) -> str:
    """Give the name that those of all pages of an operator's keyed state begin with.

    Args:
        tag: The operator's.
        index: Its place in its chain.
    """
    return f"{tag}.{index}"


def tag_of_owner(owner: str) -> str:
    """The tag of the operator whose keyed state has this owner.

    Example:
        >>> tag_of_owner(owner_of_state("a.b", 0))
        'a.b'
    """
    return owner.rpartition(".")[0]


def _new_token() -> bytes:
    """Make a token that no other call makes, here or in another process."""
    return urandom(12)


class _SourceHead:
    """The head of a source's chain: has no operator of its own."""

    def __init__(self, output: ChainedOutput) -> None:
        self._output = output

    def batch(self, batch: Batch) -> None:
        self._output.emit_batch(batch)

    def control(self, control: Control) -> None:
        self._output.control(control)
