"""The rule by which an object is made of fields that were stored, when its class may have changed since.

That of Flink's POJO serializer, for dataclasses and named tuples: a field that the class has got has its default, one
that it has lost is left out, and their order does not matter. A ``__setstate__`` of the class decides itself.
"""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Callable, Collection, Mapping
from functools import cache
from types import MemberDescriptorType
from typing import Any, NamedTuple

from windrow.common.serializer import serializer_of
from windrow.errors import CheckpointError


@cache
def plain_fields(kind: Any) -> tuple[str, ...] | None:
    """The fields of a dataclass that is nothing but fields: making and storing an object runs no code of the user's.

    None: it is something else.
    """
    if not (isinstance(kind, type) and "__dataclass_fields__" in vars(kind)):
        return None
    fields = dataclasses.fields(kind)
    names = tuple(field.name for field in fields)
    parameters: Any = kind.__dataclass_params__  # type: ignore[attr-defined]
    init = vars(kind).get("__init__")
    code = getattr(init, "__code__", None)
    plain = (
        type(kind) is type
        and parameters.init
        and code is not None
        and code.co_filename == "<string>"
        and code.co_varnames[1 : code.co_argcount] == names
        and not code.co_kwonlyargcount
        and inherits(kind, "__new__", "__getattribute__", *(() if parameters.frozen else ("__setattr__",)))
        and not any(hasattr(kind, name) for name in ("__post_init__", "__getattr__", "__del__"))
        and all(field.init and field.default_factory is dataclasses.MISSING for field in fields)
        and all(_is_plain(inspect.getattr_static(kind, name, None)) for name in names)
        and not any(name.startswith("_") for name in names)
        and is_pickled_plainly(kind)
        and not has_own_setstate(kind)
        and serializer_of(kind) is None
    )
    return names if plain else None


def _is_plain(attribute: Any) -> bool:
    kind = type(attribute)
    return kind is MemberDescriptorType or not any(hasattr(kind, name) for name in ("__get__", "__set__", "__delete__"))


def inherits(kind: type, *names: str) -> bool:
    """Tell whether a class has object's own methods of these names."""
    return all(getattr(kind, name) is getattr(object, name) for name in names)


def made_by_name(kind: Any, values: Mapping[str, Any]) -> Any:
    """Make an object of a class of these fields, as far as the class has them."""
    if is_named_tuple(kind):
        return kind._make([_value(kind, name, values, kind._field_defaults) for name in kind._fields])
    made = kind.__new__(kind)
    set_fields(made, values, {}, values.keys())
    return made


def set_fields(made: Any, values: Mapping[str, Any], others: Mapping[str, Any], names: Collection[str]) -> None:
    """Give an object the fields that were written, as far as its class has them, and its other attributes.

    Args:
        made: The object.
        values: The fields by name; one that is not there was not set.
        others: Its other attributes, which a class that has nothing but slots has no room for.
        names: All fields that the class had when it was written.
    """
    kind: Any = type(made)
    if has_own_setstate(kind):
        made.__setstate__({**values, **others})
        return
    if hasattr(kind, "__dataclass_fields__"):
        defaults = fields_of(kind).defaults
        set_there = [name for name in defaults if name in values or name not in names]
        values = {name: _value(kind, name, values, defaults) for name in set_there}
    for name, value in values.items():
        object.__setattr__(made, name, value)
    if hasattr(made, "__dict__"):
        made.__dict__.update(others)


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
    """Tell whether a class is a named tuple that leaves it to pickle how its objects are taken apart."""
    is_one = issubclass(kind, tuple) and hasattr(kind, "_fields") and hasattr(kind, "_field_defaults")
    return is_one and inherits(kind, "__reduce__", "__reduce_ex__", "__getstate__") and not has_own_setstate(kind)


def is_pickled_plainly(kind: Any) -> bool:
    """Tell whether a class leaves it to pickle how its objects are taken apart."""
    get_state = getattr(kind, "__getstate__", None)
    return (
        inherits(kind, "__new__", "__reduce__", "__reduce_ex__")
        and not hasattr(kind, "__getnewargs__")
        and not hasattr(kind, "__getnewargs_ex__")
        and (get_state is object.__getstate__ or getattr(get_state, "__module__", None) == dataclasses.__name__)
    )


def full_name(kind: type) -> str:
    """Give a class's module and qualified name, with a dot between them."""
    return f"{kind.__module__}.{kind.__qualname__}"
