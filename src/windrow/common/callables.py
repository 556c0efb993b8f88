"""Checks functions before they are called: wrong use fails at the line that names one."""

from __future__ import annotations

import inspect
from functools import partial
from typing import Any

from windrow.errors import ConfigurationTypeError, shorten


def check_function(function: Any, arguments: int, call: str, *, many: bool = False) -> None:
    """Check that a plain function can be called with so many arguments, and that it returns what is asked for.

    Args:
        function: What the user gave.
        arguments: How many arguments it is called with.
        call: What it was given to, for the error message.
        many: Whether it gives any number of results, so that it may be a generator.

    Raises:
        ConfigurationTypeError: it cannot, or it is a generator function or ``async def`` where a value is expected.

    Example:
        >>> check_function(lambda event: event[1], 2, "with_timestamp_assigner")
        Traceback (most recent call last):
        ...
        windrow.errors.ConfigurationTypeError: the function given to with_timestamp_assigner is called with 2 ...
    """
    check_results(function, f"the function given to {call}", many=many)
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return  # a function written in C that does not say what it takes
    try:
        signature.bind(*[None] * arguments)
    except TypeError as error:
        number = "one argument" if arguments == 1 else f"{arguments} arguments"
        name = getattr(function, "__name__", shorten(function))
        msg = f"the function given to {call} is called with {number}, but {name} has {signature}: {error}"
        raise ConfigurationTypeError(msg) from None


def check_results(function: Any, what: str, *, many: bool = False) -> None:
    """Check that a function is no ``async def``, and no generator function unless it gives ``many`` results.

    Their results come later, when somebody awaits or iterates: as elements they would be objects that nobody can send.

    Raises:
        ConfigurationTypeError: it is one.
    """
    called = function
    while isinstance(called, partial):
        called = called.func
    if not inspect.isroutine(called) and not isinstance(called, type):
        called = getattr(type(called), "__call__", called)  # noqa: B004  (what is called of an object)
    if inspect.iscoroutinefunction(called) or inspect.isasyncgenfunction(called):
        msg = f"{what} is async def, and nobody would await what it gives: use AsyncDataStream, or def without async"
        raise ConfigurationTypeError(msg)
    if inspect.isgeneratorfunction(called) and not many:
        msg = f"{what} is a generator function, but one value is expected: return it, or yield many in a flat_map"
        raise ConfigurationTypeError(msg)
