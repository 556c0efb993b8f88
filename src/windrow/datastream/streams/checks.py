"""Checks of what a user passes to a stream's methods: wrong use fails at the user's call."""

from __future__ import annotations

from typing import Any, TypeVar

from windrow.common.callables import check_function, check_results
from windrow.common.typeinfo import PickledBytesTypeInfo
from windrow.datastream.functions import (
    AggregateFunction,
    AsyncFunction,
    CoMapFunction,
    FilterFunction,
    FoldFunction,
    Function,
    KeySelector,
    MapFunction,
    Partitioner,
    ReduceFunction,
    SinkFunction,
)
from windrow.datastream.window import Evictor, Trigger
from windrow.errors import ConfigurationError, ConfigurationTypeError, shorten

T = TypeVar("T")

#: Methods that return a value, which a generator or a coroutine is not.
_VALUES: dict[type[Any], tuple[str, ...]] = {
    Function: ("open", "close"),
    AggregateFunction: ("create_accumulator", "add", "get_result", "merge"),
    CoMapFunction: ("map1", "map2"),
    Evictor: ("evict_before", "evict_after"),
    FilterFunction: ("filter",),
    FoldFunction: ("fold",),
    KeySelector: ("get_key",),
    MapFunction: ("map",),
    Partitioner: ("partition",),
    ReduceFunction: ("reduce",),
    SinkFunction: ("invoke",),
    Trigger: ("on_element", "on_event_time", "on_processing_time", "on_merge", "clear", "can_merge"),
}


def instance_of(value: T, kind: type[Any], parameter: str, hint: str = "") -> T:
    """``value``, if it is an object of the class ``kind``.

    Args:
        value: What the user gave.
        kind: What it must be.
        parameter: What it was given for, for the error message.
        hint: What to do instead, for the error message.

    Raises:
        ConfigurationTypeError: it is something else, or a function whose methods do not give what they should.

    Example:
        >>> instance_of(int, int, "limit")
        Traceback (most recent call last):
        ...
        windrow.errors.ConfigurationTypeError: limit must be an object of int; got the class int: make an object of it
    """
    if isinstance(value, kind):
        check_methods(value)
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
        ConfigurationTypeError: it is neither, or gives a generator or a coroutine where a value is expected.
    """
    if isinstance(function, kind):
        check_methods(function)
        return function
    if isinstance(function, Function) or is_function_class(function) or not callable(function):
        needed = "a value" if arguments == 1 else f"{arguments} values"
        article = "an" if kind.__name__[0] in "AEIOU" else "a"
        msg = f"{call} takes {article} {kind.__name__} or a function of {needed}; got {_described(function)}"
        raise ConfigurationTypeError(msg)
    check_function(function, arguments, call, many=kind not in _VALUES)
    return function


def check_methods(function: Any) -> None:
    """Check that the methods of a function, trigger or evictor give what is taken: values, or results one by one.

    Raises:
        ConfigurationTypeError: one is ``async def``, or a generator where a value is expected.
    """
    if not isinstance(function, Function | Trigger | Evictor) or isinstance(function, AsyncFunction):
        return
    values = {name for kind, names in _VALUES.items() if isinstance(function, kind) for name in names}
    kind = type(function)
    for name in {name for base in kind.__mro__ for name in getattr(base, "__abstractmethods__", ())} | values:
        check_results(getattr(kind, name), f"{name} of {kind.__name__}", many=name not in values)


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


def not_negative(value: Any, parameter: str) -> int:
    """``value``, if it is an int that is not below 0.

    Raises:
        ConfigurationTypeError: it is no int.
        ConfigurationError: it is below 0.
    """
    if isinstance(value, bool) or not isinstance(value, int):
        msg = f"{parameter} must be an int; got {_described(value)}"
        raise ConfigurationTypeError(msg)
    if value < 0:
        msg = f"{parameter} must not be below 0; got {value}"
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
