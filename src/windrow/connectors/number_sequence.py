"""A source of consecutive numbers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from windrow.common.limits import LONG_MAX, LONG_MIN
from windrow.common.typeinfo import Types
from windrow.connectors.iterator_source import IteratorSource, SourceBatch, SplitPart
from windrow.errors import ConfigurationError, ConfigurationTypeError

if TYPE_CHECKING:
    from windrow.elements.columns import Columns
    from windrow.elements.shape import Shape

NUMBERS_PER_BATCH = 1 << 16
NUMBERS_PER_SPLIT = 4 * NUMBERS_PER_BATCH


class NumberSequenceSplit(SplitPart):
    """The numbers from ``start`` to below ``stop``."""

    __slots__ = ("start", "stop")

    def __init__(self, start: int, stop: int) -> None:
        self.start = start
        self.stop = stop

    def read(self) -> Iterator[SourceBatch]:
        for start in range(self.start, self.stop, NUMBERS_PER_BATCH):
            yield SourceBatch(_numbers(start, min(start + NUMBERS_PER_BATCH, self.stop)))

    def cut(self, elements: int) -> list[SplitPart]:
        return [
            NumberSequenceSplit(start, min(start + elements, self.stop))
            for start in range(self.start, self.stop, elements)
        ]


def _numbers(start: int, stop: int) -> Columns:
    from windrow.elements.columns import Columns
    from windrow.elements.shape import LONG

    return Columns.of(LONG, [start + np.arange(stop - start)])


class NumberSequenceSource(IteratorSource):
    """The numbers from ``start`` to ``end``, both included (Flink's ``NumberSequenceSource``).

    Each of the source's parallel channels gives a range of consecutive numbers, in order.

    Args:
        start: The first number.
        end: The last number, not below ``start``; both fit 64 bits.

    Raises:
        ConfigurationTypeError: one is not an int.
        ConfigurationError: ``end`` is below ``start``, or one does not fit.

    Example:
        >>> splits = [split for channel in NumberSequenceSource(1, 5).plan(2) for split in channel]
        >>> [[list(batch.values) for batch in split.read()] for split in splits]
        [[[1, 2, 3]], [[4, 5]]]
    """

    produced_type = Types.LONG()

    def __init__(self, start: int, end: int) -> None:
        for parameter, value in (("start", start), ("end", end)):
            if isinstance(value, bool) or not isinstance(value, int):
                msg = f"{parameter} of a NumberSequenceSource must be an int; got {value!r} ({type(value).__name__})"
                raise ConfigurationTypeError(msg)
            if not LONG_MIN <= value <= LONG_MAX:
                msg = f"{parameter} of a NumberSequenceSource must fit 64 bits; got {value}"
                raise ConfigurationError(msg)
        if end < start:
            msg = f"a NumberSequenceSource needs start <= end; got start {start} and end {end}"
            raise ConfigurationError(msg)
        self._start = start
        self._end = end

    def produced_shape(self) -> Shape:
        from windrow.elements.shape import LONG

        return LONG

    def channels(self, parallelism: int) -> int:
        return min(parallelism, self._end - self._start + 1)

    def plan(self, parallelism: int) -> list[list[SplitPart]]:
        channels = self.channels(parallelism)
        each, extra = divmod(self._end - self._start + 1, channels)
        plan: list[list[SplitPart]] = []
        start = self._start
        for channel in range(channels):
            stop = start + each + (1 if channel < extra else 0)
            plan.append(
                [
                    NumberSequenceSplit(first, min(first + NUMBERS_PER_SPLIT, stop))
                    for first in range(start, stop, NUMBERS_PER_SPLIT)
                ]
            )
            start = stop
        return plan

    def __repr__(self) -> str:
        return f"NumberSequenceSource({self._start}, {self._end})"
