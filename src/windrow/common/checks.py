"""Checks of what a user passes: wrong use fails at the user's call."""

from __future__ import annotations

from typing import Any, TypeVar

from windrow.errors import ConfigurationError, ConfigurationTypeError, shorten

T = TypeVar("T")


def instance_of(value: T, kind: type[Any], parameter: str, hint: str = "") -> T:
    """Give ``value``, if it is an object of the class ``kind``.

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
    msg = f"{parameter} must be an object of {kind.__name__}; got {described(value)}{hint and f': {hint}'}"
    raise ConfigurationTypeError(msg)


def positive(value: Any, parameter: str) -> int:
    """Give ``value``, if it is an int above 0.

    Raises:
        ConfigurationTypeError: it is no int.
        ConfigurationError: it is not above 0.
    """
    if isinstance(value, bool) or not isinstance(value, int):
        msg = f"{parameter} must be an int; got {described(value)}"
        raise ConfigurationTypeError(msg)
    if value <= 0:
        msg = f"{parameter} must be at least 1; got {value}"
        raise ConfigurationError(msg)
    return value


def not_negative(value: Any, parameter: str) -> int:
    """Give ``value``, if it is an int that is not below 0.

    Raises:
        ConfigurationTypeError: it is no int.
        ConfigurationError: it is below 0.
    """
    if isinstance(value, bool) or not isinstance(value, int):
        msg = f"{parameter} must be an int; got {described(value)}"
        raise ConfigurationTypeError(msg)
    if value < 0:
        msg = f"{parameter} must not be below 0; got {value}"
        raise ConfigurationError(msg)
    return value


def text(value: Any, parameter: str) -> str:
    """Give ``value``, if it is a str that is not empty.

    Raises:
        ConfigurationTypeError: it is something else.
    """
    if isinstance(value, str) and value:
        return value
    msg = f"{parameter} must be a str that is not empty; got {described(value)}"
    raise ConfigurationTypeError(msg)


def described(value: Any) -> str:
    """Say what a user gave, for an error message."""
    if isinstance(value, type):
        return f"the class {value.__name__}: make an object of it"
    return "None" if value is None else f"{shorten(value)} ({type(value).__name__})"
