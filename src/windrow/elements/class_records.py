"""Objects of users' classes in checkpoints: by the names of their fields, so that a class may get and lose some.

The rule of Flink's POJO serializer for objects of dataclasses and named tuples: a field that the class has got since
has its default, one that it has lost is left out, and their order does not matter. Other classes are pickled as they
say; what a class says itself about pickling (``__reduce__``, ``__getstate__``, ``__setstate__``) goes before. A class
that names a serializer (:func:`windrow.common.serialized_by`) is written and read by that.
"""

from __future__ import annotations

import copyreg
from collections.abc import Callable, Collection, Mapping
from contextvars import ContextVar
from functools import cache, partial
from typing import Any

from windrow.common.secret import Secret
from windrow.common.serializer import SimpleVersionedSerializer, serializer_of
from windrow.elements.class_fields import (
    fields_of,
    full_name,
    has_own_setstate,
    is_named_tuple,
    is_pickled_plainly,
    made_by_name,
    plain_fields,
    set_fields,
)
from windrow.elements.program_classes import class_at, place_of, when_classes_change
from windrow.errors import CheckpointError, UsageError

Reducer = Callable[[Any], Any]
#: A class, or the place of one that only the program has.
Named = Any

#: What is made of a class's name instead of its objects, while somebody looks into a checkpoint that they do not trust.
INSTEAD: ContextVar[Callable[[Named], Any] | None] = ContextVar("INSTEAD", default=None)

#: The numbers that stand in checkpoints for these forms; never given anew (``registered.py`` has those of classes).
RECORD, NAMED_TUPLE, OBJECT, CALLED, CLASS, SERIALIZED, SLOTS = range(120, 127)


class Form:
    """The form by which objects of a class are made again; once in each pickle, however many objects are in it.

    Args:
        number: ``RECORD``, ``SLOTS`` or ``NAMED_TUPLE``.
        kind: The class.
        names: Its fields.
    """

    __slots__ = ("parts",)

    def __init__(self, number: int, kind: type, names: tuple[str, ...]) -> None:
        self.parts = number, _named(kind), names

    def __call__(self, *_: Any) -> Any:
        """Be called by nobody: pickle asks for it, and what is read in its place is called."""
        raise NotImplementedError


def reducer_of(kind: type, restorer: Any) -> Reducer | None:
    """Give the function that takes objects of a user's class apart; None: pickle treats it like any class.

    Args:
        kind: The class.
        restorer: Makes them again: called with a number of these and what was written, and with an object and the
            fields that it is to have.
    """
    if kind is Form:
        return lambda form: (restorer, form.parts)
    if kind is Secret:
        return _refused
    serializer = serializer_of(kind)
    if serializer is not None:
        return _by_serializer(_named(kind), serializer, restorer)
    if is_named_tuple(kind):
        form = Form(NAMED_TUPLE, kind, getattr(kind, "_fields", ()))
        return lambda value: (form, (tuple(value),), getattr(value, "__dict__", None) or None)
    if _is_record(kind):
        return _by_fields(kind, restorer)
    place = place_of(kind)
    return None if place is None else _by_place(kind, place, restorer)


def _refused(secret: Secret) -> Any:
    msg = f"{secret!r} is not stored: keep it in the function or the builder that has it"
    raise UsageError(msg)


def make(number: int, named: Named, *parts: Any) -> Any:
    """Make what :func:`reducer_of` has said: an object, or what makes objects of a class.

    Raises:
        CheckpointError: the class is gone, or has got a field for which it gives no default.
    """
    instead = INSTEAD.get()
    return _MAKERS[number](_class(named), *parts) if instead is None else instead(named)


def fill(made: Any, state: tuple[Mapping[str, Any], Mapping[str, Any], Collection[str]]) -> None:
    """Give an object with slots its fields, and its other attributes."""
    if INSTEAD.get() is None:
        set_fields(made, *state)


def _is_record(kind: Any) -> bool:
    """Tell whether it is a dataclass that leaves it to pickle how its objects are taken apart.

    One with slots and a ``__setstate__`` expects what pickle takes of slots.
    """
    if not hasattr(kind, "__dataclass_fields__") or not is_pickled_plainly(kind):
        return False
    return fields_of(kind).has_dict or not has_own_setstate(kind)


def _by_fields(kind: type, restorer: Any) -> Reducer:
    fields = fields_of(kind)
    names = tuple(fields.defaults)
    if fields.has_dict:
        form = Form(RECORD, kind, names)
        return lambda value: (form, (), value.__dict__)
    form = Form(SLOTS, kind, names)

    def of_slots(value: Any) -> Any:
        values = {name: getattr(value, name) for name in names if hasattr(value, name)}
        others = {name: each for name, each in getattr(value, "__dict__", {}).items() if name not in names}
        # The fields behind the object: one of them may hold it.
        return form, (), (values, others, names), None, None, restorer

    return of_slots


@cache
def _maker_of_records(kind: Any, names: tuple[str, ...]) -> Callable[[], Any]:
    """Give what makes empty objects, to which pickle gives their fields: as they are, if the class has not changed."""
    if is_named_tuple(kind):
        msg = f"objects of {full_name(kind)} were stored when it was a dataclass; a named tuple cannot be made of them"
        raise CheckpointError(msg)
    fields = fields_of(kind) if hasattr(kind, "__dataclass_fields__") else None
    is_same = fields is not None and fields.has_dict and fields.defaults.keys() == set(names)
    if is_same or has_own_setstate(kind):
        return partial(kind.__new__, kind)
    if fields is not None and not fields.has_dict:
        return partial(kind.__new__, _taking(kind, names))
    return partial(_made_to_take, kind, names)


def _made_to_take(kind: Any, names: tuple[str, ...]) -> Any:
    """Make an object that takes what pickle is about to give it by the rule."""
    made = kind.__new__(kind)

    def set_state(state: Mapping[str, Any]) -> None:
        del made.__dict__["__setstate__"]
        others = {name: value for name, value in state.items() if name not in names}
        set_fields(made, {name: value for name, value in state.items() if name in names}, others, names)

    made.__dict__["__setstate__"] = set_state  # pickle asks the object for it
    return made


class _Quiet:
    """Comes before a class whose ``__init_subclass__`` is not to hear of a subclass."""

    __slots__ = ()

    def __init_subclass__(cls, **_: Any) -> None:
        pass


def _taking(kind: type, names: tuple[str, ...]) -> type:
    """Give a class whose objects become those of ``kind``, which has slots, as they take their fields by the rule."""

    def set_state(self: Any, state: Mapping[str, Any]) -> None:
        object.__setattr__(self, "__class__", kind)
        set_fields(self, {name: value for name, value in state.items() if name in names}, {}, names)

    return type(kind.__name__, (_Quiet, kind), {"__slots__": (), "__setstate__": set_state})


@cache
def _maker_of_slots(kind: Any, _: tuple[str, ...]) -> Callable[[], Any]:
    return partial(kind.__new__, kind)


@cache
def _maker_of_named_tuples(kind: Any, names: tuple[str, ...]) -> Callable[[tuple[Any, ...]], Any]:
    if is_named_tuple(kind) and kind._fields == names:
        return partial(tuple.__new__, kind)
    return lambda values: made_by_name(kind, dict(zip(names, values, strict=True)))


def _by_place(kind: type, place: str, restorer: Any) -> Reducer:
    """As the class itself says, but for its name."""

    def reduce(value: Any) -> Any:
        reduced = value.__reduce_ex__(5)
        if isinstance(reduced, tuple):
            function, arguments, *rest = reduced
            if function is copyreg.__newobj__ and arguments[0] is kind:  # type: ignore[attr-defined]
                return restorer, (OBJECT, place, *arguments[1:]), *rest
            if function is kind:
                return restorer, (CALLED, place, *arguments), *rest
        return reduced

    return reduce


def _by_serializer(named: Named, serializer: SimpleVersionedSerializer[Any], restorer: Any) -> Reducer:
    return lambda value: (restorer, (SERIALIZED, named, serializer.get_version(), serializer.serialize(value)))


def _deserialized(kind: type, version: int, data: bytes) -> Any:
    serializer = serializer_of(kind)
    if serializer is None:
        msg = (
            f"an object of {full_name(kind)} was stored by a serializer, and the class names none now: let it name "
            "one with serialized_by, that reads what was stored"
        )
        raise CheckpointError(msg)
    return serializer.deserialize(version, data)


def _named(kind: type) -> Named:
    return place_of(kind) or kind


def _class(named: Named) -> type:
    if isinstance(named, str):
        kind = class_at(named)
        if kind is None:
            msg = (
                f"an object of the class {named.replace(':', '.')} was stored, and the program has no such class, or "
                "none of its functions uses it: keep the class, or one of its name"
            )
            raise CheckpointError(msg)
        return kind
    found: type = named
    return found


def _new(kind: Any, *arguments: Any) -> Any:
    return kind.__new__(kind, *arguments)


def _called(kind: type, *arguments: Any) -> Any:
    return kind(*arguments)


def _itself(kind: type) -> type:
    return kind


_MAKERS: dict[int, Callable[..., Any]] = {
    RECORD: _maker_of_records,
    SLOTS: _maker_of_slots,
    NAMED_TUPLE: _maker_of_named_tuples,
    OBJECT: _new,
    CALLED: _called,
    CLASS: _itself,
    SERIALIZED: _deserialized,
}


for _cached in (fields_of, plain_fields, _maker_of_records, _maker_of_slots, _maker_of_named_tuples):
    when_classes_change(_cached.cache_clear)
