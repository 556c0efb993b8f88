"""Count windows with Flink Java's meaning: parts of a window operation on the global window.

``KeyedStream.countWindow`` fires on every so many elements; PyFlink's assigners of count windows mean something else.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from windrow.datastream.window import (
    CountEvictor,
    CountTrigger,
    Evictor,
    GlobalWindows,
    PurgingTrigger,
    Trigger,
    WindowAssigner,
)
from windrow.errors import ConfigurationError, ConfigurationTypeError


class CountWindowParts(NamedTuple):
    """The parts of a :class:`~windrow.operators.window.spec.WindowSpec` of a count window."""

    assigner: WindowAssigner[Any, Any]
    trigger: Trigger[Any, Any]
    evictor: Evictor[Any, Any] | None


def count_window_parts(size: int, slide: int = 0) -> CountWindowParts:
    """The parts of windows of ``size`` elements of a key.

    Args:
        size: how many elements a window has.
        slide: after how many elements the next window comes, with the last ``size`` elements or as many as there
            are; 0 for windows that do not overlap.

    Raises:
        ConfigurationError: the size is less than 1, or the slide is negative.
        ConfigurationTypeError: one of them is not an integer.

    Example:
        >>> count_window_parts(3).trigger
        PurgingTrigger(CountTrigger(3))
        >>> count_window_parts(3, 2)[1:]
        (CountTrigger(2), CountEvictor(3))
    """
    _check_count("size", size, 1)
    _check_count("slide", slide, 0)
    if slide:
        return CountWindowParts(GlobalWindows.create(), CountTrigger.of(slide), CountEvictor.of(size))
    return CountWindowParts(GlobalWindows.create(), PurgingTrigger.of(CountTrigger.of(size)), None)


def _check_count(parameter: str, value: int, least: int) -> None:
    if not isinstance(value, int) or isinstance(value, bool):
        msg = f"the {parameter} of a count window must be a number of elements; got {value!r}"
        raise ConfigurationTypeError(msg)
    if value < least:
        msg = f"the {parameter} of a count window must be at least {least}; got {value}"
        raise ConfigurationError(msg)
