"""Methods that are there, but at another step of a program: what a call on the wrong object says."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

_KEYS = "call key_by before it"
_KEYS_OR_ALL = "call key_by before it, or window_all for windows of the whole stream"
_OTHER = "call connect on the other stream, and give it this one"
_JOIN = "call where(...), equal_to(...) and window(...) before it"

#: By class and method. What is said of a class holds for those that are derived from it.
STEPS: Final[Mapping[str, Mapping[str, str]]] = {
    "DataStream": {
        "reduce": _KEYS_OR_ALL,
        "fold": _KEYS,
        "sum": _KEYS_OR_ALL,
        "min": _KEYS_OR_ALL,
        "max": _KEYS_OR_ALL,
        "min_by": _KEYS_OR_ALL,
        "max_by": _KEYS_OR_ALL,
        "window": _KEYS_OR_ALL,
        "time_window": "call key_by before it, or time_window_all for the whole stream",
        "count_window": "call key_by before it, or count_window_all for the whole stream",
        "interval_join": _KEYS,
        "select": "call split before it",
    },
    "IntervalJoin": {
        "process": "call between before it",
        "lower_bound_exclusive": "call between before it",
        "upper_bound_exclusive": "call between before it",
    },
    "CoGrouping": {
        "equal_to": "call where(...) before it",
        "window": "call where(...) and equal_to(...) before it",
        "apply": _JOIN,
    },
    "Where": {"window": "call equal_to(...) before it", "apply": "call equal_to(...) and window(...) before it"},
    "EqualTo": {
        "apply": "call window(...) before it",
        "trigger": "call window(...) before it",
        "allowed_lateness": "call window(...) before it",
    },
    "BroadcastStream": {"connect": _OTHER, "process": _OTHER, "map": _OTHER, "flat_map": _OTHER},
}
