"""A key's slot and a time as one number, so that one binary search finds both."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from windrow.operators.interval_join.growing import Longs

#: Bits for the time: some eight years of milliseconds. The slot has the rest.
TIME_BITS = 38
TIME_SPAN = 1 << TIME_BITS
MOST_SLOTS = 1 << (62 - TIME_BITS)
_TIME_MASK = TIME_SPAN - 1


@dataclass(frozen=True)
class Moments:
    """Numbers that are in the order of slots, and of times for one slot.

    Args:
        base: The earliest time that there is a number for.

    Example:
        >>> moments = Moments(100)
        >>> numbers = moments.of(np.array([1, 0]), np.array([100, 107]))
        >>> moments.slots(numbers).tolist(), moments.times(numbers).tolist(), bool(numbers[0] > numbers[1])
        ([1, 0], [100, 107], True)
    """

    base: int

    @staticmethod
    def around(earliest: int, latest: int) -> Moments | None:
        """Numbers for these times, and for some before and behind them; None if they are too far apart."""
        base = max(earliest - TIME_SPAN // 4, -(2**63))
        return Moments(base) if latest - base < TIME_SPAN else None

    def cover(self, earliest: int, latest: int) -> bool:
        """Tell whether there are numbers for all times between these two, in milliseconds."""
        return self.base <= earliest and latest - self.base < TIME_SPAN

    def of(self, slots: Longs, times: Longs) -> Longs:
        """The numbers of slots and times."""
        return (slots << TIME_BITS) | (times - self.base)

    def slots(self, numbers: Longs) -> Longs:
        return numbers >> TIME_BITS

    def times(self, numbers: Longs) -> Longs:
        return (numbers & _TIME_MASK) + self.base

    def later(self, numbers: Longs, limit: int) -> Longs:
        """The indexes of the numbers whose time is later than the limit."""
        return np.flatnonzero((numbers & _TIME_MASK) > min(max(limit - self.base, -1), TIME_SPAN))

    def bounds(self, numbers: Longs, lower: int, upper: int, above: int | None) -> tuple[Longs, Longs]:
        """The least and the greatest number of the same slot from ``lower`` to ``upper``, relative to the time.

        Args:
            numbers: Slots and times.
            lower: In milliseconds.
            upper: In milliseconds.
            above: Only later times than this; None: all.
        """
        slots, times = numbers & ~_TIME_MASK, numbers & _TIME_MASK
        least = 0 if above is None else min(max(above - self.base + 1, 0), TIME_SPAN)
        first = np.clip(times + _limited(lower), least, TIME_SPAN)
        last = np.clip(times + _limited(upper), -1, TIME_SPAN - 1)
        first += slots
        last += slots
        return first, last


def _limited(bound: int) -> int:
    return min(max(bound, -2 * TIME_SPAN), 2 * TIME_SPAN)


def order_of(numbers: Longs) -> Longs:
    """The order in which numbers are sorted; equal ones stay in the order in which they are.

    Example:
        >>> order_of(np.array([5, 3, 5, 3])).tolist()
        [1, 3, 0, 2]
    """
    bits = numbers.size.bit_length()
    times = numbers & _TIME_MASK
    earliest = int(times.min())
    time_bits = (int(times.max()) - earliest).bit_length()
    if int(numbers.max() >> TIME_BITS).bit_length() + time_bits + bits > 63:
        return np.argsort(numbers, kind="stable")
    # Slot, time and place in one number: sorting numbers is some eight times as fast as a stable order of them.
    packed = (((numbers >> TIME_BITS) << time_bits) | (times - earliest)) << bits
    packed |= np.arange(numbers.size)
    packed.sort()
    order: Longs = packed & ((1 << bits) - 1)
    return order
