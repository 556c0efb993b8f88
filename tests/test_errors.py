"""Errors: what they say, and that they survive the way between processes."""

import pickle

import pytest

from windrow.common.checks import positive
from windrow.errors import (
    ConfigurationError,
    ConfigurationTypeError,
    JobExecutionError,
    MissingTimestampError,
    TypeConversionError,
    UnhashableKeyError,
    UsageError,
    UserFunctionError,
    WindrowError,
    shorten,
    user_function_error,
)
from windrow.state.key_groups import key_group


def user_code(element):
    return 1 / element


def caught(element):
    try:
        user_code(element)
    except ZeroDivisionError as error:
        return user_function_error("divide", element, error)
    raise AssertionError


@pytest.mark.parametrize(
    "error",
    [
        ConfigurationError("wrong"),
        ConfigurationTypeError("wrong type"),
        UsageError("not here"),
        TypeConversionError("does not fit"),
        JobExecutionError("failed"),
        UserFunctionError("map", "(1, 2)", "Traceback ...\nValueError: no\n"),
        MissingTimestampError("window", ("a", 1)),
        UnhashableKeyError("key_by", [1]),
    ],
    ids=lambda error: type(error).__name__,
)
def test_errors_survive_pickling(error):
    """An error keeps its class, its text and its fields when it crosses processes."""
    copy = pickle.loads(pickle.dumps(error))
    assert type(copy) is type(error)
    assert str(copy) == str(error)
    assert vars(copy) == vars(error)


def test_notes_survive_pickling():
    """A note that was added to an error stays with it."""
    error = UserFunctionError("map", "1", "ValueError: no")
    error.add_note("in batch 7")
    assert pickle.loads(pickle.dumps(error)).__notes__ == ["in batch 7"]


@pytest.mark.parametrize(
    ("error", "builtin"),
    [
        (ConfigurationError, ValueError),
        (ConfigurationTypeError, TypeError),
        (ConfigurationTypeError, ConfigurationError),
        (UsageError, RuntimeError),
        (TypeConversionError, TypeError),
        (UnhashableKeyError, TypeError),
        (UserFunctionError, WindrowError),
    ],
)
def test_errors_are_also_pythons_own(error, builtin):
    """Whoever catches Python's own class of error catches ours."""
    assert issubclass(error, builtin)


def test_user_error_puts_the_users_traceback_first():
    """The text begins with the user's traceback and ends with the operator and the element."""
    text = str(caught(0))
    assert text.startswith("Traceback (most recent call last):")
    assert "in user_code\n    return 1 / element" in text
    assert text.endswith("ZeroDivisionError: division by zero\nin operator 'divide' on element 0")


def test_user_error_leaves_out_library_frames():
    """Frames of this library are not shown when the user's own are there."""

    class Key:
        def __hash__(self):
            return user_code(0)

    with pytest.raises(ZeroDivisionError) as raised:
        key_group(Key(), 128)
    error = user_function_error("key_by", "element", raised.value)
    assert "in user_code" in error.user_traceback
    assert "key_groups.py" not in error.user_traceback


def test_user_error_without_user_frames_keeps_all():
    """An error that was raised in the library alone still shows where."""
    with pytest.raises(TypeError) as raised:
        key_group([], 128)
    raised.value.__traceback__ = raised.value.__traceback__.tb_next
    assert "key_groups.py" in user_function_error("key_by", [], raised.value).user_traceback


def test_user_error_shows_the_cause():
    """An error raised from another one shows both."""
    try:
        try:
            user_code(0)
        except ZeroDivisionError as error:
            msg = "cannot divide"
            raise ValueError(msg) from error
    except ValueError as error:
        text = user_function_error("divide", 0, error).user_traceback
    assert text.index("ZeroDivisionError") < text.index("ValueError: cannot divide")


def test_user_error_is_wrapped_once():
    """In a chain the innermost operator is the one that is named."""
    inner = caught(0)
    assert user_function_error("outer", 1, inner) is inner


def test_an_error_of_the_library_alone_is_returned_as_it_is():
    """It names the operator it is of; the one that ran when it was raised may be another."""
    with pytest.raises(ConfigurationError) as raised:
        limit_of_nothing()
    assert user_function_error("outer", 1, raised.value).operator == "outer"  # this test's lines led to it
    raised.value.__traceback__ = raised.value.__traceback__.tb_next.tb_next
    assert user_function_error("outer", 1, raised.value) is raised.value


def limit_of_nothing():
    positive(0, "limit")


def test_long_elements_are_shortened():
    """An element's repr is cut to 200 characters."""
    error = user_function_error("map", "x" * 1000, ValueError("no"))
    assert len(error.element) == 200
    assert error.element.endswith("...")


def test_shorten_survives_a_broken_repr():
    """A repr that raises does not hide the error that is reported."""

    class Broken:
        def __repr__(self):
            raise OSError

    assert shorten(Broken()) == "<Broken whose repr raised OSError>"


def test_messages_say_what_to_do():
    """The messages name the operator and the way out."""
    assert "'win'" in str(MissingTimestampError("win", 1))
    assert "assign_timestamps_and_watermarks" in str(MissingTimestampError("win", 1))
    assert "'by'" in str(UnhashableKeyError("by", [1]))
    assert "[1] (list)" in str(UnhashableKeyError("by", [1]))
