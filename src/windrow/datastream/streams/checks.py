"""Checks of what a user passes to a stream's methods: wrong use fails at the user's call."""

from __future__ import annotations

import inspect
from typing import Any, TypeVar

from windrow.common.typeinfo import PickledBytesTypeInfo
from windrow.datastream.functions import Function
from windrow.errors import ConfigurationError, ConfigurationTypeError, shorten

T = TypeVar("T")


def instance_of(value: T, kind: type[Any], parameter: str, hint: str = "") -> T:
    """``value``, if it is an object of the class ``kind``.

    Args:
        value: What the user gave.
        kind: What it must be.
        parameter: What it was given for, for the error message.
        hint: What to do instead, for the error message.

    Raises:
        ConfigurationTypeError: it is something else.

    Example:
        >>> instance_of(int, int, "limit")
        Traceback (most recent call last):
        ...
        windrow.errors.ConfigurationTypeError: limit must be an object of int; got the class int: make an object of it
    """
    if isinstance(value, kind):
        return value
    msg = f"{parameter} must be an object of {kind.__name__}; got {_described(value)}{hint and f': {hint}'}"
    raise ConfigurationTypeError(msg)


def function_of(function: Any, kind: type[Function], call: str, arguments: int = 1) -> Any:
    """``function``, if it is an object of the class ``kind`` or a callable of so many arguments.

    Args:
        function: What the user gave.
        kind: The class of function that ``call`` takes.
        call: The stream's method, for the error message.
        arguments: How many arguments a plain function is called with.

    Raises:
        ConfigurationTypeError: it is neither.
    """
    if isinstance(function, kind):
        return function
    if isinstance(function, Function) or is_function_class(function) or not callable(function):
        needed = "a value" if arguments == 1 else f"{arguments} values"
        article = "an" if kind.__name__[0] in "AEIOU" else "a"
        msg = f"{call} takes {article} {kind.__name__} or a function of {needed}; got {_described(function)}"
        raise ConfigurationTypeError(msg)
    check_arguments(function, arguments, call)
    return function


def check_arguments(function: Any, arguments: int, call: str) -> None:
    """Check that a plain function can be called with so many arguments.

    Raises:
        ConfigurationTypeError: it cannot.
    """
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return  # a function written in C that does not say what it takes
    try:
        signature.bind(*[None] * arguments)
    except TypeError as error:
        number = "one argument" if arguments == 1 else f"{arguments} arguments"
        msg = f"the function given to {call} is called with {number}, but {shorten(function)} has {signature}: {error}"
        raise ConfigurationTypeError(msg) from None


def positive(value: Any, parameter: str) -> int:
    """``value``, if it is an int above 0.

    Raises:
        ConfigurationTypeError: it is no int.
        ConfigurationError: it is not above 0.
    """
    if isinstance(value, bool) or not isinstance(value, int):
        msg = f"{parameter} must be an int; got {_described(value)}"
        raise ConfigurationTypeError(msg)
    if value <= 0:
        msg = f"{parameter} must be at least 1; got {value}"
        raise ConfigurationError(msg)
    return value


def text(value: Any, parameter: str) -> str:
    """``value``, if it is a str that is not empty.

    Raises:
        ConfigurationTypeError: it is something else.
    """
    if isinstance(value, str) and value:
        return value
    msg = f"{parameter} must be a str that is not empty; got {_described(value)}"
    raise ConfigurationTypeError(msg)


def same_environment(first: Any, second: Any, call: str) -> None:
    """Check that two streams belong to one environment.

    Raises:
        ConfigurationError: they do not.
    """
    if first.get_execution_environment() is not second.get_execution_environment():
        msg = f"{call} takes streams of one environment; got one of another"
        raise ConfigurationError(msg)


def same_key_types(first: Any, second: Any, call: str) -> None:
    """Check that the keys of two keyed streams are not declared to be of different types: none would be equal.

    Raises:
        ConfigurationError: they are.
    """
    types = first.get_key_type(), second.get_key_type()
    if types[0] != types[1] and PickledBytesTypeInfo() not in types:
        msg = (
            f"{call} takes two streams with keys of one type; got {types[0]} and {types[1]}: equal keys meet, so give "
            "both key_by calls the same key_type"
        )
        raise ConfigurationError(msg)


def is_function_class(value: Any) -> bool:
    """Other classes are functions too: ``map(int)``."""
    return isinstance(value, type) and issubclass(value, Function)


def _described(value: Any) -> str:
    if isinstance(value, type):
        return f"the class {value.__name__}: make an object of it"
    return "None" if value is None else f"{shorten(value)} ({type(value).__name__})"
