"""Tumbling and sliding event-time windows with an aggregate function of tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from windrow.common.typeinfo import TypeInformation
from windrow.datastream.functions import ArrowAggregateFunction
from windrow.elements.batch import columns_of, taken
from windrow.errors import ElementError, WindrowError, user_function_error
from windrow.operators.forecast import Forecast
from windrow.operators.shown_table import ShownTable
from windrow.operators.window.aligned_window_operator import AlignedWindowOperator
from windrow.operators.window.aligned_windows import AlignedAssigner, Times
from windrow.operators.window.buckets import BucketsByEnd
from windrow.operators.window.incremental import Incremental
from windrow.operators.window.skipped import LateTag
from windrow.operators.window.window_functions import InternalWindowFunction

if TYPE_CHECKING:
    import pyarrow as pa

    from windrow.elements.shape import Shape

Longs: TypeAlias = npt.NDArray[np.int64]

#: So many elements are put by window together, each as often as it has windows: sorting takes some 50 bytes for each.
_TOGETHER = 1 << 20


class AlignedTablesOperator(AlignedWindowOperator):
    """An :class:`AlignedWindowOperator` that adds the elements of a key and window that come together as one table.

    A batch is sorted by key once, and by window where windows do not overlap, so that the elements of a key and window
    are a slice of it; where windows overlap they are taken out of it if elements of other windows came between them.
    Elements of windows that have fired are tables of one row: each of them fires its window again.

    Args:
        assigner: As for an ``AlignedWindowOperator``, like all that follows but the last.
        incremental: The steps of an ``ArrowAggregateFunction``.
        function: What is called with each result; None emits the results themselves.
        allowed_lateness: For how many milliseconds after its maximum timestamp a window is kept.
        late_tag: The side output of elements that are too late; None counts them instead.
        purging: Whether a window is emptied when it fires.
        input_type: The declared type of the elements.
    """

    def __init__(
        self,
        assigner: AlignedAssigner,
        incremental: Incremental,
        function: InternalWindowFunction | None = None,
        allowed_lateness: int = 0,
        late_tag: LateTag | None = None,
        *,
        purging: bool = False,
        input_type: TypeInformation | None = None,
    ) -> None:
        from windrow.elements.to_table import Tables  # imports Arrow

        super().__init__(assigner, incremental, function, allowed_lateness, late_tag, purging=purging)
        assert isinstance(incremental.function, ArrowAggregateFunction), "it takes tables"
        self._aggregate = incremental.function
        self._tables = Tables(input_type)

    def takes_columns(self, shape: Shape) -> bool:
        return True

    def forecast(self, shape: Shape | None) -> Forecast:
        if shape is None:
            return super().forecast(shape)
        return Forecast(True, "its get_result is called for each key and window")

    def _add(self, keys: Sequence[Any], values: Sequence[Any], first: Times, last: Times) -> None:
        if not first.size:
            return
        most = int((last - first).max()) // self.windows.slide + 1
        count = max(_TOGETHER // most, 1)
        if first.size <= count:
            self._add_together(keys, values, first, last)
            return
        for start in range(0, first.size, count):
            part = slice(start, start + count)
            self._add_together(keys[part], values[part], first[part], last[part])

    def _add_together(self, keys: Sequence[Any], values: Sequence[Any], first: Times, last: Times) -> None:
        windows, cached = self.windows, self._cached_keys
        create, add = self._aggregate.create_accumulator, self._aggregate.add
        numbers, keys = _numbered(keys)
        overlap = windows.slide < windows.size
        order = np.argsort(numbers, kind="stable") if overlap else np.lexsort((last, numbers))
        by_key = values if bool((order[1:] > order[:-1]).all()) else taken(values, order)
        arrivals, groups = _groups(numbers[order], order, first[order], last[order], windows.slide)
        table = self._table(by_key)
        buckets = BucketsByEnd(self._buckets, windows)
        group = None
        try:
            for key, group in zip(taken(keys, arrivals), groups, strict=True):
                bucket = buckets[group.end]
                accumulator = bucket.get(key)
                if accumulator is None and key not in cached:
                    accumulator = self._take(key, windows.window(group.end))
                if accumulator is None:
                    accumulator = create()
                mine = self._tables.table(group.of(by_key)) if table is None else group.of_table(table)
                bucket[key] = add(mine, accumulator)
        except WindrowError:
            raise
        except BaseException as error:
            shown = None if group is None else ShownTable(group.of(by_key))
            raise user_function_error(self.context.name, shown, error) from error

    def _table(self, values: Sequence[Any]) -> pa.Table | None:
        """A table of all elements; None if they have none, as those of one key and window may have all the same."""
        try:
            return self._tables.table(values)
        except ElementError:
            return None


class _Group(NamedTuple):
    """Elements of one key and window."""

    #: The end of the window.
    end: int
    #: Where they are among the elements by key.
    places: slice | Longs

    def of(self, elements: Sequence[Any]) -> Sequence[Any]:
        """The group's own among the elements by key."""
        places = self.places
        return elements[places] if isinstance(places, slice) else taken(elements, places)

    def of_table(self, table: pa.Table) -> pa.Table:
        """The same of a table of them."""
        places = self.places
        return (
            table.slice(places.start, places.stop - places.start) if isinstance(places, slice) else table.take(places)
        )


def _groups(numbers: Longs, order: Longs, first: Times, last: Times, slide: int) -> tuple[Longs, Iterator[_Group]]:
    """Divide elements by key and window: where the first of each group arrived, and the groups, as they come to be.

    Args:
        numbers: The numbers of the elements' keys, sorted.
        order: The elements' places in the order of arrival.
        first: The end of the first window of each element.
        last: The end of the last one.
        slide: How far the ends between are apart.
    """
    each = (last - first) // slide + 1
    places = np.repeat(np.arange(order.size), each)
    ends = first[places] + slide * (np.arange(places.size) - np.repeat(np.cumsum(each) - each, each))
    by_window = np.lexsort((ends, numbers[places]))  # which leaves elements of a group as they are
    places, ends = places[by_window], ends[by_window]
    keys = numbers[places]
    starts = np.append(0, np.flatnonzero((ends[1:] != ends[:-1]) | (keys[1:] != keys[:-1])) + 1)
    stops = np.append(starts[1:], places.size)
    arrivals = order[places[starts]]
    # Element by element each would come to its windows in their order, and a key has its place in one by its first.
    as_made = np.lexsort((ends[starts], arrivals))
    return arrivals[as_made], _each(places, ends[starts], starts, stops, as_made)


def _each(places: Longs, ends: Times, starts: Longs, stops: Longs, as_made: Longs) -> Iterator[_Group]:
    begins, limits = places[starts], places[stops - 1] + 1
    are_neighbours = limits - begins == stops - starts
    columns = [column[as_made].tolist() for column in (ends, begins, limits, are_neighbours, starts, stops)]
    for end, begin, limit, together, start, stop in zip(*columns, strict=True):
        yield _Group(end, slice(begin, limit) if together else places[start:stop])


def _numbered(keys: Sequence[Any]) -> tuple[Longs, Sequence[Any]]:
    """A number for each key, equal for equal ones, and the keys."""
    from windrow.operators.column_folds.key_index import key_column, key_index  # imports Arrow

    columns = columns_of(keys)
    index = None if columns is None else key_index(columns.shape)
    if columns is not None and index is not None:
        column = key_column(columns, index)
        if column is not None:
            return column if isinstance(column, np.ndarray) else column.dictionary_encode().indices.to_numpy(), keys
    numbers: dict[Any, int] = {}
    listed = list(keys)
    return np.array([numbers.setdefault(key, len(numbers)) for key in listed], np.int64), listed
