"""Reads what a checkpoint holds without running anything of it.

A pickle may name any function of the machine and have it called, so reading one is trusting whoever has written it.
Here only Windrow's own classes are made, which are numbers in a checkpoint; of everything else it is said what it is.
"""

from __future__ import annotations

import copyreg
import io
import pickle
import pickletools
from typing import Any

from windrow.elements import registered
from windrow.elements.class_records import INSTEAD


class _Inert(type):
    """A class that is its own object: whatever a pickle does with it, it stays as it is."""

    #: The place of what it stands for.
    made_by = ""

    def __call__(cls, *_: Any, **__: Any) -> Any:
        return cls

    def __setitem__(cls, _: Any, __: Any) -> None:
        """Nothing is kept."""

    def __repr__(cls) -> str:
        return f"<{cls.made_by}, not read>"


def _nothing(*_: Any, **__: Any) -> None:
    """Nothing is kept."""


class Unread(metaclass=_Inert):
    """Stands for a class, a function, an object, or what these make, that were not made."""

    __setstate__ = append = extend = add = staticmethod(_nothing)

    def __new__(cls, *_: Any, **__: Any) -> Any:
        return cls


def loads_inert(data: bytes | memoryview) -> Any:
    """Read what :func:`windrow.elements.stored.dumps` wrote; objects of other classes are :class:`Unread`.

    Raises:
        pickle.UnpicklingError: it is no pickle, or not all of one, or names something by a number of somebody else's.

    Example:
        >>> from datetime import date
        >>> from windrow.common import Row
        >>> from windrow.elements.stored import dumps
        >>> loads_inert(dumps([Row(a=1), date(2026, 1, 1)]))
        [Row(a=1), <datetime.date, not read>]
    """
    try:
        _check_numbers(data)
        token = INSTEAD.set(_unread)
        try:
            return _Unpickler(io.BytesIO(data)).load()
        finally:
            INSTEAD.reset(token)
    except pickle.UnpicklingError:
        raise
    except Exception as error:
        msg = f"{type(error).__name__}: {error}"
        raise pickle.UnpicklingError(msg) from error


class _Unpickler(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        if (module, name) == (registered.__name__, registered.restorer.__name__):
            return registered.restorer
        return _Inert("Unread", (Unread,), {"made_by": f"{module}.{name}"})


def _unread(named: Any) -> Any:
    """Give a stand-in for the class or object that is named by its place; anything else stays as it is."""
    return _Inert("Unread", (Unread,), {"made_by": named.replace(":", ".")}) if isinstance(named, str) else named


def _check_numbers(data: bytes | memoryview) -> None:
    """Refuse what Python would find by a number, and has found before, without asking where it is."""
    if copyreg._inverted_registry.keys() <= {registered.EXTENSION}:  # type: ignore[attr-defined]
        return  # there are no others
    for code, number, _ in pickletools.genops(bytes(data)):
        if code.name.startswith("EXT") and number != registered.EXTENSION:
            msg = f"the number {number} is none of Windrow's"
            raise pickle.UnpicklingError(msg)
