"""Stand-ins for Rows and for objects of dataclasses: fields can be read, and nothing else can be done with them.

Tuples need none: a tuple of stand-ins does what tuples do.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NoReturn

from windrow.common.types import ATTRIBUTES_OF_ROW
from windrow.elements.class_fields import plain_fields
from windrow.tracing.outcome import Refused

_REFUSED = (
    *("eq", "ne", "lt", "le", "gt", "ge", "hash", "str", "repr", "format", "call", "contains", "setitem", "delitem"),
)


class _Record:
    __slots__ = ()

    def __setattr__(self, name: str, value: object) -> NoReturn:
        msg = f"assigns .{name} of an element"
        raise Refused(msg)

    __delattr__ = __setattr__  # type: ignore[assignment]


def _refusing(name: str) -> Any:
    def refusing(self: object, *_: object, **__: object) -> NoReturn:
        msg = f"does __{name}__ with a Row or an object"
        raise Refused(msg)

    return refusing


for _name in _REFUSED:
    setattr(_Record, f"__{_name}__", _refusing(_name))


class RowRecord(_Record):
    """Stands for a Row.

    Args:
        names: The names of its fields; None if they have none.
        values: Stand-ins and constants.
    """

    __slots__ = ("_names", "_values")
    _names: Sequence[str] | None
    _values: Sequence[Any]

    def __init__(self, names: Sequence[str] | None, values: Sequence[Any]) -> None:
        object.__setattr__(self, "_names", None if names is None else list(names))
        object.__setattr__(self, "_values", list(values))

    def __getitem__(self, item: Any) -> Any:
        if isinstance(item, int | slice):
            return self._values[item]
        if self._names is None or item not in self._names:
            raise KeyError(item)
        return self._values[self._names.index(item)]

    def __getattr__(self, name: str) -> Any:
        if name in ATTRIBUTES_OF_ROW:
            msg = f"uses Row.{name}"
            raise Refused(msg)
        if self._names is None or name not in self._names:
            raise AttributeError(name)
        return self._values[self._names.index(name)]

    def __iter__(self) -> Iterator[Any]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)


class ObjectRecord(_Record):
    """Stands for an object of a dataclass.

    Args:
        kind: The dataclass.
        values: The fields' values by name: stand-ins and constants.
    """

    __slots__ = ("_kind", "_values")
    _kind: type
    _values: dict[str, Any]

    def __init__(self, kind: type, values: dict[str, Any]) -> None:
        object.__setattr__(self, "_kind", kind)
        object.__setattr__(self, "_values", values)

    def __getattr__(self, name: str) -> Any:
        if name not in self._values:
            msg = f"uses .{name} of {self._kind.__name__}, which is no field"
            raise Refused(msg)
        return self._values[name]


for _name in ("bool", "len", "iter", "next", "enter", "exit", "int", "float", "index"):
    setattr(ObjectRecord, f"__{_name}__", _refusing(_name))


def make_row(*values: Any, **named: Any) -> RowRecord:
    """Stands for the class ``Row``."""
    if values and named:
        msg = "makes a Row of values with and without names"
        raise Refused(msg)
    return RowRecord(list(named), list(named.values())) if named else RowRecord(None, values)


def field_names(kind: Any) -> tuple[str, ...]:
    """The fields of a dataclass that is nothing but fields: making an object runs no code of the user's.

    Raises:
        Refused: it is something else.
    """
    if not (isinstance(kind, type) and "__dataclass_fields__" in vars(kind)):
        msg = f"uses {getattr(kind, '__name__', kind)!r}, which is no dataclass"
        raise Refused(msg)
    names = plain_fields(kind)
    if names is None:
        msg = f"uses {kind.__name__}, whose objects do more than to hold fields"
        raise Refused(msg)
    return names
