"""Joins rows with those of a table that is asked for them (Flink's ``LookupJoinRunner``)."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from windrow.elements.batch import Batch
from windrow.errors import user_function_error
from windrow.expressions.nodes import Expression
from windrow.operators.base import Operator, OperatorContext
from windrow.operators.forecast import Forecast
from windrow.operators.table.calc import arrays_of, tuples_of
from windrow.operators.table.lookup import Lookup, Values
from windrow.operators.table.lookup_cache import CacheOptions, LookupCache
from windrow.table.data_types import DataType

if TYPE_CHECKING:
    import pyarrow as pa

    from windrow.elements.shape import Shape

Longs = NDArray[np.int64]


class LookupJoinOperator(Operator):
    """Tuples, each with the fields of every row behind its own that the table has for its key just now.

    The table is asked once for the keys of a batch that differ.

    Args:
        types: The types of the tuples' fields.
        keys: The places of the fields that are looked up: NULL is equal to nothing.
        looked_up: The types of the table's columns.
        lookup: Asks the table.
        results: What is made of a row of the table, over its columns.
        condition: What else has to be true, over a tuple's fields and a row's columns; None: nothing.
        outer: Whether tuples without a row go out, too, with NULL behind them.
        cache: Which rows are remembered; None: none.
    """

    def __init__(
        self,
        types: Sequence[DataType],
        keys: Sequence[int],
        looked_up: Sequence[DataType],
        lookup: Lookup,
        results: Sequence[Expression],
        condition: Expression | None,
        *,
        outer: bool,
        cache: CacheOptions | None,
    ) -> None:
        self._types, self._keys = list(types), list(keys)
        self._looked_up, self._lookup = list(looked_up), lookup
        self._results, self._condition = list(results), condition
        self._outer, self._cache_options = outer, cache

    def takes_columns(self, shape: Shape) -> bool:
        return True

    def forecast(self, shape: Shape | None) -> Forecast:
        return Forecast(True, shape=self._shape())

    def _shape(self) -> Shape:
        return tuples_of([*self._types, *[each.type for each in self._results]])

    def open(self, context: OperatorContext) -> None:
        super().open(context)
        self._cache = None if self._cache_options is None else LookupCache(self._cache_options)
        self._lookup = copy.deepcopy(self._lookup)  # subtasks of one process must not share it
        self._lookup.open()

    def close(self) -> None:
        self._lookup.close()

    def process_batch(self, batch: Batch) -> None:
        if not len(batch):
            return
        self.context.state.clear_current_key()
        try:
            made = self._made(batch)
        except BaseException as error:
            raise user_function_error(self.context.name, next(iter(batch.elements[:1])), error) from error
        if len(made):
            self.context.output.emit_batch(made)

    def _made(self, batch: Batch) -> Batch:
        # Here, because they import Arrow.
        import pyarrow as pa

        from windrow.elements.columns import Columns
        from windrow.expressions.evaluation import Input, evaluate

        left, times, now = arrays_of(batch, self._types), batch.timestamp_array(), self.context.time.processing_time
        rows, lefts, rights = self._pairs(left, len(batch), now)
        table = self._table(rows)
        if self._condition is not None:
            pairs = [*[each.take(pa.array(lefts)) for each in left], *[each.take(pa.array(rights)) for each in table]]
            fits = evaluate(self._condition, Input(pairs, times[lefts], now)).fill_null(False)
            chosen = np.asarray(fits, bool)
            lefts, rights = lefts[chosen], rights[chosen]
        if self._outer:
            alone = np.setdiff1d(np.arange(len(batch)), lefts)
            lefts, rights = np.concatenate([lefts, alone]), np.concatenate([rights, np.full(alone.size, -1, np.int64)])
            order = np.argsort(lefts, kind="stable")
            lefts, rights = lefts[order], rights[order]
        given = Input(table, np.zeros(len(rows), np.int64), now)
        places = pa.array(rights, mask=rights < 0)
        arrays = [
            *[each.take(pa.array(lefts)) for each in left],
            *[evaluate(each, given).take(places) for each in self._results],
        ]
        return Batch(Columns.of(self._shape(), arrays), times[lefts])

    def _pairs(self, left: Sequence[pa.Array], count: int, now: int) -> tuple[list[Values], Longs, Longs]:
        """All rows that were found, and which tuple each of them is for: places of tuples, and of rows."""
        keys = list(zip(*[left[place].to_pylist() for place in self._keys], strict=True))
        wanted = list(dict.fromkeys([key for key in keys if None not in key]))
        found = self._found(wanted, now) if wanted else []
        rows: list[Values] = []
        places: dict[Any, range] = {}
        for key, of_key in zip(wanted, found, strict=True):
            places[key] = range(len(rows), len(rows) + len(of_key))
            rows += of_key
        none = range(0)
        of_keys = [places.get(key, none) for key in keys]
        lefts = np.repeat(np.arange(count), [len(each) for each in of_keys])
        rights = np.array([place for each in of_keys for place in each], np.int64)
        return rows, lefts, rights

    def _found(self, keys: Sequence[Any], now: int) -> Sequence[Sequence[Values]]:
        if self._cache is None:
            return self._lookup.rows(keys)
        return self._cache.found(keys, now, self._lookup.rows)

    def _table(self, rows: Sequence[Values]) -> list[pa.Array]:
        import pyarrow as pa

        from windrow.expressions.logical_types import arrow_of

        columns = zip(*rows, strict=True) if rows else [()] * len(self._looked_up)
        return [pa.array(list(values), arrow_of(kind)) for values, kind in zip(columns, self._looked_up, strict=True)]
