"""Reads what a checkpoint holds without running anything of it.

A pickle may name any function of the machine and have it called, so reading one is trusting whoever has written it.
Here only Windrow's own classes are made, which are numbers in a checkpoint; of everything else it is said what it is.
"""

from __future__ import annotations

import io
import pickle
from typing import Any, Self

from windrow.elements import registered


class Unread:
    """Stands for an object that was not made."""

    #: The place of what would have made it.
    made_by = ""

    def __new__(cls, *_: Any, **__: Any) -> Self:
        return super().__new__(cls)

    def __init__(self, *_: Any, **__: Any) -> None:
        """Made of nothing that stands behind it."""

    def __call__(self, *_: Any, **__: Any) -> Unread:
        return self

    def __setstate__(self, _: Any) -> None:
        """Nothing is kept."""

    def __setitem__(self, _: Any, __: Any) -> None:
        """Nothing is kept."""

    def append(self, _: Any) -> None:
        """Keep nothing."""

    def extend(self, _: Any) -> None:
        """Keep nothing."""

    def add(self, _: Any) -> None:
        """Keep nothing."""

    def __repr__(self) -> str:
        return f"<{self.made_by}, not read>"


def loads_inert(data: bytes | memoryview) -> Any:
    """Read what :func:`windrow.elements.stored.dumps` wrote; objects of other classes are :class:`Unread`.

    Raises:
        pickle.UnpicklingError: it is no pickle, or not all of one.

    Example:
        >>> from datetime import date
        >>> from windrow.common import Row
        >>> from windrow.elements.stored import dumps
        >>> loads_inert(dumps([Row(a=1), date(2026, 1, 1)]))
        [Row(a=1), <datetime.date, not read>]
    """
    try:
        return _Unpickler(io.BytesIO(data)).load()
    except pickle.UnpicklingError:
        raise
    except Exception as error:
        msg = f"{type(error).__name__}: {error}"
        raise pickle.UnpicklingError(msg) from error


class _Unpickler(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        if (module, name) == (registered.__name__, registered.restorer.__name__):
            return registered.restorer
        return type("Unread", (Unread,), {"made_by": f"{module}.{name}"})
