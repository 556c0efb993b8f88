"""Calling a timestamp assigner on many elements, and checking what it gives."""

from __future__ import annotations

from abc import ABC, abstractmethod
from array import array
from collections.abc import Callable, Iterator, Sequence
from operator import index, length_hint
from typing import Any

import numpy as np
import numpy.typing as npt

from windrow.common.limits import LONG_MAX, LONG_MIN
from windrow.elements.batch import Batch
from windrow.errors import shorten, user_function_error
from windrow.operators.column_function import ColumnFunction

Timestamps = npt.NDArray[np.int64]


class BatchAssigner(ABC):
    """Gives the elements of a batch their timestamps, all at once."""

    @abstractmethod
    def of_batch(self, batch: Batch) -> Timestamps:
        """Their timestamps, in milliseconds."""

    def __call__(self, value: Any, timestamp: int) -> int:
        """The timestamp of one element."""
        return int(self.of_batch(Batch([value], [timestamp]))[0])


class TimestampAssignment:
    """Gives elements their timestamps: on columns, where they are columns and the assigner can be traced.

    Args:
        operator: The operator's name, for errors.
        assigner: Called with an element and its timestamp so far; None: elements keep those that they have.
        columns: Whether it may be computed on columns.
    """

    def __init__(self, operator: str, assigner: Callable[[Any, int], int] | None, *, columns: bool = True) -> None:
        self._operator = operator
        self._assigner = assigner
        traces = assigner is not None and columns and not isinstance(assigner, BatchAssigner)
        self._on_columns = ColumnFunction(operator, assigner, "trace_timestamps") if traces else None

    def of_columns(self, batch: Batch) -> Timestamps | None:
        """The timestamps, if nobody has to look at an element for them."""
        if self._assigner is None:
            return batch.timestamp_array()
        if batch.columns is None or self._on_columns is None:
            return None
        from windrow.elements.columns import Columns
        from windrow.elements.shape import LONG

        given = Columns.of(LONG, [batch.timestamp_array()])
        found = self._on_columns.of(batch, lambda rows: self.of_rows(rows).tolist(), given)
        return None if found is None else found.numbers(0)

    def of_rows(self, batch: Batch) -> Timestamps:
        """The timestamps that the assigner gives, called for each element; errors as :func:`assign_timestamps`."""
        if isinstance(self._assigner, BatchAssigner):
            try:
                return self._assigner.of_batch(batch)
            except BaseException as error:
                raise user_function_error(self._operator, batch.elements[0], error) from error
        return assign_timestamps(self._operator, self._assigner, batch)

    def of(self, batch: Batch) -> Timestamps:
        """The timestamps; errors as :func:`assign_timestamps`."""
        found = self.of_columns(batch)
        return self.of_rows(batch) if found is None else found


def assign_timestamps(
    operator_name: str,
    assigner: Callable[[Any, int], int] | None,
    batch: Batch,
) -> Timestamps:
    """The timestamps of a batch's elements: what ``assigner`` gives, or without one those that they have.

    Args:
        operator_name: For errors.
        assigner: Called once for each element, in order, with the element and its timestamp so far.
        batch: The elements, with their timestamps so far in milliseconds.

    Raises:
        UserFunctionError: The assigner raised, or gave something that is not an integer (its cause is then a TypeError)
            or does not fit in 64 bits (an OverflowError). It names operator and element.
    """
    if assigner is None:
        return batch.timestamp_array()
    values = batch.elements
    remaining = iter(values if isinstance(values, list) else list(values))
    try:
        assigned = [assigner(value, given) for value, given in zip(remaining, batch.timestamp_list(), strict=True)]
    except BaseException as error:
        raise user_function_error(operator_name, values[-1 - length_hint(remaining)], error) from error
    try:
        # The array module, unlike NumPy, takes integers only and does not round or wrap around.
        return np.frombuffer(array("q", assigned), dtype=np.int64)
    except (TypeError, OverflowError):
        value, fault = next(_faults(values, assigned))
        raise user_function_error(operator_name, value, fault) from fault


def _faults(values: Sequence[Any], assigned: list[Any]) -> Iterator[tuple[Any, Exception]]:
    """The elements whose timestamps are no 64-bit integers, and what is wrong with these."""
    for value, timestamp in zip(values, assigned, strict=True):
        try:
            fits = LONG_MIN <= index(timestamp) <= LONG_MAX
        except TypeError:
            given = f"{shorten(timestamp)} ({type(timestamp).__name__})"
            yield value, TypeError(f"the timestamp assigner must return milliseconds as an int; it returned {given}")
        else:
            if not fits:
                msg = f"the timestamp assigner must return milliseconds that fit in 64 bits; it returned {timestamp}"
                yield value, OverflowError(msg)
