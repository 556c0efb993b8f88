"""The watermarks of a reader: a generator for each of its splits, and the least of what the active ones emit."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any, Protocol

from windrow.common.watermark import Watermark
from windrow.common.watermark_generators import NoWatermarksGenerator, WatermarkGenerator
from windrow.common.watermark_strategy import WatermarkStrategy
from windrow.errors import user_function_error
from windrow.operators.user_function import NoElement
from windrow.operators.watermarks.assigned import Timestamps, assign_timestamps
from windrow.operators.watermarks.clock import PausableRelativeClock
from windrow.operators.watermarks.emitter import WatermarkEmitter
from windrow.operators.watermarks.multiplexer import WatermarkOutputMultiplexer
from windrow.runtime.stage.chunk import Control, no_timestamps
from windrow.state.codec import dumps, loads

#: Generators are asked after so many elements of a reader; the count is state, so batch cuts do not move it.
EMIT_EVERY = 8192

#: The output of a reader as a whole. Splits' outputs have a letter before the split's id.
_MAIN = "main"


class ElementsAndTime(Protocol):
    """Where elements go with the watermarks between them."""

    def elements(self, values: Sequence[Any], timestamps: Timestamps) -> None: ...

    def control(self, control: Control) -> None: ...


class _SplitTime:
    """One split's generator and its clock, which stands still while the split is paused."""

    def __init__(self, strategy: WatermarkStrategy, now: Any, *, progressive: bool) -> None:
        self.clock = PausableRelativeClock(now)
        self.generator: WatermarkGenerator = (
            strategy.create_watermark_generator(self.clock.relative_time) if progressive else NoWatermarksGenerator()
        )
        self.listener = self.generator.batch_listener()
        self._paused = False

    def pause(self, *, paused: bool) -> None:
        if paused and not self._paused:
            self.clock.pause()
        elif self._paused and not paused:
            self.clock.un_pause()
        self._paused = paused

    def snapshot(self) -> Any:
        return dumps(self.generator.snapshot_state()), self.clock.snapshot(), self._paused

    def restore(self, snapshot: Any) -> None:
        state, clock, self._paused = snapshot
        self.generator.restore_state(loads(state))
        self.clock.restore(clock)


class SplitWatermarks:
    """Gives elements their timestamps and makes watermarks (Flink's ``ProgressiveTimestampsAndWatermarks``).

    A split holds the combined watermark back from the moment it is registered. The reader as a whole has a generator,
    too: for elements that come from no split, and for as long as there are no splits.

    Args:
        name: The source's, for error messages.
        strategy: Timestamp assigner, generator and idleness, for each split.
        target: Where elements and watermarks go.
        progressive: False in BATCH: the last watermark is the only one.
        auto_interval: The automatic watermark interval; 0: generators are never asked.
    """

    def __init__(
        self,
        name: str,
        strategy: WatermarkStrategy,
        target: ElementsAndTime,
        *,
        progressive: bool = True,
        auto_interval: int = 200,
    ) -> None:
        self._name = name
        self._strategy = strategy
        self._assigner = strategy.create_timestamp_assigner()
        self._target = target
        self._progressive = progressive
        self._emit_every = EMIT_EVERY if auto_interval > 0 and progressive else None
        #: Processing time, set by the reader's task.
        self.now = 0
        self.reset()

    def reset(self) -> None:
        """Have no past."""
        self._emitter = WatermarkEmitter()
        self._multiplexer = WatermarkOutputMultiplexer(self._emitter)
        self._times: dict[str, _SplitTime] = {}
        self._since_emit = 0
        self._main_has_elements = False
        self._settle_main()

    @property
    def current_watermark(self) -> int:
        """The combined watermark that was emitted last."""
        return self._emitter.current_watermark

    def active_watermarks(self) -> dict[str | None, int]:
        """The watermark of each split (None: of the reader as a whole) that is not idle; -2^63: it has none yet."""
        parts, _, _ = self._multiplexer.snapshot()
        return {_split_id(name): watermark for name, (watermark, idle) in parts.items() if not idle}

    def split_ids(self) -> set[str]:
        """The splits that are registered."""
        return {output_id[1:] for output_id in self._times if output_id != _MAIN}

    def output_ids(self) -> set[str | None]:
        """The splits, and None if the reader as a whole has a watermark, too."""
        return {_split_id(output_id) for output_id in self._times}

    def register(self, split_ids: Iterable[str]) -> None:
        """Splits that were assigned to the reader."""
        for split_id in split_ids:
            self._time_of(split_id)
        self._settle_main()

    def release(self, split_id: str) -> None:
        """A split was read to its end: it holds nothing back any more."""
        if self._times.pop(f"/{split_id}", None) is not None:
            self._multiplexer.unregister_output(f"/{split_id}")
        self._settle_main()
        self._multiplexer.on_periodic_emit()
        self._flush()

    def pause(self, split_ids: Collection[str | None]) -> None:
        """Let the clocks of these splits' idleness stand still, because they are held back; all others go on."""
        for output_id, time in self._times.items():
            time.pause(paused=_split_id(output_id) in split_ids)

    def elements(self, split_id: str | None, values: Sequence[Any], timestamps: Sequence[int] | None) -> None:
        """Elements of a split go out with timestamps, and with the watermarks that they make."""
        if timestamps is None:
            timestamps = no_timestamps(len(values))
        assigned = assign_timestamps(self._name, self._assigner, values, timestamps)
        if split_id is None and not self._main_has_elements:
            self._main_has_elements = True
            self._settle_main()
        time, output_id = self._time_of(split_id), _MAIN if split_id is None else f"/{split_id}"
        every = self._emit_every or len(values)
        start = 0
        while start < len(values):
            end = min(start + max(every - self._since_emit, 1), len(values)) if self._emit_every else len(values)
            part = values if end - start == len(values) else values[start:end]
            self._part(time, output_id, part, assigned[start:end])
            if self._emit_every:
                self._since_emit += end - start
                if self._since_emit >= every:
                    self._since_emit = 0
                    self.periodic_emit()
            start = end

    def mark(self, split_id: str | None, mark: Any) -> None:
        """A watermark of the source's own, or a change of status of a split."""
        self._time_of(split_id)
        output = self._multiplexer.get_immediate_output(_MAIN if split_id is None else f"/{split_id}")
        if isinstance(mark, int):
            if self._progressive:
                output.emit_watermark(Watermark(mark))
        elif mark == "idle":
            output.mark_idle()
        else:
            output.mark_active()
        self._flush()

    def periodic_emit(self) -> None:
        """Ask all generators, then combine."""
        for output_id, time in self._times.items():
            try:
                time.generator.on_periodic_emit(self._multiplexer.get_deferred_output(output_id))
            except Exception as error:
                raise user_function_error(self._name, NoElement("on_periodic_emit"), error) from error
        self._multiplexer.on_periodic_emit()
        self._flush()

    def snapshot(self) -> Any:
        """All of it; picklable."""
        generators = {name: time.snapshot() for name, time in self._times.items()}
        emitter = self._emitter.current_watermark, self._emitter.idle
        return generators, self._multiplexer.snapshot(), emitter, self._since_emit, self._main_has_elements

    def restore(self, snapshot: Any) -> None:
        """Take back what :meth:`snapshot` gave."""
        self.reset()
        generators, multiplexer, emitter, self._since_emit, self._main_has_elements = snapshot
        self._times = {}
        for output_id, of_split in generators.items():
            time = self._times[output_id] = self._new_time()
            time.restore(of_split)
        self._multiplexer.restore(multiplexer)
        self._emitter.current_watermark, self._emitter.idle = emitter

    def _part(self, time: _SplitTime, output_id: str, values: Sequence[Any], timestamps: Timestamps) -> None:
        if time.listener is not None:
            self._target.elements(values, timestamps)
            time.listener(int(timestamps.max()))
            return
        emitter, output = self._emitter, self._multiplexer.get_immediate_output(output_id)
        on_event = time.generator.on_event
        emitted = 0
        for position, (value, timestamp) in enumerate(zip(values, timestamps.tolist(), strict=True), 1):
            try:
                on_event(value, timestamp, output)
            except Exception as error:
                raise user_function_error(self._name, value, error) from error
            if emitter.pending:
                self._target.elements(values[emitted:position], timestamps[emitted:position])
                emitted = position
                self._flush()
        if emitted < len(values):
            self._target.elements(values[emitted:], timestamps[emitted:])

    def _time_of(self, split_id: str | None) -> _SplitTime:
        output_id = _MAIN if split_id is None else f"/{split_id}"
        time = self._times.get(output_id)
        if time is None:
            time = self._times[output_id] = self._new_time()
            self._multiplexer.register_new_output(output_id)
        return time

    def _new_time(self) -> _SplitTime:
        return _SplitTime(self._strategy, lambda: self.now, progressive=self._progressive)

    def _settle_main(self) -> None:
        """Of the reader as a whole the watermark counts where elements come from it, or nothing else is there."""
        needed = self._main_has_elements or not self._times.keys() - {_MAIN}
        if needed:
            self._time_of(None)
        elif self._times.pop(_MAIN, None) is not None:
            self._multiplexer.unregister_output(_MAIN)

    def _flush(self) -> None:
        pending = self._emitter.pending
        for item in pending:
            self._target.control(("idle" if item else "active") if isinstance(item, bool) else item)
        pending.clear()


def _split_id(output_id: str) -> str | None:
    return None if output_id == _MAIN else output_id[1:]
