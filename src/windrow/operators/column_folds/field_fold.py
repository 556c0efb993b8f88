"""Combining one field of elements: a kind, and how NumPy does it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

Array: TypeAlias = npt.NDArray[Any]
Longs: TypeAlias = npt.NDArray[np.int64]
#: What combines values, whatever their order, by the kind of a fold.
COMBINES = {"sum": np.add, "count": np.add, "min": np.minimum, "max": np.maximum}


def magnitude(numbers: Array) -> int:
    """The greatest magnitude among some integers, at least one.

    >>> magnitude(np.array([3, -2**63]))
    9223372036854775808
    """
    return max(int(numbers.max()), -int(numbers.min()))


@dataclass(frozen=True)
class FieldFold:
    """The way in which one field of elements is combined.

    Args:
        kind: ``first``, ``last``, ``sum``, ``min``, ``max``, ``count``, or ``key``: the field is the key, so that it
            is the same in all of them and need not be kept. Where one element is kept whole its fields are ``chosen``,
            and behind them are ``greatest`` or ``least``, by which it is, and ``came`` (``choosing.py``).
        dtype: NumPy's type of the combined values; object for what is no number.
        ordered: Whether the result depends on the order in which elements are combined, as a sum of floats does.
        identity: What combined with any value gives that value.
    """

    kind: str
    dtype: np.dtype[Any]
    ordered: bool = False
    identity: Any = None

    def add(self, values: Array, places: Longs, added: Array | None) -> None:
        """Combine ``added``, by default ones, in their order with the values at ``places``; not for ``first``."""
        combined: Any = 1 if added is None else added
        match self.kind:
            case "sum" | "count":
                np.add.at(values, places, combined)
            case "min":
                np.minimum.at(values, places, combined)
            case "max":
                np.maximum.at(values, places, combined)
            case "last":
                values[places] = combined  # of several for one place the last one stays
