"""Pairs of rows: of a window, or within an interval."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from windrow.datastream.functions import CoGroupFunction, ProcessJoinFunction
from windrow.elements.batch import Batch
from windrow.expressions.nodes import Expression
from windrow.table.data_types import DataType


class Condition:
    """What has to be true of a pair, besides that keys are equal."""

    def __init__(self, types: Sequence[DataType], expression: Expression | None) -> None:
        self._types = list(types)
        self._expression = expression

    def of(self, pairs: Sequence[Any]) -> list[bool]:
        """Whether it is true of each pair, which are tuples of the fields of both."""
        if self._expression is None or not pairs:
            return [True] * len(pairs)
        from windrow.expressions.evaluation import Input, evaluate
        from windrow.operators.table.calc import arrays_of

        times = np.zeros(len(pairs), np.int64)
        found = evaluate(self._expression, Input(arrays_of(Batch(pairs, times), self._types), times))
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


class PairsWithin(ProcessJoinFunction):
    """The fields of both sides as one tuple, without the key that each begins with."""

    def __init__(self, condition: Condition, keys: Sequence[int]) -> None:
        self._condition = condition
        self._keys = list(keys)

    def process_element(self, left: Any, right: Any, ctx: Any) -> Iterable[Any]:
        if any(left[place + 1] is None for place in self._keys):
            return
        pair = left[1:] + right[1:]
        if self._condition.of([pair])[0]:
            yield pair
