"""Conversions made of others."""

import pytest

from windrow.common.conversions import array_of, entries_of, lenient, optional
from windrow.errors import TypeConversionError


def refused(value):
    msg = f"no {value}"
    raise TypeConversionError(msg)


def test_none_stays_none():
    """Null is a value of every type; the conversion is not asked."""
    assert optional(refused)(None) is None
    assert array_of(refused)([None]) == [None]
    assert entries_of(str, refused)({"a": None}) == [("a", None)]


def test_what_cannot_be_converted_is_none_where_errors_are_ignored():
    """Values that are wrong, and such as are of another type; other errors are the program's, and stay errors."""
    assert lenient(int)("x") is None
    assert lenient(refused)(1) is None
    with pytest.raises(ZeroDivisionError):
        lenient(lambda value: 1 / value)(0)


@pytest.mark.parametrize("value", ["abc", {"a": 1}, 5, True])
def test_arrays_are_arrays(value):
    """A text has letters and an object names, but neither is an array."""
    with pytest.raises(TypeConversionError, match="a JSON array is expected; got"):
        array_of(str)(value)


@pytest.mark.parametrize("value", ["abc", [["a", 1]], 5, True])
def test_maps_are_objects(value):
    """Pairs in an array are no map."""
    with pytest.raises(TypeConversionError, match="a JSON object is expected; got"):
        entries_of(str, int)(value)
