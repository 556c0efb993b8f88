"""Aggregates of all values together: multisets and JSON made of them, and percentiles."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import Any

from windrow.errors import SqlError

#: Aggregates whose values are of several columns.
OF_SEVERAL = frozenset({"JSON_OBJECTAGG", "PERCENTILE"})
#: What they are of no values at all.
OF_NOTHING: Mapping[str, Any] = {"COLLECT": (), "JSON_OBJECTAGG": "{}", "JSON_ARRAYAGG": "[]"}


def multiset(values: Sequence[Any]) -> list[tuple[Any, int]]:
    """Count how often there is each value, in the order in which they came first.

    Example:
        >>> multiset(["a", "b", "a"]), multiset([{"n": 1}, {"n": 1}])
        ([('a', 2), ('b', 1)], [({'n': 1}, 2)])
    """
    found: dict[Any, tuple[Any, int]] = {}
    for value in values:
        key = _hashable(value)
        first, often = found.get(key, (value, 0))
        found[key] = first, often + 1
    return list(found.values())


def _hashable(value: Any) -> Any:
    """A value that is equal where values are: rows are dicts here, arrays are lists."""
    if isinstance(value, dict):
        return tuple([_hashable(each) for each in value.values()])
    if isinstance(value, list | tuple):
        return tuple([_hashable(each) for each in value])
    return value


def collected(name: str, values: Sequence[Any], options: Sequence[Any]) -> Any:
    """The result of an aggregate over values in their order.

    Args:
        name: JSON_OBJECTAGG, of keys and values that are JSON arrays of one element; JSON_ARRAYAGG, of such values; or
            PERCENTILE, of numbers with how often each counts behind them, or without.
        values: The values.
        options: Of JSON whether NULL is left out; of PERCENTILE the share, or a tuple of shares.

    Raises:
        SqlError: a key of JSON comes twice, or is NULL.

    Example:
        >>> collected("JSON_OBJECTAGG", [('["a"]', "[1]"), ('["b"]', "[null]")], (True,))
        '{"a":1}'
        >>> collected("JSON_ARRAYAGG", ["[1]", "[null]"], (False,))
        '[1,null]'
        >>> collected("PERCENTILE", [(1,), (5,)], ((0.5, 1.0),))
        [3.0, 5.0]
    """
    if name == "PERCENTILE":
        return _percentiles(values, options[0])
    (is_absent,) = options
    if name == "JSON_ARRAYAGG":
        return f"[{','.join([value[1:-1] for value in values if not (is_absent and value == '[null]')])}]"
    found: dict[str, str] = {}
    for key, value in values:
        if key in found or key == "[null]":
            what = "is NULL" if key == "[null]" else "comes twice"
            msg = f"JSON_OBJECTAGG: the key {key[1:-1]} {what}: keys are unique in an object"
            raise SqlError(msg)
        found[key] = value
    pairs = [(key, value) for key, value in found.items() if not (is_absent and value == "[null]")]
    return "{" + ",".join([f"{key[1:-1]}:{value[1:-1]}" for key, value in pairs]) + "}"


def _percentiles(values: Sequence[Any], shares: Any) -> Any:
    counted = sorted([(float(value), int(often[0]) if often else 1) for value, *often in values])
    counted = [(value, often) for value, often in counted if often > 0]
    if not counted:
        return None
    ends = list(accumulate(often for _, often in counted))

    def at(share: float) -> float:
        place = 1 + (ends[-1] - 1) * share
        lower, upper = math.floor(place), math.ceil(place)
        below, above = (counted[bisect_left(ends, each)][0] for each in (lower, upper))
        return below if lower == upper or below == above else (upper - place) * below + (place - lower) * above

    return [at(each) for each in shares] if isinstance(shares, tuple) else at(shares)
