"""The operator behind ``assign_timestamps_and_watermarks``."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from windrow.common.limits import MAX_WATERMARK
from windrow.common.watermark import Watermark
from windrow.common.watermark_generators import NoWatermarksGenerator, WatermarkGenerator
from windrow.common.watermark_strategy import WatermarkStrategy
from windrow.elements.batch import Batch
from windrow.elements.stored import dumps, loads
from windrow.errors import UsageError, user_function_error
from windrow.operators.base import Operator, OperatorContext
from windrow.operators.forecast import Forecast, forecast, passing_on
from windrow.operators.ownership import reference_counts, without_kept
from windrow.operators.reach import Reach
from windrow.operators.redistribution import Redistribution
from windrow.operators.user_function import NoElement
from windrow.operators.watermarks.clock import PausableRelativeClock
from windrow.operators.watermarks.emitter import WatermarkEmitter
from windrow.operators.watermarks.timestamp_assignment import TimestampAssignment

if TYPE_CHECKING:
    from windrow.elements.shape import Shape


class TimestampsAndWatermarksOperator(Operator):
    """Gives elements timestamps and emits the watermarks of a generator; Flink's operator of the same name.

    Of its input's watermarks only the maximum, the end of input, goes on, and its statuses do not. The operator emits
    that watermark itself, so a runtime forwards none (``forwards_time``).

    Args:
        strategy: Timestamp assigner, generator and idleness.
        auto_interval: How often, in milliseconds of processing time, the generator is asked for a watermark; 0: never.
        emit_every: After how many elements it is asked, counted across batches and restores; None: not by count.
        emit_progressive: False in batch execution: no generator, the maximum is the only watermark.
    """

    forwards_time = False
    redistribution = Redistribution.SPLITS

    _generator: WatermarkGenerator
    _batch_listener: Callable[[int], None] | None
    #: Elements since ``emit_every`` last asked the generator.
    _since_emit: int
    _next_emit_time: int

    def __init__(
        self,
        strategy: WatermarkStrategy,
        *,
        auto_interval: int = 200,
        emit_every: int | None = None,
        emit_progressive: bool = True,
    ) -> None:
        self.strategy = strategy
        self._assigner = strategy.create_timestamp_assigner()
        self._reach = Reach(len if self._assigner is None else self._assigner)
        self._auto_interval = auto_interval if emit_progressive else 0
        self._emit_every = emit_every if emit_progressive else None
        self._emit_progressive = emit_progressive

    def open(self, context: OperatorContext) -> None:
        super().open(context)
        self._assignment = TimestampAssignment(context.name, self._assigner, columns=context.columns)
        self._begin()

    def forecast(self, shape: Shape | None) -> Forecast:
        from windrow.elements.shape import LONG

        if self._assigner is None:
            return Forecast(True, shape=shape) if shape is not None else super().forecast(shape)
        return passing_on(forecast(self._assigner, [shape, LONG], "trace_timestamps"), shape)

    def process_element(self, value: Any, timestamp: int) -> None:
        self.process_batch(Batch([value], [timestamp]))

    def process_batch(self, batch: Batch) -> None:
        if not len(batch):
            return
        assigned = self._assignment.of_columns(batch)
        stamped = self._stamped(batch) if assigned is None else Batch(batch.elements, assigned)
        process = self._process_each if self._batch_listener is None else self._process_run
        if self._emit_every is None:
            process(stamped)
            return
        start, total = 0, len(batch)
        while start < total:
            # At least one, also where a restored count was made with a larger interval.
            end = min(start + max(self._emit_every - self._since_emit, 1), total)
            whole = end - start == total
            process(stamped if whole else stamped.slice(start, end))
            self._since_emit += end - start
            start = end
            if self._since_emit >= self._emit_every:
                self._since_emit = 0
                self._periodic_emit()

    def _stamped(self, batch: Batch) -> Batch:
        values = batch.elements
        # An assigner that keeps an element does not see what becomes of it.
        is_watched = not (self._assigner is None or self.context.object_reuse or self._reach.ends_at(values))
        counts = reference_counts(values) if is_watched else None
        assigned = self._assignment.of_rows(batch)
        return Batch(without_kept(values, counts), assigned)

    def process_watermark(self, timestamp: int) -> None:
        if timestamp == MAX_WATERMARK:
            self._emitter.emit_watermark(Watermark(MAX_WATERMARK))
            self._emitter.flush(self.context.output)

    def advance_processing_time(self, now: int) -> None:
        if self._auto_interval > 0 and now >= self._next_emit_time:
            self._next_emit_time = now + self._auto_interval
            self._periodic_emit()

    def end_of_batch(self) -> None:
        if self._auto_interval > 0:
            self._periodic_emit()

    def end_of_input(self) -> None:
        self._periodic_emit()

    def snapshot(self) -> Any:
        """The generator's state, pickled, and what the operator itself counts and remembers."""
        try:
            state = self._generator.snapshot_state()
        except BaseException as error:
            raise user_function_error(self.context.name, NoElement("snapshot_state"), error) from error
        try:
            generator_state = dumps(state)
        except Exception as error:
            kind = type(self._generator).__name__
            msg = (
                f"operator {self.context.name!r}: the state of its watermark generator {kind} cannot be pickled "
                f"({error}); override snapshot_state and restore_state of {kind}"
            )
            raise UsageError(msg) from error
        emitter = (self._emitter.current_watermark, self._emitter.idle)
        return generator_state, emitter, self._since_emit, self._next_emit_time, self.input_activity_clock.snapshot()

    def restore(self, snapshot: Any) -> None:
        self._begin()
        if snapshot is None:
            return
        generator_state, emitter, self._since_emit, next_emit_time, clock = snapshot
        try:
            self._generator.restore_state(loads(generator_state))
        except BaseException as error:
            raise user_function_error(self.context.name, NoElement("restore_state"), error) from error
        self._emitter.current_watermark, self._emitter.idle = emitter
        self.input_activity_clock.restore(clock)
        # A harness begins at processing time 0 again: do not wait until it is back where it was.
        self._next_emit_time = min(next_emit_time, self._next_emit_time)

    def _begin(self) -> None:
        """Have no past: the operator was opened, or is about to show another one's state."""
        time = self.context.time
        #: Idleness's clock, which a runtime pauses while backpressure keeps elements from coming.
        self.input_activity_clock = PausableRelativeClock(lambda: time.processing_time)
        self._emitter = WatermarkEmitter()
        self._generator = (
            self.strategy.create_watermark_generator(self.input_activity_clock.relative_time)
            if self._emit_progressive
            else NoWatermarksGenerator()
        )
        self._batch_listener = self._generator.batch_listener()
        self._since_emit = 0
        self._next_emit_time = time.processing_time + self._auto_interval

    def _process_run(self, batch: Batch) -> None:
        """Process elements whose newest timestamp is all that the generator needs to know."""
        self.context.output.emit_batch(batch)
        assert self._batch_listener is not None
        self._batch_listener(int(batch.timestamps.max()))

    def _process_each(self, batch: Batch) -> None:
        """Show the generator every element, and emit what it emits right behind the element."""
        emitter, on_event = self._emitter, self._generator.on_event
        emit_batch = self.context.output.emit_batch
        pending = emitter.pending
        emitted = 0
        elements = zip(batch.elements, batch.timestamp_list(), strict=True)
        for position, (value, timestamp) in enumerate(elements, 1):
            try:
                on_event(value, timestamp, emitter)
            except BaseException as error:
                raise user_function_error(self.context.name, value, error) from error
            if pending:
                emit_batch(batch.slice(emitted, position))
                emitted = position
                emitter.flush(self.context.output)
        if emitted < len(batch):
            emit_batch(batch.slice(emitted, len(batch)))

    def _periodic_emit(self) -> None:
        try:
            self._generator.on_periodic_emit(self._emitter)
        except BaseException as error:
            raise user_function_error(self.context.name, NoElement("on_periodic_emit"), error) from error
        self._emitter.flush(self.context.output)
