"""Checks of streams that are brought together: wrong use fails at the user's call."""

from __future__ import annotations

from typing import Any

from windrow.common.typeinfo import PickledBytesTypeInfo
from windrow.errors import ConfigurationError


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
