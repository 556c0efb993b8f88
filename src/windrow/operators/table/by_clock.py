"""Operators of event time whose time is the clock: all rows of a batch have its time, and none is late."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from windrow.common.limits import LONG_MAX
from windrow.datastream.functions import ProcessJoinFunction
from windrow.elements.batch import Batch
from windrow.operators.base import Operator, OperatorContext, TwoInputOperator
from windrow.operators.clock_time import ClockTime
from windrow.operators.co_process import KeyedCoProcessOperator
from windrow.operators.forecast import Forecast
from windrow.operators.interval_join import Interval, interval_join_operator
from windrow.operators.table.outer_interval import OuterIntervalJoin
from windrow.operators.table.over import OverOperator
from windrow.operators.table.row_aggregates import RowCall
from windrow.state.in_processing_time import InProcessingTime

if TYPE_CHECKING:
    from windrow.elements.shape import Shape


class _InClockTime(Operator):
    """Tells ``inner``, which works by event time, the clock in place of the watermark.

    A row that comes now may have others of its time behind it, so the watermark is just below the clock.
    """

    def __init__(self, inner: Operator) -> None:
        self._inner = inner

    def open(self, context: OperatorContext) -> None:
        super().open(context)
        self._time = ClockTime(context.time)
        state = InProcessingTime(context.state)
        self._inner.open(dataclasses.replace(context, time=self._time, state=state))

    def close(self) -> None:
        self._inner.close()

    def advance_processing_time(self, now: int) -> None:
        self._time.watermark = now if now == LONG_MAX else now - 1
        self._inner.process_watermark(self._time.watermark)

    def store_state(self) -> None:
        self._inner.store_state()

    def _now(self, batch: Batch) -> Batch:
        now = self.context.time.processing_time
        self._time.watermark = now - 1
        return Batch(batch.elements, np.full(len(batch), now, np.int64), batch.keys)


class OverByClockOperator(_InClockTime):
    """Aggregates over the tuples of the last milliseconds (Flink's ``ProcTimeRangeBoundedPrecedingFunction``).

    Tuples of one time have one result, so they go out when the clock has moved on.

    Args:
        calls: The aggregates.
        preceding: For how many milliseconds tuples are in the frame.
    """

    def __init__(self, calls: Sequence[RowCall], preceding: int) -> None:
        super().__init__(OverOperator(calls, by_rows=False, preceding=preceding))

    def process_batch(self, batch: Batch) -> None:
        self._inner.process_batch(self._now(batch))


class _JoinByClockOperator(_InClockTime, TwoInputOperator):
    """A join within an interval of processing time (Flink's ``ProcTimeIntervalJoin``)."""

    _inner: TwoInputOperator

    def takes_columns(self, shape: Shape) -> bool:
        return self._inner.takes_columns(shape)

    def forecast_of(self, first: Shape | None, second: Shape | None) -> Forecast:
        return self._inner.forecast_of(first, second)

    def process_batch1(self, batch: Batch) -> None:
        self._inner.process_batch1(self._now(batch))

    def process_batch2(self, batch: Batch) -> None:
        self._inner.process_batch2(self._now(batch))


def join_by_clock(function: ProcessJoinFunction, interval: Interval) -> Operator:
    """An operator that finds the pairs of elements that came within an interval of each other.

    Args:
        function: Called with each pair.
        interval: Which elements join.
    """
    return _JoinByClockOperator(interval_join_operator(function, interval))


def outer_join_by_clock(function: OuterIntervalJoin) -> Operator:
    """The same, which also gives the elements that came without a partner once none can come any more."""
    return _JoinByClockOperator(KeyedCoProcessOperator(function))
