"""Values that a job's functions add up across all subtasks, returned when the job is over and readable before."""

from windrow.common.accumulators.accumulator import Accumulator, SimpleAccumulator
from windrow.common.accumulators.average import AverageAccumulator
from windrow.common.accumulators.counters import DoubleCounter, IntCounter, LongCounter
from windrow.common.accumulators.extremes import (
    DoubleMaximum,
    DoubleMinimum,
    IntMaximum,
    IntMinimum,
    LongMaximum,
    LongMinimum,
)
from windrow.common.accumulators.histogram import Histogram
from windrow.common.accumulators.list_accumulator import ListAccumulator

__all__ = [
    "Accumulator",
    "AverageAccumulator",
    "DoubleCounter",
    "DoubleMaximum",
    "DoubleMinimum",
    "Histogram",
    "IntCounter",
    "IntMaximum",
    "IntMinimum",
    "ListAccumulator",
    "LongCounter",
    "LongMaximum",
    "LongMinimum",
    "SimpleAccumulator",
]
