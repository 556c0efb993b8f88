"""The first rows of all so far, in an order, as changes (Flink's ``AppendOnlyTopNFunction`` and its like)."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from functools import total_ordering
from typing import Any

from windrow.operators.base import Operator
from windrow.operators.table.changes import DELETE, INSERT, TAKES_BACK, UPDATE_AFTER, UPDATE_BEFORE, ChangesOperator

Order = Sequence[tuple[int, bool, bool]]
_ROWS = "rows"


@total_ordering
class _Descending:
    """A value that stands before lesser ones."""

    __slots__ = ("_value",)

    def __init__(self, value: Any) -> None:
        self._value = value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Descending) and bool(self._value == other._value)

    def __lt__(self, other: _Descending) -> bool:
        return bool(other._value < self._value)

    __hash__ = None  # type: ignore[assignment]


def sort_key(order: Order) -> Callable[[Sequence[Any]], list[Any]]:
    """Give the key that sorts tuples by fields: their places, each with whether it descends, and whether NULL is first.

    Example:
        >>> sorted([(1,), (None,), (2,)], key=sort_key([(0, True, False)]))
        [(2,), (1,), (None,)]
    """

    def key(row: Sequence[Any]) -> list[Any]:
        parts: list[Any] = []
        for place, descending, nulls_first in order:
            value = row[place]
            if value is None:
                parts.append((not nulls_first, 0))
            else:
                parts.append((nulls_first, _Descending(value) if descending else value))
        return parts

    return key


class Numbered:
    """Gives the changes of rows with numbers: each row that has another one is one that changes.

    Args:
        least: The least number that is shown.
        most: The greatest one.
    """

    def __init__(self, least: int, most: int) -> None:
        self._least, self._most = least, most

    def inserted(self, rows: list[Any], place: int, made: list[Any]) -> None:
        """``rows`` has a new one at ``place``, which has moved those behind."""
        for number in range(place + 1, min(len(rows), self._most) + 1):
            if number < self._least:
                continue
            if number < len(rows):
                made.append((*rows[number], number, UPDATE_BEFORE))
                made.append((*rows[number - 1], number, UPDATE_AFTER))
            else:
                made.append((*rows[number - 1], number, INSERT))

    def removed(self, rows: list[Any], place: int, row: Any, made: list[Any]) -> None:
        """``row`` was at ``place`` of ``rows``, and those behind have moved."""
        former = row
        for number in range(place + 1, min(len(rows) + 1, self._most) + 1):
            now = rows[number - 1] if number <= len(rows) else None
            if number >= self._least:
                if now is None:
                    made.append((*former, number, DELETE))
                else:
                    made += [(*former, number, UPDATE_BEFORE), (*now, number, UPDATE_AFTER)]
            former = now


class Chosen:
    """Gives the changes of which rows are among the first ones, without their numbers: the only one has number 1.

    Args:
        most: How many are.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._number = 1 if most == 1 else None

    def inserted(self, rows: list[Any], place: int, made: list[Any]) -> None:
        """``rows`` has a new one at ``place``."""
        if place >= self._most:
            return
        if len(rows) > self._most:
            made.append((*rows[self._most], self._number, DELETE))
        made.append((*rows[place], self._number, INSERT))

    def removed(self, rows: list[Any], place: int, row: Any, made: list[Any]) -> None:
        """``row`` was at ``place`` of ``rows``."""
        if place >= self._most:
            return
        made.append((*row, self._number, DELETE))
        if len(rows) >= self._most:
            made.append((*rows[self._most - 1], self._number, INSERT))


class TopChangesOperator(ChangesOperator):
    """The first tuples of each key as changes: their fields, their number or NULL, and the kind of the change.

    Args:
        order: By which tuples are put in order.
        least: The least number that is shown.
        most: How many tuples are the first ones.
        numbered: Whether numbers are wanted; if so, a row that gets another number changes.
        retracts: Whether the last field of tuples is their kind; else all are insertions, and no more than the first
            ones are kept.
    """

    def __init__(self, order: Order, least: int, most: int, *, numbered: bool, retracts: bool) -> None:
        self._key = sort_key(order)
        self._most = most
        self._replaces = most == 1 and not retracts
        self._changes = Numbered(least, most) if numbered or least > 1 or self._replaces else Chosen(most)
        self._retracts = retracts

    def _take(self, row: Any, made: list[Any]) -> None:
        state = self.context.state
        rows = state.get(_ROWS)
        if rows is None:
            rows = []
            state.put(_ROWS, None, rows)
        if self._retracts and row[-1] in TAKES_BACK:
            self._remove(row[1:-1], rows, made)
        else:
            self._insert(row[1:-1] if self._retracts else row[1:], rows, made)

    def _insert(self, row: Any, rows: list[Any], made: list[Any]) -> None:
        place = bisect_right(rows, self._key(row), key=self._key)
        if place >= self._most and not self._retracts:
            return
        rows.insert(place, row)
        self._changes.inserted(rows, place, made)
        if not self._retracts:
            del rows[self._most :]

    def _remove(self, row: Any, rows: list[Any], made: list[Any]) -> None:
        key = self._key(row)
        for place in range(bisect_left(rows, key, key=self._key), bisect_right(rows, key, key=self._key)):
            if rows[place] == row:
                del rows[place]
                self._changes.removed(rows, place, row, made)
                break
        if not rows:
            self.context.state.remove(_ROWS)


class KeepLastOperator(Operator):
    """The tuple of each key with the greatest time, of equal ones the last, as changes.

    The fields are followed by the number 1 and the kind of the change.

    Args:
        time: The place of the time, behind the first field; None: tuples come in its order, as by processing time.
    """

    def __init__(self, time: int | None) -> None:
        self._time = time

    def process_element(self, value: Any, timestamp: int) -> None:
        state, emit = self.context.state, self.context.output.emit
        row = value[1:]
        last = state.get(_ROWS)
        if last is None:
            emit((*row, 1, INSERT), timestamp)
        elif self._time is None or last[self._time] <= row[self._time]:
            emit((*last, 1, UPDATE_BEFORE), timestamp)
            emit((*row, 1, UPDATE_AFTER), timestamp)
        else:
            return
        state.put(_ROWS, None, row)
