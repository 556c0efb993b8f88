"""Checks of what triggers, evictors and assigners are made with: wrong use fails where they are made."""

from __future__ import annotations

import datetime
from typing import Any, TypeAlias

from windrow.common.time import Duration, Time
from windrow.errors import ConfigurationError, ConfigurationTypeError

#: An int is a number of milliseconds.
TimeSpan: TypeAlias = Time | Duration | datetime.timedelta | int


def whole_number(value: Any, least: int, parameter: str, owner: str) -> int:
    """``value``, if it is an int that is at least ``least``.

    Args:
        value: What the user gave.
        least: The least that it may be.
        parameter: What it was given for, for the error message.
        owner: The class that is being made, for the error message.

    Raises:
        ConfigurationTypeError: it is no int.
        ConfigurationError: it is less.

    Example:
        >>> whole_number(0, 1, "window_size", "CountTrigger")
        Traceback (most recent call last):
        ...
        windrow.errors.ConfigurationError: CountTrigger needs window_size >= 1, but got 0
    """
    if isinstance(value, bool) or not isinstance(value, int):
        msg = f"{owner} needs a whole number as {parameter}, but got {value!r} ({type(value).__name__})"
        raise ConfigurationTypeError(msg)
    if value < least:
        msg = f"{owner} needs {parameter} >= {least}, but got {value!r}"
        raise ConfigurationError(msg)
    return value


def part(value: Any, kind: type[Any], parameter: str, owner: str) -> Any:
    """``value``, if it is an object of the class ``kind``.

    Raises:
        ConfigurationTypeError: it is something else, the class itself perhaps.
    """
    if isinstance(value, kind):
        return value
    hint = ": make an object of the class" if isinstance(value, type) else ""
    msg = f"{owner} needs a {kind.__name__} as {parameter}, but got {value!r} ({type(value).__name__}){hint}"
    raise ConfigurationTypeError(msg)


def check_threshold(value: Any, owner: str) -> Any:
    """``value``, if it may be what a delta is compared with: a number, or whatever the deltas can be compared with.

    Raises:
        ConfigurationTypeError: it is None or a text.
    """
    if value is None or isinstance(value, str | bool):
        msg = f"{owner} needs a number as threshold, but got {value!r} ({type(value).__name__})"
        raise ConfigurationTypeError(msg)
    return value
