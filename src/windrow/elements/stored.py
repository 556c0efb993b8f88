"""Makes bytes of values that a checkpoint keeps: pickle, in which classes of Windrow are numbers.

Objects of users' dataclasses and named tuples have their fields by name (``class_records.py``).
``elements/codec.py`` is for bytes that only travel. Classes of users stand there by their module and name, as in any
pickle, and those that only the program knows by their place in it (``program_classes.py``).
"""

from __future__ import annotations

import io
import pickle
from functools import cache
from typing import Any

from windrow.elements.registered import Reducers, class_by_place

_REDUCERS = Reducers()
PROTOCOL = 5


class Writer:
    """Pickles values for a checkpoint, each into bytes of its own.

    Example:
        >>> write = Writer().write
        >>> [loads(write(value)) for value in ("a", ["a"])]
        ['a', ['a']]
    """

    def __init__(self) -> None:
        self._buffer = io.BytesIO()
        self._pickler = pickle.Pickler(self._buffer, PROTOCOL)
        self._pickler.dispatch_table = _REDUCERS

    def write(self, value: Any) -> bytes:
        """Give what :func:`dumps` gives."""
        buffer, pickler = self._buffer, self._pickler
        buffer.seek(0)
        buffer.truncate()
        pickler.clear_memo()
        try:
            pickler.dump(value)
        except (pickle.PicklingError, AttributeError, TypeError):
            return dumps_with_code(value)
        return buffer.getvalue()


def dumps(value: Any) -> bytes:
    """Pickle ``value`` for a checkpoint; objects whose class is in a function with their class.

    Example:
        >>> from windrow.common import Row
        >>> b"windrow" in dumps(Row(a=1)), loads(dumps(Row(a=1)))
        (False, Row(a=1))
    """
    return Writer().write(value)


def dumps_with_code(value: Any) -> bytes:
    """Pickle ``value`` with the code of functions and classes that another process cannot import."""
    buffer = io.BytesIO()
    _pickler_with_code()(buffer, PROTOCOL).dump(value)
    return buffer.getvalue()


def loads(data: bytes | memoryview) -> Any:
    """Read what :func:`dumps` and :func:`dumps_with_code` wrote."""
    return pickle.loads(data)


@cache
def _pickler_with_code() -> type[pickle.Pickler]:
    import cloudpickle

    class PicklerWithCode(cloudpickle.Pickler):  # type: ignore[misc]
        dispatch_table = Reducers(cloudpickle.Pickler.dispatch_table)

        def reducer_override(self, obj: Any) -> Any:
            by_place = class_by_place(obj) if isinstance(obj, type) else None
            return by_place or super().reducer_override(obj)

    return PicklerWithCode
