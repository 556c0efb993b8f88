"""Checks of the functions, triggers and evictors that a user passes: wrong use fails at the user's call."""

from __future__ import annotations

from typing import Any, TypeVar

from windrow.common.callables import check_function, check_results
from windrow.common.checks import described, instance_of
from windrow.datastream.functions.arrow import MapBatchFunction
from windrow.datastream.functions.async_ import AsyncFunction
from windrow.datastream.functions.base import Function
from windrow.datastream.functions.co import CoMapFunction
from windrow.datastream.functions.simple import (
    AggregateFunction,
    FilterFunction,
    FoldFunction,
    KeySelector,
    MapFunction,
    Partitioner,
    ReduceFunction,
)
from windrow.datastream.functions.sink import SinkFunction
from windrow.datastream.window import Evictor, Trigger
from windrow.errors import ConfigurationTypeError

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
    MapBatchFunction: ("map_batch",),
    MapFunction: ("map",),
    Partitioner: ("partition",),
    ReduceFunction: ("reduce",),
    SinkFunction: ("invoke",),
    Trigger: ("on_element", "on_event_time", "on_processing_time", "on_merge", "clear", "can_merge"),
}


def object_of(value: T, kind: type[Any], parameter: str, hint: str = "") -> T:
    """Give ``value``, if it is an object of the class ``kind`` whose methods give what is taken.

    Args:
        value: The function, trigger or evictor that the user gave.
        kind: What it must be.
        parameter: What it was given for, for the error message.
        hint: What to do instead, for the error message.

    Raises:
        ConfigurationTypeError: it is something else, or one of its methods does not give what it should.
    """
    check_methods(instance_of(value, kind, parameter, hint))
    return value


def function_of(function: Any, kind: type[Function], call: str, arguments: int = 1) -> Any:
    """Give ``function``, if it is an object of the class ``kind`` or a callable of so many arguments.

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
        msg = f"{call} takes {article} {kind.__name__} or a function of {needed}; got {described(function)}"
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


def is_function_class(value: Any) -> bool:
    """Other classes are functions too: ``map(int)``."""
    return isinstance(value, type) and issubclass(value, Function)
