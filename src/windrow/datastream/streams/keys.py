"""Makes a function from an element to its key of what a user passes to ``key_by``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any

from windrow.common.callables import check_function
from windrow.common.typeinfo import (
    BasicTypeInfo,
    PickledBytesTypeInfo,
    RowTypeInfo,
    TupleTypeInfo,
    TypeInformation,
    as_type_information,
)
from windrow.datastream.functions import Function, KeySelector
from windrow.datastream.functions.checks import check_methods, is_function_class
from windrow.errors import ConfigurationError, ConfigurationTypeError, shorten
from windrow.operators.fields import Field


@dataclass(frozen=True)
class Key:
    """Gives elements their keys, and says of which type these are."""

    selector: Callable[[Any], Any]
    type_info: TypeInformation

    @staticmethod
    def of(given: Sequence[Any], element_type: TypeInformation, key_type: Any, call: str = "key_by") -> Key:
        """The key that the arguments of ``key_by`` describe.

        Args:
            given: A function, a KeySelector, or names or indexes of fields, one by one or in a list.
            element_type: The type of the stream.
            key_type: The declared type of the key; None if there is none.
            call: The stream's method, for error messages.

        Raises:
            ConfigurationTypeError: the arguments are none of these.
            ConfigurationError: the stream's type has no such field.
        """
        declared = None if key_type is None else as_type_information(key_type, f"key_type of {call}")
        if len(given) == 1 and isinstance(given[0], list | tuple):
            return _with_type(_fields(list(given[0]), element_type, call, several=True), declared)
        if given and all(isinstance(one, str | int) and not isinstance(one, bool) for one in given):
            return _with_type(_fields(list(given), element_type, call, several=len(given) > 1), declared)
        if len(given) != 1:
            raise _refused(given, call)
        return _with_type(Key(_function(given[0], call), PickledBytesTypeInfo()), declared)


def _function(given: Any, call: str) -> Callable[[Any], Any]:
    if isinstance(given, KeySelector):
        check_methods(given)
        return given.get_key
    if isinstance(given, Function) or is_function_class(given) or not callable(given):
        raise _refused(given, call)
    check_function(given, 1, call)
    return given  # type: ignore[no-any-return]


def has_lifecycle(given: Any) -> bool:
    """Tell whether the user's function is an object of a class with an ``open`` or a ``close`` of its own."""
    kind = type(given)
    return isinstance(given, Function) and (kind.open, kind.close) != (Function.open, Function.close)


def _refused(given: Any, call: str) -> ConfigurationTypeError:
    shown = "None" if given is None else f"{shorten(given)} ({type(given).__name__})"
    hint = ": make an object of the class" if isinstance(given, type) else ""
    msg = f"{call} takes a function of a value, a KeySelector, or names or indexes of fields; got {shown}{hint}"
    return ConfigurationTypeError(msg)


def _with_type(key: Key, declared: TypeInformation | None) -> Key:
    if declared is None:
        return key
    if not declared.need_conversion() or isinstance(declared, BasicTypeInfo):
        # Keys that are equal are one key, whatever their type: there is nothing to convert in a number or a string.
        return Key(key.selector, declared)
    selector, convert = key.selector, declared.converter()
    return Key(lambda value: convert(selector(value)), declared)


def _fields(fields: list[Any], element_type: TypeInformation, call: str, *, several: bool) -> Key:
    """A key of fields: the field's value, or of several fields a tuple."""
    if not fields:
        raise _refused(fields, call)
    for field in fields:
        if isinstance(field, bool) or not isinstance(field, str | int):
            raise _refused(field, call)
        if isinstance(field, int) and field < 0:
            msg = f"{call} takes field indexes from 0; got {field}"
            raise ConfigurationError(msg)
    if isinstance(element_type, BasicTypeInfo):
        msg = f"{call} was given fields {fields!r}, but the stream's elements are {element_type}, which has no fields"
        raise ConfigurationError(msg)
    type_info: TypeInformation = PickledBytesTypeInfo()
    if isinstance(element_type, TupleTypeInfo | RowTypeInfo):
        fields = [field_index(field, element_type, call) for field in fields]
        types = [element_type.get_field_types()[index] for index in fields]
        type_info = TupleTypeInfo(types) if several else types[0]
    if all(isinstance(field, int) for field in fields) and several == (len(fields) > 1):
        return Key(itemgetter(*fields), type_info)
    getters = [Field(field).get for field in fields]
    if several:
        return Key(lambda value: tuple([getter(value) for getter in getters]), type_info)
    return Key(getters[0], type_info)


def field_index(field: int | str, element_type: TypeInformation, call: str) -> int:
    """The index of a field in a tuple or row type.

    Raises:
        ConfigurationError: the type has no such field.
    """
    assert isinstance(element_type, TupleTypeInfo | RowTypeInfo)
    count = len(element_type.get_field_types())
    names = element_type.get_field_names() if isinstance(element_type, RowTypeInfo) else [f"f{i}" for i in range(count)]
    if isinstance(field, str) and field in names:
        return names.index(field)
    if isinstance(field, int) and 0 <= field < count:
        return field
    msg = (
        f"{call}: the stream's type {element_type} has no field {field!r}; it has {', '.join(names)} (0 to {count - 1})"
    )
    raise ConfigurationError(msg)
