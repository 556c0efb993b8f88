"""Calling assigners on batches."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from windrow.common.limits import LONG_MAX, LONG_MIN
from windrow.elements.batch import Batch
from windrow.errors import UserFunctionError
from windrow.operators.watermarks.timestamp_assignment import assign_timestamps


def assigned(assigner: Callable[[Any, int], Any] | None, values: Any, timestamps: Any = None) -> list[int]:
    array = assign_timestamps(
        "events", assigner, Batch(values, [0] * len(values) if timestamps is None else timestamps)
    )
    assert array.dtype == np.int64
    listed: list[int] = array.tolist()
    return listed


def test_an_assigner_sees_value_and_timestamp_once_each_in_order() -> None:
    """One call for each element."""
    seen = []

    def assigner(value: str, timestamp: int) -> int:
        seen.append((value, timestamp))
        return len(seen)

    assert assigned(assigner, ["a", "b"], [7, 8]) == [1, 2]
    assert seen == [("a", 7), ("b", 8)]


def test_an_assigner_gets_python_integers_from_an_array() -> None:
    """Arithmetic on the timestamp so far cannot wrap around."""
    kinds = []

    def assigner(_: str, timestamp: int) -> int:
        kinds.append(type(timestamp))
        return timestamp

    assigned(assigner, ["a"], np.array([LONG_MAX]))
    assert kinds == [int]


@pytest.mark.parametrize("timestamps", [[3, 4], np.array([3, 4])])
def test_without_an_assigner_timestamps_stay(timestamps: Any) -> None:
    """Elements keep the timestamps that they have."""
    assert assigned(None, ["a", "b"], timestamps) == [3, 4]


def test_the_bounds_of_64_bits_and_numpy_integers_are_timestamps() -> None:
    """-2^63, 2^63-1, negative ones and any integer type pass unchanged."""
    values = [LONG_MIN, -1, LONG_MAX, np.int64(5), np.int32(6)]
    assert assigned(lambda value, _: value, values) == values


def test_an_exception_names_operator_and_element() -> None:
    """The element that failed, not the first or last of its batch."""
    with pytest.raises(UserFunctionError, match=r"ZeroDivisionError[\s\S]*'events'.*\b0\b") as caught:
        assigned(lambda value, _: 1 // value, [2, 1, 0, 3])
    assert caught.value.element == "0"
    assert isinstance(caught.value.__cause__, ZeroDivisionError)


@pytest.mark.parametrize("values", [("x", None), np.array(["x", "bad"], dtype=object)])
def test_values_need_not_be_a_list(values: Any) -> None:
    """A failing element is found in any sequence."""
    with pytest.raises(UserFunctionError) as caught:
        assigned(lambda value, _: {"x": 1}[value], values)
    assert caught.value.element == repr(values[1])


@pytest.mark.parametrize("wrong", [None, 1.0, 2.5, "7", (1,), float("nan")])
def test_a_timestamp_that_is_no_integer_is_refused(wrong: Any) -> None:
    """Nothing is rounded: the error names operator, element and what came."""
    with pytest.raises(UserFunctionError, match="must return milliseconds as an int") as caught:
        assigned(lambda value, _: value[1], [("a", 1), ("b", wrong)])
    assert caught.value.operator == "events"
    assert caught.value.element == repr(("b", wrong))
    assert isinstance(caught.value.__cause__, TypeError)


@pytest.mark.parametrize("wrong", [LONG_MAX + 1, LONG_MIN - 1, 2**70])
def test_a_timestamp_beyond_64_bits_is_refused(wrong: int) -> None:
    """Nothing wraps around: an overflow error names operator, element and timestamp."""
    with pytest.raises(UserFunctionError, match=f"OverflowError.*returned {wrong}") as caught:
        assigned(lambda value, _: value[1], [("a", 1), ("b", wrong)])
    assert caught.value.element == repr(("b", wrong))
    assert isinstance(caught.value.__cause__, OverflowError)
