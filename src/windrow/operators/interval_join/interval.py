"""Decides which elements an interval join joins, and how long it has to keep them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Interval:
    """A left and a right element join if left + ``lower`` <= right <= left + ``upper``: milliseconds, both inclusive.

    Python's integers do not overflow, so bounds near 2^63 mean what they say.
    """

    lower: int
    upper: int

    @staticmethod
    def of(lower: int, upper: int, *, lower_inclusive: bool = True, upper_inclusive: bool = True) -> Interval:
        """The interval with its exclusive bounds moved inward by 1, as in Flink; it may be empty after that.

        Example:
            >>> Interval.of(-2, 1, lower_inclusive=False)
            Interval(lower=-1, upper=1)
        """
        return Interval(lower if lower_inclusive else lower + 1, upper if upper_inclusive else upper - 1)

    @property
    def mirrored(self) -> Interval:
        """The same interval seen from the right element.

        Example:
            >>> Interval(1, 3).mirrored
            Interval(lower=-3, upper=-1)
        """
        return Interval(-self.upper, -self.lower)

    @property
    def retention(self) -> int:
        """The time that a left element is kept after its timestamp: right ones that join it may come until then.

        Example:
            >>> Interval(-5, 2).retention, Interval(-5, 2).mirrored.retention, Interval(-5, -3).retention
            (2, 5, 0)
        """
        return max(0, self.upper)
