"""The settings of a picture, and the short forms of what is written in it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from windrow.errors import shorten

_VALUE_LENGTH, _RESULT_LENGTH = 18, 30


def short(value: Any) -> str:
    """An element as a picture shows it, where nobody says how."""
    return value if isinstance(value, str) and len(value) <= _VALUE_LENGTH else shorten(value, _VALUE_LENGTH)


def cut(text: str, length: int = _RESULT_LENGTH) -> str:
    """The beginning of a text, if it is long."""
    return text if len(text) <= length else text[: length - 3] + "..."


@dataclass(frozen=True)
class Drawing:
    """The settings by which a trace is drawn.

    Attributes:
        title: What stands above the picture.
        subtitle: What stands below the title.
        event_time: Whether the axis of time is that of event time; else it is that of processing time.
        allowed_lateness: How long windows wait behind their ends, in milliseconds.
        interval: Which elements a join joins, as bounds in milliseconds; None: there are windows.
        label: What is written beside an element; an empty text writes nothing.
        result: What is written of a result.
        by_processing_time: Whether steps lie as far apart as processing time has moved in between.
        width: In pixels.
    """

    title: str
    subtitle: str = ""
    event_time: bool = True
    allowed_lateness: int = 0
    interval: tuple[int, int] | None = None
    label: Callable[[Any], str] = short
    result: Callable[[Any], str] = short
    by_processing_time: bool = False
    width: float = 860.0
