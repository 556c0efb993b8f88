"""Calling a timestamp assigner on many elements, and checking what it gives."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Sequence
from operator import index, length_hint
from typing import Any

import numpy as np
import numpy.typing as npt

from windrow.common.limits import LONG_MAX, LONG_MIN
from windrow.elements.batch import Batch
from windrow.errors import shorten, user_function_error

Timestamps = npt.NDArray[np.int64]


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
