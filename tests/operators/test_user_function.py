"""Calling functions of users, and naming what failed."""

import ast
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

import windrow
from windrow.elements.columns import Columns
from windrow.elements.shape import TupleShape
from windrow.errors import CheckpointError, UserFunctionError
from windrow.operators.user_function import NamingErrors, call_each, call_one_by_one

#: What may be given to map, filter and their like: functions of ours that call nothing of the user's.
OURS = {
    "type",
    "len",
    "str",
    "repr",
    "chr",
    "int",
    "length",
    "is_not",
    "has_lifecycle",
    "has_decimals",
    "_ChannelReader",
    "getrefcount",
    "None",
    "_STATE_FILE.fullmatch",
    "_is_plain",
    "is_",
    "never_changes",
    "self._keeps_nothing",
    "_id",
    "_kind",
    "_never_changes",
    "nodes_of",
    "_identity",
    "_constant",
    "_SplitReading",
    "self._key",
    "_can_be_tried",
    "kind_of",
    "_size",
    "entries.get",  # of keys, in a strict zip: a StopIteration of a key's hash is an error there
    "self.slot_of",  # likewise
    "_shown",
    "window_json",
    "ConsumerRecord",
    "ColumnType",
    "Record",
    "SparkRow._make",
    "kind.error",
    "quoting(schema.dialect)",
    "getattr(type(self._messages[0]), method)",  # of Kafka's client
    "attrgetter(name)",  # of records that its decoder has made
    "_TIME",  # the second of a pair of Kafka's client
    "self._field",
    "self._message_type.partition",
    "self._pattern.fullmatch",
    # Of SQL, of jobs' pages, of ports and pictures: functions of values that Windrow has made.
    "may_be_null",
    "float",
    "is_class",
    "_line",
    "_numbers_in",
    "lt.is_numeric",
    "lt.is_text",
    "name_of",
    "_has_months",
    "_shape",
    "duration",
    "is_kind",
    "inner",
    "to_avro(kind)",
    "of_one",
    "repeat",
    "RowField",
    # Ends early by a key's own __hash__, which fromiter notices.
    "self._subtasks.__getitem__",
}


def test_what_a_function_returns_for_each_value():
    """In order."""
    assert call_each("double", lambda value: 2 * value, range(3)) == [0, 2, 4]


@pytest.mark.parametrize("values", [[0, 1, 2], range(3), (0, 1, 2)])
@pytest.mark.parametrize("raised", [StopIteration, SystemExit, GeneratorExit, ValueError])
def test_the_element_that_a_function_fails_on_is_named(raised, values):
    """Whatever it raises: a StopIteration is not the end of the values."""

    def fails(value):
        if value == 1:
            raise raised
        return value

    with pytest.raises(UserFunctionError) as failed:
        call_each("fails", fails, values)
    assert (failed.value.operator, failed.value.element) == ("fails", "1")
    assert type(failed.value.__cause__) is raised


@pytest.mark.parametrize("raised", [StopIteration, SystemExit, ValueError])
def test_an_element_of_columns_is_made_when_it_is_its_turn(raised):
    """What a function gives, and the element that it fails on, are those of rows."""
    columns = Columns.of(TupleShape((pa.int64(), pa.float64())), [np.arange(3), np.array([0.5, 1.5, 2.5])])
    assert call_one_by_one("sums", sum, columns) == [0.5, 2.5, 4.5]
    assert columns.untouched

    def fails(value):
        if value[0] == 1:
            raise raised
        return value

    with pytest.raises(UserFunctionError) as failed:
        call_one_by_one("fails", fails, columns)
    assert (failed.value.operator, failed.value.element) == ("fails", "(1, 1.5)")


def test_what_the_user_raised_names_the_operator():
    """Also where nobody knows the element."""
    with (
        pytest.raises(UserFunctionError, match=r"(?s)ValueError: no.*in operator 'sink' on element \(none: its"),
        NamingErrors("sink", "its writer"),
    ):
        raise ValueError("no")


@pytest.mark.parametrize(
    "error", [CheckpointError("gone"), UserFunctionError("a", "1", "KeyError: 1"), OSError("a full disk")]
)
def test_errors_that_no_line_of_the_users_led_to_are_left_as_they_are(error):
    """They are this library's own, or those of what it uses: nothing is raised in their place."""
    assert NamingErrors("sink", "its writer").__exit__(type(error), error, None) is None


def test_functions_of_users_are_called_in_loops_and_comprehensions():
    """``map`` and its like take a StopIteration of a function's for the end of the values, and say nothing."""
    found = {
        (path.name, function)
        for path in Path(windrow.__file__).parent.rglob("*.py")
        for call in ast.walk(ast.parse(path.read_text()))
        if isinstance(call, ast.Call) and _takes_a_function(call.func)
        for function in [ast.unparse(call.args[0])]
        if function not in OURS
    }
    assert found == set()


def _takes_a_function(called):
    return isinstance(called, ast.Name) and called.id in ("map", "filter", "filterfalse", "starmap", "takewhile")
