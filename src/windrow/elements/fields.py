"""Operations on the values of a field, NumPy's or Arrow's."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

#: The values of a field: a column of Arrow or, of numbers and truth values that are all there, NumPy's array.
Field: TypeAlias = "pa.Array | NDArray[Any]"


def take(field: Field, indexes: NDArray[np.int64]) -> Field:
    """The values at ``indexes``, in that order."""
    return field.take(pa.array(indexes)) if isinstance(field, pa.Array) else field[indexes]


def concatenated(fields: Sequence[Field]) -> Field:
    """All values, one field behind the other.

    Example:
        >>> concatenated([np.array([1, 2]), pa.array([3])]).to_pylist()
        [1, 2, 3]
    """
    if any(isinstance(field, pa.Array) for field in fields):  # with nulls in some of them
        return pa.concat_arrays([field if isinstance(field, pa.Array) else pa.array(field) for field in fields])
    return np.concatenate(fields)
