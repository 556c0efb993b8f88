"""The operator that joins elements of two streams whose timestamps lie within an interval of each other."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any

from windrow.common.copies import copied
from windrow.common.limits import NO_TIMESTAMP
from windrow.common.unchangeable import all_never_change, never_changes
from windrow.datastream.functions import ProcessJoinFunction
from windrow.elements.batch import Batch
from windrow.errors import MissingTimestampError, UsageError, user_function_error
from windrow.operators.base import OperatorContext, TwoInputOperator
from windrow.operators.interval_join.buffer import ElementBuffer
from windrow.operators.interval_join.context import JoinContext
from windrow.operators.interval_join.interval import Interval
from windrow.operators.results import emit_results
from windrow.operators.user_function import open_function
from windrow.operators.window.skipped import LATE_RECORDS

LEFT = "left"
RIGHT = "right"


@dataclass(frozen=True)
class _Side:
    """Holds what differs between the two sides."""

    buffer: ElementBuffer
    other: ElementBuffer
    #: From here on, relative to an element's timestamp, ...
    lower: int
    #: ... up to here lie those of the other side that it joins.
    upper: int
    #: Called with an element and its timestamp, and one of the other side and its timestamp.
    join: Callable[[Any, int, Any, int], None]
    late_tag_id: str | None


class IntervalJoinOperator(TwoInputOperator):
    """Joins each element with those of the other side that came before it (Flink's ``IntervalJoinOperator``).

    An element is joined in the order of the others' timestamps, then of their arrival. It is late if its timestamp is
    below the watermark. It is kept until the watermark says that all further elements that join it would be late.

    Args:
        function: Called with each pair.
        interval: Which elements join.
        late_left_tag_id: The side output of left elements that are late; None counts them instead.
        late_right_tag_id: The same for right ones.
    """

    def __init__(
        self,
        function: ProcessJoinFunction,
        interval: Interval,
        late_left_tag_id: str | None = None,
        late_right_tag_id: str | None = None,
    ) -> None:
        self._function = function
        self._call = function.process_element
        self._interval = interval
        self._late_tag_ids = late_left_tag_id, late_right_tag_id

    def open(self, context: OperatorContext) -> None:
        super().open(context)
        self._pair = JoinContext()
        interval, mirrored = self._interval, self._interval.mirrored
        left = ElementBuffer(context.state, LEFT, interval.retention)
        right = ElementBuffer(context.state, RIGHT, mirrored.retention)
        late_left, late_right = self._late_tag_ids
        self._left = _Side(left, right, interval.lower, interval.upper, self._join, late_left)
        self._right = _Side(right, left, mirrored.lower, mirrored.upper, self._join_mirrored, late_right)
        open_function(self._function, context)

    def close(self) -> None:
        self._function.close()

    def buffered(self, key: Any) -> tuple[list[int], list[int]]:
        """The timestamps of the left and of the right elements that are kept for a key."""
        self.context.state.set_current_key(key)
        return self._left.buffer.timestamps(), self._right.buffer.timestamps()

    def process_element1(self, value: Any, timestamp: int) -> None:
        self.process_batch1(Batch([value], [timestamp], [self.context.state.current_key]))

    def process_element2(self, value: Any, timestamp: int) -> None:
        self.process_batch2(Batch([value], [timestamp], [self.context.state.current_key]))

    def process_batch1(self, batch: Batch) -> None:
        self._process(self._left, batch)

    def process_batch2(self, batch: Batch) -> None:
        self._process(self._right, batch)

    def _process(self, side: _Side, batch: Batch) -> None:
        if batch.keys is None:
            name = self.context.name
            msg = f"operator {name!r} got elements without keys; an interval join needs two keyed streams"
            raise UsageError(msg)
        set_current_key = self.context.state.set_current_key
        add, between, join = side.buffer.add, side.other.between, side.join
        lower, upper = side.lower, side.upper
        reuse = self.context.object_reuse
        # Elements without a timestamp are below every watermark.
        not_late = max(self.context.time.watermark, NO_TIMESTAMP + 1)
        for key, value, timestamp in zip(batch.keys, batch.elements, batch.timestamp_list(), strict=True):
            if timestamp < not_late:
                self._skip(side, value, timestamp)
                continue
            set_current_key(key)
            add(timestamp, value)
            other_timestamps, others = between(timestamp + lower, timestamp + upper)
            if reuse or not others or (never_changes(value) and all_never_change(others)):
                for other_timestamp, other in zip(other_timestamps, others, strict=True):
                    join(value, timestamp, other, other_timestamp)
            else:  # all are kept for other pairs
                for other_timestamp, other in zip(other_timestamps, others, strict=True):
                    join(copied(value), timestamp, copied(other), other_timestamp)

    def process_watermark(self, timestamp: int) -> None:
        self.context.state.fire_event_timers(timestamp, self._expire)

    def _expire(self, _time: int, side: Hashable) -> None:
        buffer = self._left.buffer if side == LEFT else self._right.buffer
        buffer.expire(self.context.time.watermark)

    def _join(self, left: Any, left_timestamp: int, right: Any, right_timestamp: int) -> None:
        timestamp = left_timestamp if left_timestamp > right_timestamp else right_timestamp
        pair = self._pair
        pair.left_timestamp, pair.right_timestamp, pair.timestamp = left_timestamp, right_timestamp, timestamp
        try:
            emit_results(self.context, self._call(left, right, pair), timestamp)
        except BaseException as error:
            raise user_function_error(self.context.name, (left, right), error) from error

    def _join_mirrored(self, right: Any, right_timestamp: int, left: Any, left_timestamp: int) -> None:
        self._join(left, left_timestamp, right, right_timestamp)

    def _skip(self, side: _Side, value: Any, timestamp: int) -> None:
        """An element that has no timestamp, or is late.

        Raises:
            MissingTimestampError: it has none.
        """
        context = self.context
        if timestamp == NO_TIMESTAMP:
            raise MissingTimestampError(context.name, value)
        if side.late_tag_id is None:
            context.counters[LATE_RECORDS] += 1
        else:
            context.output.emit_side(side.late_tag_id, value, timestamp)
