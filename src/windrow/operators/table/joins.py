"""Pairs of rows: of a window, or within an interval."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from windrow.datastream.functions import CoGroupFunction, ProcessJoinFunction
from windrow.elements.batch import Batch
from windrow.expressions.nodes import Expression
from windrow.operators.interval_join.column_pairs import ColumnPairs
from windrow.table.data_types import DataType

if TYPE_CHECKING:
    import pyarrow as pa

    from windrow.elements.columns import Columns
    from windrow.elements.shape import Shape
    from windrow.operators.interval_join.growing import Longs
    from windrow.operators.interval_join.pair_function import PairColumns


class Condition:
    """A condition that has to be true of a pair, besides that keys are equal.

    Args:
        types: Those of the fields of both sides.
        expression: Over these fields; None: nothing has to be true.
    """

    def __init__(self, types: Sequence[DataType], expression: Expression | None) -> None:
        self.types = list(types)
        self._expression = expression

    def of_columns(self, columns: Sequence[pa.Array], times: Longs) -> pa.Array | None:
        """Tell of which pairs it is true, whose fields are columns; None: it is true of all."""
        from windrow.expressions.evaluation import Input, evaluate

        return None if self._expression is None else evaluate(self._expression, Input(columns, times))

    def of(self, pairs: Sequence[Any]) -> list[bool]:
        """Tell of which pairs it is true, which are tuples of the fields of both."""
        if self._expression is None or not pairs:
            return [True] * len(pairs)
        from windrow.expressions.evaluation import Input, evaluate
        from windrow.operators.table.calc import arrays_of

        times = np.zeros(len(pairs), np.int64)
        found = evaluate(self._expression, Input(arrays_of(Batch(pairs, times), self.types), times))
        return [bool(value) for value in found.to_pylist()]


class WindowJoin(CoGroupFunction):
    """Joins what two relations have in a window with equal keys.

    Args:
        kind: INNER, LEFT, RIGHT, FULL, SEMI or ANTI.
        keys: The places of the keys in tuples of the left side, and of the right side: NULL is equal to nothing.
        widths: How many fields tuples of each side have, behind the first one, which is their key.
        condition: What else has to be true of pairs.
    """

    def __init__(
        self, kind: str, keys: tuple[Sequence[int], Sequence[int]], widths: tuple[int, int], condition: Condition
    ) -> None:
        self._kind = kind
        self._keys = keys
        self._widths = widths
        self._condition = condition

    def co_group(self, first: list[Any], second: list[Any]) -> Iterable[Any]:
        left, right = [row[1:] for row in first], [row[1:] for row in second]
        is_null = bool(left) and any(left[0][place] is None for place in self._keys[0])
        pairs = [] if is_null else [(a, b) for a in range(len(left)) for b in range(len(right))]
        fit = self._condition.of([left[a] + right[b] for a, b in pairs])
        matches = [pair for pair, fits in zip(pairs, fit, strict=True) if fits]
        of_left, of_right = {a for a, _ in matches}, {b for _, b in matches}
        if self._kind in ("SEMI", "ANTI"):
            return [row for place, row in enumerate(left) if (place in of_left) is (self._kind == "SEMI")]
        made = [left[a] + right[b] for a, b in matches]
        if self._kind in ("LEFT", "FULL"):
            nothing = (None,) * self._widths[1]
            made += [row + nothing for place, row in enumerate(left) if place not in of_left]
        if self._kind in ("RIGHT", "FULL"):
            nothing = (None,) * self._widths[0]
            made += [nothing + row for place, row in enumerate(right) if place not in of_right]
        return made


class PairsWithin(ProcessJoinFunction, ColumnPairs):
    """The fields of both sides as one tuple, without the key that each begins with.

    Args:
        condition: What has to be true of a pair.
        keys: The places of the keys in the left side: NULL is equal to nothing.
        width: How many fields the left side has, without the key in front.
    """

    def __init__(self, condition: Condition, keys: Sequence[int], width: int) -> None:
        self._condition = condition
        self._keys = list(keys)
        self._width = width

    def process_element(self, left: Any, right: Any, ctx: Any) -> Iterable[Any]:
        if any(left[place + 1] is None for place in self._keys):
            return
        pair = left[1:] + right[1:]
        if self._condition.of([pair])[0]:
            yield pair

    @property
    def result_shape(self) -> Shape:
        from windrow.operators.table.calc import tuples_of

        return tuples_of(self._condition.types)

    def of_columns(self, pairs: PairColumns) -> tuple[Columns, Longs]:
        import pyarrow as pa
        import pyarrow.compute as pc

        from windrow.elements.columns import Columns

        shape, width = self.result_shape, self._width
        fields = [
            pairs.left(place + 1) if place < width else pairs.right(place - width + 1)
            for place in range(len(shape.types))
        ]
        columns = [
            pa.array(field, kind) if isinstance(field, np.ndarray) else field.cast(kind)
            for field, kind in zip(fields, shape.types, strict=True)
        ]
        times = pairs.latest
        chosen = self._condition.of_columns(columns, times)
        for place in self._keys:
            if columns[place].null_count:
                is_there = columns[place].is_valid()
                chosen = is_there if chosen is None else pc.and_(chosen, is_there)
        if chosen is not None:
            mask = chosen.fill_null(False)
            columns, times = [column.filter(mask) for column in columns], times[np.asarray(mask)]
        return Columns.of(shape, columns), times
