"""The rule by which an object is made of fields that were stored, when its class may have changed since.

That of Flink's POJO serializer, for dataclasses and named tuples: a field that the class has got has its default, one
that it has lost is left out, and their order does not matter. A ``__setstate__`` of the class decides itself.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, NamedTuple

from windrow.errors import CheckpointError


def has_fields(kind: Any, names: tuple[str, ...]) -> bool:
    """Tell whether a class is a dataclass of these fields, in this order."""
    return hasattr(kind, "__dataclass_fields__") and tuple(fields_of(kind).defaults) == names


def made_by_name(kind: Any, values: Mapping[str, Any]) -> Any:
    """Make an object of a class of these fields, as far as the class has them."""
    if is_named_tuple(kind):
        return kind._make([_value(kind, name, values, kind._field_defaults) for name in kind._fields])
    made = kind.__new__(kind)
    set_fields(made, values, {})
    return made


def set_fields(made: Any, values: Mapping[str, Any], others: Mapping[str, Any]) -> None:
    """Give an object the fields that were written, as far as its class has them, and its other attributes."""
    kind: Any = type(made)
    if has_own_setstate(kind):
        made.__setstate__({**values, **others})
        return
    if hasattr(kind, "__dataclass_fields__"):
        defaults = fields_of(kind).defaults
        values = {name: _value(kind, name, values, defaults) for name in defaults}
    for name, value in (*values.items(), *others.items()):
        object.__setattr__(made, name, value)


def has_own_setstate(kind: type) -> bool:
    """Tell whether its user has written one: that of a frozen dataclass with slots takes values by their place."""
    own = getattr(kind, "__setstate__", None)
    return own is not None and own.__module__ != dataclasses.__name__


class Fields(NamedTuple):
    """The fields of a dataclass."""

    #: By name what makes a value, or the field's default, or that it has none.
    defaults: dict[str, Any]
    #: Whether they are in the object's ``__dict__``.
    has_dict: bool


class _Made(NamedTuple):
    """A default that is made anew for each object."""

    make: Callable[[], Any]


_MISSING = object()


@cache
def fields_of(kind: Any) -> Fields:
    """The fields of a dataclass, in their order."""
    defaults: dict[str, Any] = {}
    for field in dataclasses.fields(kind):
        if field.default_factory is not dataclasses.MISSING:
            defaults[field.name] = _Made(field.default_factory)
        else:
            defaults[field.name] = _MISSING if field.default is dataclasses.MISSING else field.default
    slots = {name for base in kind.__mro__ for name in _slots(base)}
    return Fields(defaults, not slots & defaults.keys())


def _slots(base: type) -> tuple[str, ...]:
    slots = vars(base).get("__slots__", ())
    return (slots,) if isinstance(slots, str) else tuple(slots)


def _value(kind: type, name: str, values: Mapping[str, Any], defaults: Mapping[str, Any]) -> Any:
    if name in values:
        return values[name]
    default = defaults.get(name, _MISSING)
    if default is _MISSING:
        msg = (
            f"an object of {full_name(kind)} was stored without the field {name!r}, which the class has now, and for "
            "which it gives no default: give it one, or give the class a __setstate__ that takes the fields of before "
            f"({', '.join(values) or 'none'})"
        )
        raise CheckpointError(msg)
    return default.make() if isinstance(default, _Made) else default


def is_named_tuple(kind: type) -> bool:
    """Tell whether a class is a named tuple, and its objects have nothing but its fields."""
    is_one = issubclass(kind, tuple) and hasattr(kind, "_fields") and hasattr(kind, "_field_defaults")
    return is_one and is_pickled_plainly(kind) and not getattr(kind, "__dictoffset__", 0) and hasattr(kind, "_asdict")


def is_pickled_plainly(kind: type) -> bool:
    """Tell whether a class leaves it to pickle how its objects are taken apart."""
    return all(getattr(kind, name) is getattr(object, name) for name in ("__reduce__", "__reduce_ex__"))


def full_name(kind: type) -> str:
    """Where a class is, and its name."""
    return f"{kind.__module__}.{kind.__qualname__}"
