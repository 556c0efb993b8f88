"""Reads and writes windows and values as cases do."""

from __future__ import annotations

from typing import Any

from windrow.common.limits import NO_TIMESTAMP
from windrow.datastream.window import GlobalWindow, TimeWindow, Window


def window_of(json: Any) -> Any:
    """The window that ``[start, end]`` or ``"global"`` stands for."""
    return GlobalWindow.get() if json == "global" else TimeWindow(*json)


def window_json(window: Window) -> Any:
    """Write ``window``: the opposite of :func:`window_of`."""
    return [window.start, window.end] if isinstance(window, TimeWindow) else "global"


def value_of(json: Any) -> Any:
    """The value of an element: arrays are tuples."""
    return tuple(value_of(item) for item in json) if isinstance(json, list) else json


def value_json(value: Any) -> Any:
    """Write a value: the opposite of :func:`value_of`."""
    return [value_json(item) for item in value] if isinstance(value, (tuple, list)) else value


def timestamp_of(json: int | None) -> int:
    """The timestamp of an element: null is none."""
    return NO_TIMESTAMP if json is None else json
