"""Finds the classes of a program that only the program knows: those of its main script, or of a notebook.

A worker cannot import them; they come with the job's functions. State names them by their place, ``__main__:Order``,
and whoever reads it takes the class that the program has now: what a restarted program reads is of its own classes, and
an object costs its fields, where the code of its class would take 2.8 KB and 170 us each time.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Iterable
from typing import Any

#: Those that came with the job that this process works for, by their places.
_CAME: dict[str, type] = {}
#: Called when there are others: what was found out about classes may not hold any more.
_on_change: list[Callable[[], None]] = []


def when_classes_change(call: Callable[[], None]) -> None:
    """Have something called whenever state is written and read with other classes."""
    _on_change.append(call)


def use_classes(classes: Iterable[type]) -> None:
    """Let state be written and read with these, and with no others that have come before.

    For each task: a worker's process works for other jobs in between.
    """
    global _CAME  # noqa: PLW0603  (another one at once, and never half of it)
    found: dict[str, type] = {}
    several: set[str] = set()
    for kind in classes:
        place = _place(kind)
        if found.setdefault(place, kind) is not kind:
            several.add(place)
    came = {place: kind for place, kind in found.items() if place not in several}
    if came != _CAME:
        _CAME = came
        for call in _on_change:
            call()


def place_of(kind: type) -> str | None:
    """The place of a class that only the program has; None for one that can be imported, or is none of a module's.

    Example:
        >>> from datetime import date
        >>> place_of(date) is None
        True
    """
    place = _place(kind)
    if _CAME.get(place) is kind:
        return place
    return place if kind.__module__ == "__main__" and _found(place) is kind else None


def class_at(place: str) -> type | None:
    """The class that the program has at a place; None if it has none."""
    found = _CAME.get(place) or _found(place)
    return found if isinstance(found, type) else None


def dumps_with_classes(value: Any, others: Any = None) -> bytes:
    """Pickle ``value`` with the code that another process cannot import, and say which classes are among it.

    Args:
        value: What is pickled.
        others: What is not, but whose classes count as well.

    Example:
        >>> import pickle
        >>> pickle.loads(dumps_with_classes(7))
        (7, [])
    """
    import cloudpickle

    met: list[type] = []

    class Pickler(cloudpickle.Pickler):  # type: ignore[misc]
        def reducer_override(self, obj: Any) -> Any:
            reduced = super().reducer_override(obj)
            # What can be imported is left to pickle; types of the interpreter's own objects are no classes of users.
            if isinstance(obj, type) and reduced is not NotImplemented and obj.__module__ != "builtins":
                met.append(obj)
            return reduced

    Pickler(io.BytesIO(), protocol=5).dump(others)
    buffer = io.BytesIO()
    # In one pickle, and the list behind the value: what it names are the very classes of the value.
    Pickler(buffer, protocol=5).dump((value, _OfModules(met)))
    return buffer.getvalue()


class _OfModules:
    """The classes of modules among those that were met until it is pickled."""

    def __init__(self, met: list[type]) -> None:
        self._met = met

    def __reduce__(self) -> Any:
        return list, (list(dict.fromkeys([kind for kind in self._met if _is_found(kind)])),)


def _is_found(kind: type) -> bool:
    """Tell whether a class may be found by its name; another one may have it by now, or have it from the beginning.

    Of a frozen dataclass with slots there are two: its methods know the one that had none.
    """
    found = _found(_place(kind))
    return "<locals>" not in kind.__qualname__ and (found is None or found is kind)


def _place(kind: type) -> str:
    return f"{kind.__module__}:{kind.__qualname__}"


def _found(place: str) -> Any:
    module, _, names = place.partition(":")
    found: Any = sys.modules.get(module)
    for name in names.split("."):
        found = getattr(found, name, None)
    return found
