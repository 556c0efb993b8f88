"""Finds the classes of a program that only the program knows: those of its main script, or of a notebook.

A worker cannot import them; they come with the job's functions. State names them by their place, ``__main__:Order``,
and whoever reads it takes the class that the program has now: what a restarted program reads is of its own classes, and
an object costs its fields, where the code of its class would take 2.8 KB and 170 us each time.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Iterable
from typing import Any

#: Those that came with the job that this process works for, by their places.
_CAME: dict[str, type] = {}


def use_classes(classes: Iterable[type]) -> None:
    """Let state be written and read with these, and with no others that have come before."""
    found: dict[str, type] = {}
    several: set[str] = set()
    for kind in classes:
        place = _place(kind)
        if found.setdefault(place, kind) is not kind:
            several.add(place)
    _CAME.clear()
    _CAME.update({place: kind for place, kind in found.items() if place not in several})


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


def dumps_with_classes(value: Any) -> bytes:
    """Pickle ``value`` with the code that another process cannot import, and say which classes are among it.

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

    buffer = io.BytesIO()
    # In one pickle, and the list behind the value: what it names are the very classes of the value.
    Pickler(buffer, protocol=5).dump((value, _OfModules(met)))
    return buffer.getvalue()


class _OfModules:
    """The classes of modules among those that were met until it is pickled."""

    def __init__(self, met: list[type]) -> None:
        self._met = met

    def __reduce__(self) -> Any:
        return list, ([kind for kind in self._met if "<locals>" not in kind.__qualname__],)


def _place(kind: type) -> str:
    return f"{kind.__module__}:{kind.__qualname__}"


def _found(place: str) -> Any:
    module, _, names = place.partition(":")
    found: Any = sys.modules.get(module)
    for name in names.split("."):
        found = getattr(found, name, None)
    return found
