"""Predicates for retry strategies (PyFlink's ``pyflink.datastream.async_retry_predicates``)."""

from __future__ import annotations

from typing import Any


def empty_result_predicate(result: list[Any] | None) -> bool:
    """Tell whether there is no result.

    Example:
        >>> empty_result_predicate([]), empty_result_predicate([0])
        (True, False)
    """
    return result is None or len(result) == 0


def has_exception_predicate(error: BaseException | None) -> bool:
    """Tell whether there is an exception: true for each one that a call raises."""
    return error is not None


def exception_type_predicate(
    error: BaseException | None, expected_error_type: type[BaseException] | tuple[type[BaseException], ...]
) -> bool:
    """Tell whether the exception is of a type. A strategy calls its predicate with the exception alone: see below.

    Example:
        >>> from functools import partial
        >>> from windrow.datastream import AsyncRetryStrategy
        >>> lost = partial(exception_type_predicate, expected_error_type=ConnectionError)
        >>> strategy = AsyncRetryStrategy.fixed_delay(3, 100, None, lost)
        >>> lost(ConnectionResetError()), lost(ValueError())
        (True, False)
    """
    return isinstance(error, expected_error_type)
