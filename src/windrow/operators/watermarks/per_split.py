"""Watermarks by split, where the splits of a source come mixed in one stream."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from windrow.common.watermark import Watermark, WatermarkOutput
from windrow.common.watermark_generators import WatermarkGenerator
from windrow.common.watermark_strategy import WatermarkStrategy
from windrow.elements.batch import Batch
from windrow.operators.watermarks.split_generators import SplitGenerators
from windrow.operators.watermarks.timestamps_and_watermarks import TimestampsAndWatermarksOperator

#: Says which split an element is of.
SplitOf = Callable[[Any], Hashable]


def per_split(strategy: WatermarkStrategy, split_of: SplitOf) -> WatermarkStrategy:
    """The same strategy, with a generator, and idleness, for each split.

    Args:
        strategy: What is run for each split.
        split_of: Gives an element's split; any value that can be a key of a dictionary and pickles.
    """
    return PerSplitStrategy(
        strategy.generator, strategy.timestamp_assigner, strategy.idle_timeout, strategy.alignment, split_of=split_of
    )


@dataclass(frozen=True)
class PerSplitStrategy(WatermarkStrategy):
    """The strategy that :func:`per_split` makes; run by a :class:`PerSplitTimestampsAndWatermarksOperator`."""

    split_of: SplitOf = field(kw_only=True)

    def create_watermark_generator(self, clock: Callable[[], int]) -> WatermarkGenerator:
        make_one = super().create_watermark_generator
        return PerSplitWatermarks(lambda: make_one(clock), self.split_of)


@dataclass(frozen=True)
class SplitsAppear:
    """Comes alone in a batch, in front of the elements of these splits, which may be known already."""

    splits: Sequence[Hashable]


class PerSplitTimestampsAndWatermarksOperator(TimestampsAndWatermarksOperator):
    """The same operator for a stream in which splits announce themselves."""

    def process_batch(self, batch: Batch) -> None:
        first = batch.elements[0] if len(batch) == 1 else None
        if not isinstance(first, SplitsAppear):
            super().process_batch(batch)
        elif isinstance(self._generator, PerSplitWatermarks):
            self._generator.add_splits(first.splits)


class PerSplitWatermarks(WatermarkGenerator):
    """A generator for each split; the watermark is the least of the splits that are not idle.

    A split is known when it is added, or from its first element on. The watermark never falls: a split that comes
    later, with elements from further back, holds it where it is until it has caught up, and its elements may be late
    until then.

    Args:
        make_generator: Makes the generator of a split.
        split_of: Gives an element's split.

    Example:
        >>> from windrow.common.watermark_generators import AscendingTimestampsWatermarks
        >>> class Printing(WatermarkOutput):
        ...     def emit_watermark(self, watermark):
        ...         print(watermark.timestamp)
        ...
        ...     def mark_idle(self): ...
        ...     def mark_active(self): ...
        >>> generator = PerSplitWatermarks(AscendingTimestampsWatermarks, lambda event: event)
        >>> generator.on_event("a", 1000, Printing())
        >>> generator.on_event("b", 20, Printing())
        >>> generator.on_periodic_emit(Printing())
        19
    """

    def __init__(self, make_generator: Callable[[], WatermarkGenerator], split_of: SplitOf) -> None:
        self._split_of = split_of
        self._output = _CurrentOutput()
        self._splits: SplitGenerators[Hashable, WatermarkGenerator] = SplitGenerators(make_generator, self._output)

    def add_splits(self, names: Iterable[Hashable]) -> None:
        """Splits hold the watermark where it is from now on, until they have elements."""
        for name in names:
            if name not in self._splits:
                self._splits.add(name)

    def on_event(self, event: Any, event_timestamp: int, output: WatermarkOutput) -> None:
        self._output.target = output
        name = self._split_of(event)
        split = self._splits.get(name) or self._splits.add(name)
        split.generator.on_event(event, event_timestamp, split.immediate)

    def on_periodic_emit(self, output: WatermarkOutput) -> None:
        self._output.target = output
        self._splits.ask(lambda generator, of_split: generator.on_periodic_emit(of_split))

    def snapshot_state(self) -> Any:
        return self._splits.snapshot(lambda generator: generator.snapshot_state())

    def restore_state(self, state: Any) -> None:
        states, combined = state
        self._splits.restore(states, combined, lambda generator, of_split: generator.restore_state(of_split))


class _CurrentOutput(WatermarkOutput):
    """The output that the generator was called with."""

    target: WatermarkOutput

    def emit_watermark(self, watermark: Watermark) -> None:
        self.target.emit_watermark(watermark)

    def mark_idle(self) -> None:
        self.target.mark_idle()

    def mark_active(self) -> None:
        self.target.mark_active()
