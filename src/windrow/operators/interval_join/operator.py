"""The operator that joins elements of two streams whose timestamps lie within an interval of each other."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from windrow.common.copies import copied
from windrow.common.limits import NO_TIMESTAMP
from windrow.common.unchangeable import all_never_change, never_changes
from windrow.datastream.functions import Function, ProcessJoinFunction
from windrow.elements.batch import Batch
from windrow.errors import MissingTimestampError, UsageError, user_function_error
from windrow.operators.base import LATE_RECORDS, OperatorContext, TwoInputOperator
from windrow.operators.interval_join import buffer
from windrow.operators.interval_join.buffer import ElementBuffer, Elements, LeafIndex
from windrow.operators.interval_join.column_pairs import ColumnPairs
from windrow.operators.interval_join.context import JoinContext
from windrow.operators.interval_join.interval import Interval
from windrow.operators.results import emit_results
from windrow.operators.user_function import open_function

LEFT = "left"
RIGHT = "right"

#: Timestamps and elements of the left side, then those of the right one.
Buffers: TypeAlias = tuple[list[int], list[Any], list[int], list[Any]]
#: Stands for the buffers of a key one of which is long.
_LONG: Buffers = ([], [], [], [])


@dataclass(frozen=True)
class _Side:
    """Holds what differs between the two sides."""

    buffer: ElementBuffer
    other: ElementBuffer
    #: From here on, relative to an element's timestamp, ...
    lower: int
    #: ... up to here lie those of the other side that it joins.
    upper: int
    is_left: bool
    late_tag_id: str | None


class IntervalJoinOperator(TwoInputOperator):
    """Joins each element with those of the other side that came before it (Flink's ``IntervalJoinOperator``).

    An element is joined in the order of the others' timestamps, then of their arrival. It is late if its timestamp is
    below the watermark. It is kept until the watermark says that all further elements that join it would be late.

    Short buffers of keys that are worked on are at hand until :meth:`store_state`: both of a key are found at once.
    The key's state entry has what was there before, mostly the very same lists.

    Args:
        function: Called with each pair.
        interval: Which elements join.
        late_left_tag_id: The side output of left elements that are late; None counts them instead.
        late_right_tag_id: The same for right ones.
        of_windows: Whether a timestamp is that of a window: an element is late if the watermark has reached it.
    """

    def __init__(
        self,
        function: ProcessJoinFunction,
        interval: Interval,
        late_left_tag_id: str | None = None,
        late_right_tag_id: str | None = None,
        *,
        of_windows: bool = False,
    ) -> None:
        self._function = function
        self._of_windows = of_windows
        #: The function's method.
        self.call = self._call = function.process_element
        #: The function if it takes columns by itself.
        self.of_columns = function if isinstance(function, ColumnPairs) else None
        #: Which elements join.
        self.interval = interval
        self._late_tag_ids = late_left_tag_id, late_right_tag_id
        #: Whether the function sees the runtime context, so that it needs the key set for each element.
        self.may_use_state = type(function).open is not Function.open
        self._at_hand: dict[Any, Buffers] = {}
        #: Whether there may be elements that a function can change: each pair gets copies of its own then.
        self._may_change = False

    def open(self, context: OperatorContext) -> None:
        super().open(context)
        self._pair = JoinContext()
        interval, mirrored = self.interval, self.interval.mirrored
        left = ElementBuffer(context.state, LEFT, interval.retention)
        right = ElementBuffer(context.state, RIGHT, mirrored.retention)
        late_left, late_right = self._late_tag_ids
        self._left = _Side(left, right, interval.lower, interval.upper, True, late_left)
        self._right = _Side(right, left, mirrored.lower, mirrored.upper, False, late_right)
        open_function(self._function, context)

    def close(self) -> None:
        self._function.close()

    def buffered(self, key: Any) -> tuple[list[int], list[int]]:
        """The timestamps of the left and of the right elements that are kept for a key."""
        self.store_state()
        self.context.state.set_current_key(key)
        return self._left.buffer.timestamps(), self._right.buffer.timestamps()

    def reach(self, is_left: bool) -> tuple[int, int]:
        """From where to where the others lie that an element of a side joins, relative to its timestamp."""
        side = self._left if is_left else self._right
        return side.lower, side.upper

    def not_late(self) -> int:
        """The least timestamp that is not late. Elements without one are below every watermark."""
        return max(self.context.time.watermark + self._of_windows, NO_TIMESTAMP + 1)

    def limits(self, watermark: int) -> tuple[int, int]:
        """The largest timestamps of left and right elements that need not be kept at this watermark."""
        return self._left.buffer.limit(watermark), self._right.buffer.limit(watermark)

    def holds_nothing(self) -> bool:
        """Tell whether no key has anything here: then none needs to be asked for, however many keys come."""
        return not self._at_hand and self.context.state.is_empty()

    def taken(self, key: Any) -> Buffers | None:
        """Hand over what a key has buffered, with its timers; None, and nothing is, if one of its buffers is long."""
        buffers = self._at_hand.get(key) or self._fetch(key)
        if buffers is _LONG:
            return None
        del self._at_hand[key]
        state = self.context.state
        state.set_current_key(key)
        for of_side, times in ((self._left.buffer, buffers[0]), (self._right.buffer, buffers[2])):
            of_side.clear(times)
        return buffers

    def put(self, key: Any, buffers: Buffers) -> None:
        """Take what a key has buffered that has nothing here."""
        self.context.state.set_current_key(key)
        left_times, lefts, right_times, rights = buffers
        if not self._may_change and not self.context.object_reuse:
            self._may_change = not (all_never_change(lefts) and all_never_change(rights))
        is_long = max(len(left_times), len(right_times)) > buffer.LEAF_ELEMENTS
        self._at_hand[key] = _LONG if is_long else buffers
        for of_side, times, values in (
            (self._left.buffer, left_times, lefts),
            (self._right.buffer, right_times, rights),
        ):
            if is_long:
                for timestamp, value in zip(times, values, strict=True):
                    of_side.add(timestamp, value)
            elif times:
                of_side.set_timer(times[0])

    def results_of(
        self, lefts: Sequence[Any], rights: Sequence[Any], left_times: Sequence[int], right_times: Sequence[int]
    ) -> list[Any]:
        """Call the function for each pair, and give all results; nothing is emitted."""
        pair = self._pair
        results: list[Any] = []
        for left, right, left_time, right_time in zip(lefts, rights, left_times, right_times, strict=True):
            pair.left_timestamp, pair.right_timestamp = left_time, right_time
            pair.timestamp = max(left_time, right_time)
            results.extend(self._call(left, right, pair) or ())
        return results

    def skip(self, is_left: bool, value: Any, timestamp: int) -> None:
        """Count an element that is late, or emit it to its side output."""
        self._skip(self._left if is_left else self._right, value, timestamp)

    def process_element1(self, value: Any, timestamp: int) -> None:
        self.process_batch1(Batch([value], [timestamp], [self.context.state.current_key]))

    def process_element2(self, value: Any, timestamp: int) -> None:
        self.process_batch2(Batch([value], [timestamp], [self.context.state.current_key]))

    def process_batch1(self, batch: Batch) -> None:
        self._take_up_columns()
        self._process(self._left, batch)

    def process_batch2(self, batch: Batch) -> None:
        self._take_up_columns()
        self._process(self._right, batch)

    def _process(self, side: _Side, batch: Batch) -> None:
        if batch.keys is None:
            name = self.context.name
            msg = f"operator {name!r} got elements without keys; an interval join needs two keyed streams"
            raise UsageError(msg)
        not_late = self.not_late()
        lower, upper, is_left = side.lower, side.upper, side.is_left
        set_current_key = self.context.state.set_current_key if self.may_use_state else None
        at_hand, fetch, short = self._at_hand.get, self._fetch, buffer.LEAF_ELEMENTS
        if not self._may_change and not self.context.object_reuse:
            self._may_change = not all_never_change(batch.elements)
        for key, value, timestamp in zip(batch.keys, batch.elements, batch.timestamp_list(), strict=True):
            if timestamp < not_late:
                self._skip(side, value, timestamp)
                continue
            if set_current_key is not None:
                set_current_key(key)
            buffers = at_hand(key)
            if buffers is None:
                buffers = fetch(key)
            if is_left:
                times, values, other_times, others = buffers
            else:
                other_times, others, times, values = buffers
            if times and times[-1] <= timestamp and len(times) < short:
                times.append(timestamp)
                values.append(value)
            elif not self._add(side, key, value, timestamp, (times, values)):
                met_times, met = side.other.between(timestamp + lower, timestamp + upper)
                if met_times:  # a long buffer's elements have not been looked at yet
                    self.join_each(is_left, value, timestamp, met, met_times, may_change=True)
                continue
            if other_times:
                start = bisect_left(other_times, timestamp + lower)
                end = bisect_right(other_times, timestamp + upper)
                if start < end:
                    met, met_times = others[start:end], other_times[start:end]
                    self.join_each(is_left, value, timestamp, met, met_times, may_change=self._may_change)

    def process_watermark(self, timestamp: int) -> None:
        self._take_up_columns()
        state = self.context.state
        left, right = self._left.buffer, self._right.buffer
        limits: dict[Hashable, int] = {LEFT: left.limit(timestamp), RIGHT: right.limit(timestamp)}
        for _, key, side in state.take_due_event_timers(timestamp):
            state.set_current_key(key)
            of_side = left if side == LEFT else right
            buffers = self._at_hand.get(key)
            if buffers is None or buffers is _LONG:
                of_side.expire(timestamp)
                continue
            elements = buffers[:2] if side == LEFT else buffers[2:]
            buffer.drop(elements, limits[side])
            if elements[0]:
                of_side.set_timer(elements[0][0])

    def _take_up_columns(self) -> None:
        """Go on with buffers that were stored as columns."""
        columns = self.context.state.columns
        if columns is None or columns.is_taken_up:
            return
        columns.take_up()
        if columns.are_stored():
            # Here, because it imports Arrow.
            from windrow.operators.interval_join.kept_buffers import buffers_by_key, read_buffers

            for key, buffers in buffers_by_key(*read_buffers(columns)):
                self.put(key, buffers)
            columns.clear()

    def store_state(self) -> None:
        for key in self._at_hand:
            self._put_away(key)
        self._at_hand.clear()

    def _fetch(self, key: Any) -> Buffers:
        """Bring both buffers of a key to hand; empty lists if one of them is long."""
        state = self.context.state
        state.set_current_key(key)
        left, right = self._left.buffer.held(), self._right.buffer.held()
        if isinstance(left, LeafIndex) or isinstance(right, LeafIndex):
            buffers = _LONG
        else:
            buffers = (*(left or ([], [])), *(right or ([], [])))
            if not self._may_change and not self.context.object_reuse:
                self._may_change = not (all_never_change(buffers[1]) and all_never_change(buffers[3]))
        self._at_hand[key] = buffers
        return buffers

    def _put_away(self, key: Any) -> None:
        """Let a key's entry have what is at hand."""
        state, buffers = self.context.state, self._at_hand[key]
        if buffers is _LONG:
            return
        state.set_current_key(key)
        for name, elements in ((LEFT, buffers[:2]), (RIGHT, buffers[2:])):
            if elements[0]:
                state.put(name, None, elements)
            else:
                state.remove(name)

    def _add(self, side: _Side, key: Any, value: Any, timestamp: int, elements: Elements) -> bool:
        """Add an element that is not simply the last one; whether the key's buffers are short and at hand."""
        self.context.state.set_current_key(key)
        times, values = elements
        if self._at_hand[key] is _LONG or len(times) >= buffer.LEAF_ELEMENTS:
            self._put_away(key)
            self._at_hand[key] = _LONG
            side.buffer.add(timestamp, value)
            return False
        if not times:
            times.append(timestamp)
            values.append(value)
            side.buffer.set_timer(timestamp)
            return True
        earliest = times[0]
        buffer.insert(elements, timestamp, value)
        if timestamp < earliest:
            side.buffer.move_timer(earliest, timestamp)
        return True

    def join_each(
        self,
        is_left: bool,
        value: Any,
        timestamp: int,
        others: Sequence[Any],
        other_timestamps: Sequence[int],
        *,
        may_change: bool,
    ) -> None:
        """Call the function with an element and each of the other side that it joins."""
        context, pair, call = self.context, self._pair, self._call
        copies = may_change and not (context.object_reuse or (never_changes(value) and all_never_change(others)))
        left = right = value
        left_timestamp = right_timestamp = timestamp
        try:
            for other, other_timestamp in zip(others, other_timestamps, strict=True):
                # All are kept for other pairs.
                own, met = (copied(value), copied(other)) if copies else (value, other)
                if is_left:
                    left, right, right_timestamp = own, met, other_timestamp
                else:
                    left, right, left_timestamp = met, own, other_timestamp
                latest = left_timestamp if left_timestamp > right_timestamp else right_timestamp
                pair.left_timestamp, pair.right_timestamp, pair.timestamp = left_timestamp, right_timestamp, latest
                results = call(left, right, pair)
                if results is not None:
                    emit_results(context, results, latest)
        except BaseException as error:
            raise user_function_error(context.name, (left, right), error) from error

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
