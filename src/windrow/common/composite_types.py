"""Type information of values made of other values. ``Types`` in ``typeinfo`` makes them."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any

from windrow.common.basic_types import BasicType, BasicTypeInfo, TypeInformation, refuse
from windrow.common.types import Row, RowKind
from windrow.errors import ConfigurationError, ConfigurationTypeError, TypeConversionError


class RowTypeInfo(TypeInformation):
    """A row of fields, each None or of its type.

    Takes a Row, a dict, a tuple, a list or an object with attributes, and gives a Row with the field names. Rows with
    names, dicts and objects are read by name, the others by position. As in PyFlink a name that a dict or an object
    lacks is None, and one that a Row lacks is an error.

    Args:
        field_types: the types of the fields.
        field_names: their names; ``f0``, ``f1``, ... if left out.
    """

    def __init__(self, field_types: Sequence[TypeInformation], field_names: Sequence[str] | None = None) -> None:
        self._field_types = check_types("field_types", field_types)
        names = [f"f{i}" for i in range(len(field_types))] if field_names is None else list(field_names)
        if len(names) != len(field_types) or len(set(names)) != len(names):
            msg = f"field_names must name each of the {len(field_types)} fields once; got {names!r}"
            raise ConfigurationError(msg)
        self._field_names = names
        self._named = field_names is not None
        # As in Flink, a field of a row may be None also where its type alone may not.
        self._converters = [partial(_or_none, field_type.converter()) for field_type in field_types]

    def get_field_names(self) -> list[str]:
        return self._field_names

    def get_field_index(self, field_name: str) -> int:
        """The position of a field; -1 if the names were not given."""
        return self._field_names.index(field_name) if self._named else -1

    def get_field_types(self) -> list[TypeInformation]:
        return self._field_types

    def to_internal_type(self, obj: Any) -> Row | None:
        if obj is None:
            return None
        row = Row(*_convert_fields("ROW", self._field_names, self._converters, self._values_of(obj), obj))
        row.set_field_names(self._field_names)
        if isinstance(obj, Row) and obj.get_row_kind() is not RowKind.INSERT:
            row.set_row_kind(obj.get_row_kind())
        return row

    def _values_of(self, obj: Any) -> Sequence[Any]:
        if isinstance(obj, Row):
            if obj._fields is None:
                return list(obj)
            values = obj.as_dict()
            lacking = [name for name in self._field_names if name not in values]
            if lacking:
                fields = f"field{'s' * (len(lacking) > 1)} {', '.join(lacking)}"
                refuse("ROW", f"a Row without names, or with the {fields}", obj)
            obj = values
        if isinstance(obj, tuple | list):
            return obj
        if not isinstance(obj, Mapping):
            if not hasattr(obj, "__dict__"):
                refuse("ROW", "a Row, dict, tuple, list or object with attributes", obj)
            obj = vars(obj)
        return [obj.get(name) for name in self._field_names]

    def _parts(self) -> Hashable:
        return tuple(self._field_types)

    def __repr__(self) -> str:
        fields = zip(self._field_names, self._field_types, strict=True)
        return f"RowTypeInfo({', '.join(f'{name}: {field_type}' for name, field_type in fields)})"


class TupleTypeInfo(TypeInformation):
    """A tuple of fields, each of its type; lists and rows become tuples.

    A field is None only where its type may be.

    Example:
        >>> int_and_word = TupleTypeInfo([BasicTypeInfo(BasicType.INT), BasicTypeInfo(BasicType.STRING)])
        >>> int_and_word.to_internal_type([1, "one"])
        (1, 'one')
    """

    def __init__(self, field_types: Sequence[TypeInformation]) -> None:
        self._field_types = check_types("field_types", field_types)
        self._positions = [str(i) for i in range(len(field_types))]
        self._converters = [field_type.converter() for field_type in field_types]

    def get_field_types(self) -> list[TypeInformation]:
        return self._field_types

    def to_internal_type(self, obj: Any) -> tuple[Any, ...] | None:
        if obj is None:
            return None
        if not isinstance(obj, tuple | list | Row):
            refuse("TUPLE", "a tuple, list or Row", obj)
        return tuple(_convert_fields("TUPLE", self._positions, self._converters, obj, obj))

    def _parts(self) -> Hashable:
        return tuple(self._field_types)

    def __repr__(self) -> str:
        return f"TupleTypeInfo({', '.join(map(str, self._field_types))})"


class _ElementsTypeInfo(TypeInformation):
    """Many values of one type, which become a list."""

    _name: str

    def __init__(self, element_type: TypeInformation) -> None:
        (self.elem_type,) = check_types("element_type", [element_type])
        self._convert = element_type.converter()

    def to_internal_type(self, obj: Any) -> Any:
        if obj is None:
            return None
        if isinstance(obj, str | Mapping) or not isinstance(obj, Iterable):
            refuse(self._name, "a list or another sequence", obj)
        return [self._convert_element(i, item) for i, item in enumerate(obj)]

    def _convert_element(self, position: int, item: Any) -> Any:
        try:
            return self._convert(item)
        except TypeConversionError as error:
            msg = f"element {position} of a Types.{self._name}: {error}"
            raise TypeConversionError(msg) from None

    def _parts(self) -> Hashable:
        return self.elem_type

    def __repr__(self) -> str:
        return f"{type(self).__name__}<{self.elem_type}>"


class ListTypeInfo(_ElementsTypeInfo):
    """A list of values of one type."""

    _name = "LIST"


class ObjectArrayTypeInfo(_ElementsTypeInfo):
    """An array of values of one type that is not basic; elements may be None."""

    _name = "OBJECT_ARRAY"

    def _convert_element(self, position: int, item: Any) -> Any:
        return None if item is None else super()._convert_element(position, item)


class BasicArrayTypeInfo(ObjectArrayTypeInfo):
    """An array of numbers, strings or truth values; elements may be None."""

    _name = "BASIC_ARRAY"

    def __init__(self, element_type: TypeInformation) -> None:
        _check_element(self._name, element_type, _BOXED)
        super().__init__(element_type)


class PrimitiveArrayTypeInfo(_ElementsTypeInfo):
    """An array of Java primitives; an array of bytes is ``bytes``."""

    _name = "PRIMITIVE_ARRAY"

    def __init__(self, element_type: TypeInformation) -> None:
        _check_element(self._name, element_type, _PRIMITIVE)
        super().__init__(element_type)

    def to_internal_type(self, obj: Any) -> Any:
        return bytes(obj) if isinstance(obj, bytes | bytearray) else super().to_internal_type(obj)


class MapTypeInfo(TypeInformation):
    """A dictionary with keys of one type and values of one type."""

    def __init__(self, key_type_info: TypeInformation, value_type_info: TypeInformation) -> None:
        self.key_type_info, self.value_type_info = check_types("key and value type", [key_type_info, value_type_info])
        self._convert_key = key_type_info.converter()
        self._convert_value = value_type_info.converter()

    def to_internal_type(self, obj: Any) -> dict[Any, Any] | None:
        if obj is None:
            return None
        if not isinstance(obj, Mapping):
            refuse("MAP", "a dict", obj)
        try:
            return {self._convert_key(key): self._convert_value(value) for key, value in obj.items()}
        except TypeConversionError as error:
            msg = f"an entry of a Types.MAP: {error}"
            raise TypeConversionError(msg) from None

    def _parts(self) -> Hashable:
        return self.key_type_info, self.value_type_info

    def __repr__(self) -> str:
        return f"MapTypeInfo<{self.key_type_info}, {self.value_type_info}>"


class ExternalTypeInfo(TypeInformation):
    """The type of a table's column, which stands for the type inside it."""

    def __init__(self, type_info: TypeInformation) -> None:
        (self.type_info,) = check_types("type_info", [type_info])

    def need_conversion(self) -> bool:
        return self.type_info.need_conversion()

    def to_internal_type(self, obj: Any) -> Any:
        return self.type_info.to_internal_type(obj)

    def _parts(self) -> Hashable:
        return self.type_info

    def __repr__(self) -> str:
        return f"ExternalTypeInfo<{self.type_info}>"


_PRIMITIVE = frozenset(
    {
        BasicType.BOOLEAN,
        BasicType.BYTE,
        BasicType.SHORT,
        BasicType.INT,
        BasicType.LONG,
        BasicType.FLOAT,
        BasicType.DOUBLE,
        BasicType.CHAR,
    }
)
_BOXED = _PRIMITIVE | {BasicType.STRING}


def check_types(parameter: str, types: Sequence[Any]) -> list[TypeInformation]:
    """The given types as a list, each checked to be one."""
    for type_info in types:
        if not isinstance(type_info, TypeInformation):
            hint = ": call it" if callable(type_info) else ""
            msg = f"{parameter} takes types such as Types.INT(); got {type_info!r}{hint}"
            raise ConfigurationTypeError(msg)
    return list(types)


def _check_element(name: str, element_type: TypeInformation, allowed: frozenset[BasicType]) -> None:
    if not isinstance(element_type, BasicTypeInfo) or element_type.basic_type not in allowed:
        names = ", ".join(sorted(basic_type.name for basic_type in allowed))
        msg = f"Types.{name}() takes one of {names} as element type; got {element_type!r}"
        raise ConfigurationTypeError(msg)


def _convert_fields(
    name: str,
    field_names: Sequence[str],
    converters: Sequence[Callable[[Any], Any]],
    values: Iterable[Any],
    obj: Any,
) -> list[Any]:
    converted: list[Any] = []
    try:
        for convert, value in zip(converters, values, strict=True):
            converted.append(convert(value))  # its length tells which field failed
    except TypeConversionError as error:
        msg = f"field {field_names[len(converted)]} of a Types.{name}: {error}"
        raise TypeConversionError(msg) from None
    except ValueError:  # zip, of different lengths
        refuse(name, f"{len(converters)} fields", obj)
    return converted


def _or_none(convert: Callable[[Any], Any], value: Any) -> Any:
    return None if value is None else convert(value)
