"""The watermarks of a reader: a generator for each of its splits, and one for what comes from none."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any, Protocol

from windrow.common.watermark import Watermark, WatermarkOutput
from windrow.common.watermark_strategy import WatermarkStrategy
from windrow.elements.batch import Batch
from windrow.errors import user_function_error
from windrow.operators.watermarks.emitter import EMIT_EVERY, WatermarkEmitter
from windrow.operators.watermarks.idleness_manager import IdlenessManager
from windrow.operators.watermarks.split_generators import SplitGenerator, SplitGenerators
from windrow.operators.watermarks.timestamp_assignment import TimestampAssignment, Timestamps
from windrow.runtime.sources.output_time import OutputTime
from windrow.runtime.stage.chunk import Control, no_timestamps


class ElementsAndTime(Protocol):
    """The target of elements and of the watermarks between them."""

    def elements(self, values: Sequence[Any], timestamps: Timestamps) -> None: ...

    def control(self, control: Control) -> None: ...


class SplitWatermarks:
    """Gives elements their timestamps and makes watermarks (Flink's ``ProgressiveTimestampsAndWatermarks``).

    A split holds back what the splits combine to from the moment it is registered. The reader's main output, for what
    comes from no split, has a generator of its own, and its watermark does not wait for those of the splits: the
    greater of both counts. It has one as long as there are no splits, too, and speaks for the reader then; but one that
    nothing comes from does not keep a reader with splits from being idle.

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
        self._assignment = TimestampAssignment(name, strategy.create_timestamp_assigner())
        self._target = target
        self._progressive = progressive
        self._emit_every = EMIT_EVERY if auto_interval > 0 and progressive else None
        #: Processing time, set by the reader's task.
        self.now = 0
        self.reset()

    def reset(self) -> None:
        """Have no past."""
        self._emitter = WatermarkEmitter()
        self._idleness = IdlenessManager(self._emitter)
        self._splits: SplitGenerators[str, OutputTime] = SplitGenerators(
            self._new_time, self._idleness.split_local_output
        )
        self._main: OutputTime | None = None
        self._main_is_used = False
        self._since_emit = 0
        self._settle_main()

    @property
    def current_watermark(self) -> int:
        """The watermark that was emitted last."""
        return self._emitter.current_watermark

    @property
    def is_idle(self) -> bool:
        """True if the reader was said to be idle."""
        return self._emitter.idle

    def active_watermarks(self) -> dict[str | None, int]:
        """The watermark of each split (None: of the main output) that is not idle; -2^63: it has none yet."""
        active: dict[str | None, int] = dict(self._splits.active_watermarks().items())
        main = self._idleness.main_output
        if main.idle is False:
            active[None] = main.watermark
        return active

    def split_statuses(self) -> dict[str, tuple[int, bool]]:
        """The watermark of each split, -2^63 if it has none yet, and whether it is idle."""
        return self._splits.statuses()

    def split_ids(self) -> set[str]:
        """The splits that are registered."""
        return set(self._splits)

    def output_ids(self) -> set[str | None]:
        """The splits, and None if the main output has a generator."""
        return {*self._splits, *([] if self._main is None else [None])}

    def register(self, split_ids: Iterable[str]) -> None:
        """Splits that were assigned to the reader."""
        for split_id in split_ids:
            self._split(split_id)

    def release(self, split_id: str) -> None:
        """A split was read to its end: from now on it holds nothing back.

        Flink notices that when generators are asked the next time. Here that may be the end of a batch, and where a
        bounded input's batches end is not to be seen.
        """
        if not self._splits.remove(split_id):
            return
        if not self._splits:
            self._idleness.no_splits()
            self._settle_main()
        self._flush()

    def pause(self, split_ids: Collection[str | None]) -> None:
        """Let the clocks of these splits' idleness stand still, because they are held back; all others go on."""
        for split_id, time in self._splits.generators():
            time.pause(paused=split_id in split_ids)
        if self._main is not None:
            self._main.pause(paused=None in split_ids)

    def elements(self, split_id: str | None, values: Sequence[Any], timestamps: Sequence[int] | None) -> None:
        """Elements of a split (None: of the main output) go out with timestamps, and the watermarks that they make."""
        if timestamps is None:
            timestamps = no_timestamps(len(values))
        assigned = self._assignment.of(Batch(values, timestamps))
        time, output = self._output(split_id)
        every = self._emit_every or len(values)
        start = 0
        while start < len(values):
            end = min(start + max(every - self._since_emit, 1), len(values)) if self._emit_every else len(values)
            part = values if end - start == len(values) else values[start:end]
            self._part(time, output, part, assigned[start:end])
            if self._emit_every:
                self._since_emit += end - start
                if self._since_emit >= every:
                    self._since_emit = 0
                    self.periodic_emit()
            start = end

    def mark(self, split_id: str | None, mark: Any) -> None:
        """A watermark of the source's own, or a change of status, of a split (None: of the main output)."""
        _, output = self._output(split_id)
        if not self._progressive:
            return
        if isinstance(mark, int):
            output.emit_watermark(Watermark(mark))
        elif mark == "idle":
            output.mark_idle()
        else:
            output.mark_active()
        self._flush()

    def periodic_emit(self) -> None:
        """Ask all generators, then combine."""
        self._ask(OutputTime.ask)

    def periodic_idleness(self) -> None:
        """Find out what is idle by now; what is not is asked for no watermark."""
        self._ask(OutputTime.ask_idleness)

    def snapshot(self) -> Any:
        """All of it; picklable."""
        splits, combined_splits = self._splits.snapshot(OutputTime.snapshot)
        main = None if self._main is None else self._main.snapshot()
        emitter = self._emitter.current_watermark, self._emitter.idle
        combined = combined_splits, self._idleness.snapshot(), emitter
        return splits, main, self._main_is_used, combined, self._since_emit

    def restore(self, snapshot: Any) -> None:
        """Take back what :meth:`snapshot` gave."""
        self.reset()
        splits, main, self._main_is_used, combined, self._since_emit = snapshot
        combined_splits, idleness, emitter = combined
        self._splits.restore(splits, combined_splits, OutputTime.restore)
        self._settle_main()
        if self._main is not None and main is not None:
            self._main.restore(main)
        self._idleness.restore(idleness)
        self._emitter.current_watermark, self._emitter.idle = emitter

    def _ask(self, ask: Callable[[OutputTime, WatermarkOutput], None]) -> None:
        if self._emit_every is None:
            return
        self._splits.ask(ask)
        if self._main is not None:
            ask(self._main, self._idleness.main_output)
        self._flush()

    def _part(self, time: OutputTime, output: WatermarkOutput, values: Sequence[Any], timestamps: Timestamps) -> None:
        if time.listener is not None:
            self._target.elements(values, timestamps)
            time.listener(int(timestamps.max()))
            return
        emitter = self._emitter
        on_event = time.generator.on_event
        emitted = 0
        for position, (value, timestamp) in enumerate(zip(values, timestamps.tolist(), strict=True), 1):
            try:
                on_event(value, timestamp, output)
            except BaseException as error:
                raise user_function_error(self._name, value, error) from error
            if emitter.pending:
                self._target.elements(values[emitted:position], timestamps[emitted:position])
                emitted = position
                self._flush()
        if emitted < len(values):
            self._target.elements(values[emitted:], timestamps[emitted:])

    def _output(self, split_id: str | None) -> tuple[OutputTime, WatermarkOutput]:
        """The generator of a split or of the main output, and where it emits with an element."""
        if split_id is not None:
            split = self._split(split_id)
            return split.generator, split.immediate
        self._main_is_used = True
        self._settle_main()
        assert self._main is not None
        return self._main, self._idleness.main_output

    def _split(self, split_id: str) -> SplitGenerator[OutputTime]:
        split = self._splits.get(split_id)
        if split is None:
            split = self._splits.add(split_id)
            self._settle_main()
        return split

    def _new_time(self) -> OutputTime:
        return OutputTime(self._name, self._strategy, lambda: self.now, progressive=self._progressive)

    def _settle_main(self) -> None:
        """The main output has a generator where something comes from it, or nothing else is there."""
        needed = self._main_is_used or not self._splits
        if needed and self._main is None:
            self._main = self._new_time()
        elif not needed and self._main is not None:
            self._main = None
            self._idleness.main_output.idle = None

    def _flush(self) -> None:
        pending = self._emitter.pending
        for item in pending:
            self._target.control(("idle" if item else "active") if isinstance(item, bool) else item)
        pending.clear()
