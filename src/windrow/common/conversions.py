"""Conversions made of others, for values that are parts: of rows, arrays and maps, whatever the format.

What single values of JSON become is in ``common/json_scalars.py``, and what texts become in ``common/parse_text.py``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

from windrow.errors import TypeConversionError, shorten

#: Makes a value of one that is not None; raises ValueError or TypeConversionError.
Convert = Callable[[Any], Any]


def optional(convert: Convert) -> Convert:
    """The same for None, too, which stays None."""
    return lambda value: None if value is None else convert(value)


def lenient(convert: Convert) -> Convert:
    """The same with None for what cannot be converted: formats may ignore errors.

    Example:
        >>> lenient(int)("5"), lenient(int)("five")
        (5, None)
    """

    def convert_or_none(value: Any) -> Any:
        try:
            return convert(value)
        except (ValueError, TypeConversionError):
            return None

    return convert_or_none


def array_of(element: Convert) -> Convert:
    """Make the function that converts JSON's arrays.

    Example:
        >>> array_of(str)([1, None])
        ['1', None]
    """

    def convert_array(value: Any) -> list[Any]:
        if not isinstance(value, list):
            refuse_json("a JSON array", value)
        return [None if item is None else element(item) for item in value]

    return convert_array


def entries_of(key: Convert, entry: Convert) -> Convert:
    """Make the function that gives the pairs of a JSON object that is a map, in their order.

    Example:
        >>> entries_of(int, str)({"1": 2, "3": None})
        [(1, '2'), (3, None)]
    """

    def convert_entries(value: Any) -> list[tuple[Any, Any]]:
        check_object(value)
        return [(key(text), None if item is None else entry(item)) for text, item in value.items()]

    return convert_entries


def check_object(value: Any) -> None:
    """Look whether a value of JSON is an object.

    Raises:
        TypeConversionError: it is not.
    """
    if not isinstance(value, dict):
        refuse_json("a JSON object", value)


def refuse_json(expected: str, value: Any) -> NoReturn:
    """Say that a value of JSON is another one than is expected.

    Raises:
        TypeConversionError: always.
    """
    msg = f"{expected} is expected; got {shorten(value)} ({type(value).__name__})"
    raise TypeConversionError(msg)
