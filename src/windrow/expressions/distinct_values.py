"""Computes what depends on one column alone, once for each value that there is.

Columns of streams have few values many times over, and functions of text are Python's.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pyarrow as pa

#: Of so few values each is computed.
_FEW = 16


def by_value(column: pa.Array, of_one: Callable[[Any], Any], kind: pa.DataType) -> pa.Array:
    """A function of one value, for all rows: called for each value that differs; NULL stays NULL.

    Args:
        column: The values.
        of_one: Called with Python's value.
        kind: The type of what it gives.

    Example:
        >>> by_value(pa.array(["a", None, "bb"] * 8), len, pa.int64()).to_pylist()[:3]
        [1, None, 2]
    """
    if len(column) < _FEW or not _is_plain(column.type):
        return pa.array([None if value is None else of_one(value) for value in column.to_pylist()], kind)
    encoded = column.dictionary_encode()
    made = pa.array(list(map(of_one, encoded.dictionary.to_pylist())), kind)
    return made.take(encoded.indices)


def _is_plain(kind: pa.DataType) -> bool:
    """Tell whether values that Arrow takes for equal are the same in Python: -0.0 and 0.0 are not."""
    types = pa.types
    known = types.is_string, types.is_binary, types.is_integer, types.is_timestamp, types.is_date, types.is_time
    return any(is_kind(kind) for is_kind in known)
