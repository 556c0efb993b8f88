"""The interval join operator."""

from windrow.operators.interval_join.interval import Interval
from windrow.operators.interval_join.operator import IntervalJoinOperator

__all__ = ["Interval", "IntervalJoinOperator"]
