"""The interface of operators: deterministic state machines over elements, watermarks and processing time.

An operator reads no clock, starts no thread, does no input or output. All it needs is in the
:class:`OperatorContext` it is opened with; all it makes goes to ``context.output``. A runtime calls, in this order
and never concurrently: ``open``, then any mix of ``process_batch`` (of an operator on two streams ``process_batch1``
and ``process_batch2``), ``process_watermark``, ``process_status`` and ``advance_processing_time``, then ``close``. The
runtime forwards a watermark itself, after ``process_watermark`` has returned, so that a watermark goes out after the
results it releases. One that may ask an operator to put watermarks off (``puts_off``) calls ``settle`` before anything
else than elements and watermarks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from windrow.common.limits import MIN_WATERMARK
from windrow.elements.batch import Batch
from windrow.operators.forecast import ONE_BY_ONE, ROWS_IN, SEVERAL_FORMS, Forecast
from windrow.operators.redistribution import Redistribution
from windrow.operators.waiting import Waiting
from windrow.state.keyed import KeyedState

if TYPE_CHECKING:
    from windrow.elements.columns import Columns
    from windrow.elements.shape import Shape
    from windrow.operators.local_aggregate import LocalAggregate

#: The counter of elements that came too late and had no side output to go to.
LATE_RECORDS = "num_late_records_dropped"


class Output(Protocol):
    """The receiver of an operator's results."""

    def emit(self, value: Any, timestamp: int) -> None:
        """Emit to the main output; ``timestamp`` is NO_TIMESTAMP for an element without one."""

    def emit_batch(self, batch: Batch) -> None:
        """Emit many at once to the main output; keys that the batch has are not looked at."""

    def emit_side(self, tag_id: str, value: Any, timestamp: int) -> None:
        """Emit to the side output ``tag_id``; nobody listening means that the element is dropped."""

    def emit_watermark(self, timestamp: int) -> None:
        """Emit a watermark: the operator's own, or one that it has put off."""

    def emit_status(self, *, idle: bool) -> None:
        """Emit that this stream is idle, or active again (timestamps-and-watermarks operator only)."""


class Time:
    """The current time in both domains, advanced by the runtime before the operator hears of it."""

    __slots__ = ("processing_time", "watermark")

    def __init__(self, watermark: int = MIN_WATERMARK, processing_time: int = 0) -> None:
        self.watermark = watermark
        self.processing_time = processing_time

    @property
    def stream_watermark(self) -> int:
        """The stream's watermark, which functions are told; of windows of processing time the operator's is another."""
        return self.watermark

    @contextmanager
    def as_at(self, watermark: int) -> Iterator[None]:
        """Have another watermark until the end of the block: for elements that have waited since it was that."""
        now, self.watermark = self.watermark, watermark
        try:
            yield
        finally:
            self.watermark = now


@dataclass
class OperatorContext:
    """All that a runtime hands to an operator when it opens it."""

    #: The operator's name, for error messages.
    name: str
    output: Output
    time: Time
    #: Keyed state and timers; an empty one that is never keyed for operators on streams without keys.
    state: KeyedState
    #: The ``RuntimeContext`` that user functions are opened with (``windrow.datastream.functions``).
    runtime_context: Any
    #: What was dropped and why, by counter name (:data:`LATE_RECORDS`, ...).
    counters: Counter[str] = field(default_factory=Counter)
    #: Whether functions have promised to change nothing that they are given or have given: then nothing is copied.
    object_reuse: bool = False
    #: Whether functions may be computed on columns (``windrow.columns.enabled``).
    columns: bool = True
    #: Whether windows may add floats up in any order (``windrow.columns.float-sums-in-any-order``).
    any_order: bool = False

    def __post_init__(self) -> None:
        self.state.expiry.clock = self.time
        self.state.object_reuse = self.object_reuse

    def columns_of(self, batch: Batch) -> Columns | None:
        """The batch's elements, where functions may be computed on them; None: they are rows, or it is switched off."""
        return batch.columns if self.columns else None


class Operator:
    """Base of all operators. Subclasses implement :meth:`process_element` or :meth:`process_batch`."""

    context: OperatorContext
    #: Whether the runtime forwards watermarks and status; an operator that makes its own emits them itself.
    forwards_time: bool = True
    #: How what :meth:`snapshot` gives can be dealt out among another number of subtasks.
    redistribution: ClassVar[Redistribution] = Redistribution.BROADCAST
    #: Why it does not work on columns, if it does not.
    why_rows: str = ONE_BY_ONE

    def open(self, context: OperatorContext) -> None:
        """Take the context; open user functions here."""
        self.context = context

    def close(self) -> None:
        """Close user functions."""

    def process_element(self, value: Any, timestamp: int) -> None:
        """Process one element; on a keyed operator the current key is set."""
        raise NotImplementedError

    def process_batch(self, batch: Batch) -> None:
        """Process elements between two watermarks, in order; the batch has keys on a keyed stream."""
        self._process_one_by_one(self.process_element, batch)

    def _process_one_by_one(self, process: Callable[[Any, int], None], batch: Batch) -> None:
        timestamps = batch.timestamp_list()
        if batch.keys is None:
            self.context.state.clear_current_key()
            for value, timestamp in zip(batch.elements, timestamps, strict=True):
                process(value, timestamp)
            return
        set_current_key = self.context.state.set_current_key
        self.context.state.expect(batch.keys)
        for key, value, timestamp in zip(batch.keys, batch.elements, timestamps, strict=True):
            set_current_key(key)
            process(value, timestamp)

    def takes_columns(self, shape: Shape) -> bool:
        """Tell whether it works on columns of this shape: then rows cross the exchange in front of it as columns."""
        return False

    def local_aggregate(self, *, any_order: bool = False) -> LocalAggregate | None:
        """Make what combines elements before they cross the exchange in front of it; None: each of them has to.

        ``any_order``: Whether floats may be added up in any order.
        """
        return None

    def forecast(self, shape: Shape | None) -> Forecast:
        """In which form it will work if its input is columns of this shape; None: its input is rows."""
        return Forecast(False, ROWS_IN if shape is None else self.why_rows)

    def forecast_by_key(self, shape: Shape | None, key: Shape | None) -> Forecast:
        """The same if keys are columns of shape ``key``; None: they are rows, or there are none."""
        return self.forecast(shape)

    def forecast_of_several(self, shapes: Sequence[Shape]) -> Forecast:
        """The same if streams of columns of these different shapes come to its one input, each batch of one of them."""
        return Forecast(False, SEVERAL_FORMS)

    def process_watermark(self, timestamp: int) -> None:
        """``context.time.watermark`` has just become ``timestamp``: fire what is due."""

    def puts_off(self, timestamp: int) -> bool:
        """Asked in place of :meth:`process_watermark`: whether it takes this watermark later, with what follows.

        Then it emits the watermark itself, behind what it releases: at the next one that it is told, at elements that
        have to see it, or when it is told to settle. A runtime that never asks need not tell it.
        """
        return False

    def follows_sorted_time(self) -> bool:
        """Tell whether it may be told of time in BATCH, whose elements come sorted, before all of them have come.

        So windows go out, and are forgotten, as they end. Not where a function could ask for the watermark, which does
        not move there until the end of the input.
        """
        return False

    def settle(self) -> None:
        """Do what was put off: something else comes than elements or a watermark, or what was made goes out."""

    def process_status(self, *, idle: bool) -> None:
        """The input has become idle or active."""

    def advance_processing_time(self, now: int) -> None:
        """``context.time.processing_time`` has just become ``now``: fire what is due."""

    def next_processing_time(self) -> int | None:
        """Give the next time of the clock that it has to be told; None: none. State is stored already."""
        return self.context.state.next_processing_time()

    def waiting(self) -> Waiting | None:
        """Forecast what event time does next; None: nothing waits for it. Asked before state is stored."""
        return None

    def store_state(self) -> None:
        """Called before keyed state is written out: move what is cached elsewhere into ``context.state``."""

    def end_of_batch(self) -> None:
        """A batch that brought elements is over, of an input without end: watermarks follow it."""

    def end_of_input(self) -> None:
        """The bounded input is at its end; the maximum watermark follows."""

    def snapshot(self) -> Any:
        """State of the operator that belongs to no key (a watermark generator's, say); None if it has none."""
        return None

    def restore(self, snapshot: Any) -> None:
        """Take back what :meth:`snapshot` gave, after ``open``."""


class TwoInputOperator(Operator):
    """An operator on two streams; subclasses implement the methods for elements or those for batches.

    Watermarks and status come as to any operator: combined over all channels of both inputs. Keys are None for
    elements of an input that is not keyed; no key is current then, so keyed state cannot be touched.
    """

    def forecast_of(self, first: Shape | None, second: Shape | None) -> Forecast:
        """In which form it will work if its inputs are columns of these shapes; None: an input is rows."""
        return self.forecast(None if first is None or second is None else first)

    def process_element1(self, value: Any, timestamp: int) -> None:
        """Process one element of the first input."""
        raise NotImplementedError

    def process_element2(self, value: Any, timestamp: int) -> None:
        """Process one element of the second input."""
        raise NotImplementedError

    def process_batch1(self, batch: Batch) -> None:
        """Process elements of the first input, as :meth:`process_batch` does."""
        self._process_one_by_one(self.process_element1, batch)

    def process_batch2(self, batch: Batch) -> None:
        """Process elements of the second input, as :meth:`process_batch` does."""
        self._process_one_by_one(self.process_element2, batch)
