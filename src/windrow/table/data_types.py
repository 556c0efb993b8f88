"""The types behind ``DataTypes``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import copy
from typing import Any, Self

from windrow.common.basic_types import TypeInformation
from windrow.common.composite_types import RowTypeInfo
from windrow.common.typeinfo import Types
from windrow.errors import ConfigurationError, ConfigurationTypeError
from windrow.table.big_decimal_type_info import BigDecimalTypeInfo

LONGEST = 0x7FFFFFFF


class DataType:
    """A type with or without NULL. Types are equal that describe the same.

    Example:
        >>> IntType(), IntType().not_null()
        (IntType(true), IntType(false))
    """

    def __init__(self, nullable: bool = True) -> None:
        self._nullable = bool(nullable)

    def not_null(self) -> Self:
        """The type without NULL."""
        return self._with(nullable=False)

    def nullable(self) -> Self:
        """The type with NULL."""
        return self._with(nullable=True)

    def bridged_to(self, conversion_cls: str) -> Self:
        """The type itself: it hints at a Java class, and there is none here."""
        return self

    @classmethod
    def type_name(cls) -> str:
        """Give the name that SQL has for it."""
        return cls.__name__.removesuffix("Type").upper()

    def to_type_info(self) -> TypeInformation:
        """The type of the values in the DataStream API.

        Raises:
            ConfigurationError: it has none.
        """
        make = _TYPE_INFOS.get(type(self).__name__)
        if make is None:
            msg = f"{self!r} has no counterpart among windrow.common.Types, so no stream can have it"
            raise ConfigurationError(msg)
        info: TypeInformation = make(self)
        return info

    def _with(self, *, nullable: bool) -> Self:
        made = copy(self)
        made._nullable = nullable
        return made

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self.__dict__ == other.__dict__

    def __hash__(self) -> int:
        return hash(repr(self))

    def __str__(self) -> str:
        return self.type_name()

    def __repr__(self) -> str:
        shown = [str(value) for name, value in self.__dict__.items() if name != "_nullable"]
        return f"{type(self).__name__}({', '.join([*shown, str(self._nullable).lower()])})"


class AtomicType(DataType):
    """A type that is not made of others."""


class NumericType(AtomicType):
    """A number."""


class IntegralType(NumericType):
    """A whole number."""


class FractionalType(NumericType):
    """A number with a fraction."""


class _Sized(AtomicType):
    def __init__(self, length: int = 1, nullable: bool = True) -> None:
        super().__init__(nullable)
        self.length = _whole(length, f"length of {self.type_name()}", 1, LONGEST)


class CharType(_Sized):
    """Text of ``length`` characters."""


class VarCharType(_Sized):
    """Text of at most ``length`` characters."""


class BinaryType(_Sized):
    """``length`` bytes."""


class VarBinaryType(_Sized):
    """At most ``length`` bytes."""


class BooleanType(AtomicType):
    """A truth value."""


class TinyIntType(IntegralType):
    """A whole number of one byte."""


class SmallIntType(IntegralType):
    """A whole number of two bytes."""


class IntType(IntegralType):
    """A whole number of four bytes."""


class BigIntType(IntegralType):
    """A whole number of eight bytes."""


class FloatType(FractionalType):
    """A binary fraction of single precision."""


class DoubleType(FractionalType):
    """A binary fraction of double precision."""


class DecimalType(FractionalType):
    """A decimal number of at most ``precision`` digits, ``scale`` of them behind the point."""

    def __init__(self, precision: int = 10, scale: int = 0, nullable: bool = True) -> None:
        super().__init__(nullable)
        self.precision = _whole(precision, "precision of DECIMAL", 1, 38)
        self.scale = _whole(scale, "scale of DECIMAL", 0, self.precision)


class DateType(AtomicType):
    """A day."""


class _Precise(AtomicType):
    def __init__(self, precision: int = 6, nullable: bool = True) -> None:
        super().__init__(nullable)
        self.precision = _whole(precision, f"precision of {self.type_name()}", 0, 9)


class TimeType(_Precise):
    """A time of day, to ``precision`` digits of a second."""

    def __init__(self, precision: int = 0, nullable: bool = True) -> None:
        super().__init__(precision, nullable)


class TimestampType(_Precise):
    """A day and a time of day, without a time zone."""


class LocalZonedTimestampType(_Precise):
    """A point in time."""


class ArrayType(DataType):
    """Values of one type."""

    def __init__(self, element_type: DataType, nullable: bool = True) -> None:
        super().__init__(nullable)
        self.element_type = _data_type(element_type, "element_type of ARRAY")


class MapType(DataType):
    """Values by keys."""

    def __init__(self, key_type: DataType, value_type: DataType, nullable: bool = True) -> None:
        super().__init__(nullable)
        self.key_type = _data_type(key_type, "key_type of MAP")
        self.value_type = _data_type(value_type, "value_type of MAP")


class MultisetType(MapType):
    """Values of one type, each as often as it comes: how often, by value."""

    def __init__(self, element_type: DataType, nullable: bool = True) -> None:
        super().__init__(_data_type(element_type, "element_type of MULTISET"), IntType(False), nullable)

    @property
    def element_type(self) -> DataType:
        """The values' type."""
        return self.key_type

    def __repr__(self) -> str:
        return f"MultisetType({self.element_type}, {str(self._nullable).lower()})"


class RowField:
    """A field of a row: name, type, and a description that nothing depends on."""

    def __init__(self, name: str, data_type: DataType, description: str | None = None) -> None:
        if not isinstance(name, str):
            msg = f"name of FIELD takes a str; got {name!r}"
            raise ConfigurationTypeError(msg)
        self.name = name
        self.data_type = _data_type(data_type, f"data_type of FIELD {name!r}")
        self.description = "..." if description is None else description

    def __eq__(self, other: object) -> bool:
        return isinstance(other, RowField) and self.__dict__ == other.__dict__

    def __hash__(self) -> int:
        return hash(repr(self))

    def __repr__(self) -> str:
        return f"RowField({self.name}, {self.data_type!r}, {self.description})"


class RowType(DataType):
    """Fields with names.

    Example:
        >>> row_type = RowType([RowField("n", BigIntType())])
        >>> row_type.to_type_info(), row_type.field_names(), len(row_type)
        (RowTypeInfo(n: Long), ['n'], 1)
    """

    def __init__(self, fields: Sequence[RowField] | None = None, nullable: bool = True) -> None:
        super().__init__(nullable)
        self.fields: list[RowField] = []
        for field in fields or ():
            self.add(field)

    def add(self, field: RowField | str, data_type: DataType | None = None) -> Self:
        """Add a field: a ``RowField``, or a name and a type."""
        if isinstance(field, str) and data_type is not None:
            field = RowField(field, data_type)
        if not isinstance(field, RowField):
            msg = f"ROW takes fields as DataTypes.FIELD(name, type) makes them; got {field!r}"
            raise ConfigurationTypeError(msg)
        self.fields.append(field)
        return self

    @property
    def names(self) -> list[str]:
        """The fields' names."""
        return self.field_names()

    def field_names(self) -> list[str]:
        """List the fields' names, in their order."""
        return [field.name for field in self.fields]

    def field_types(self) -> list[DataType]:
        """List the fields' types, in their order."""
        return [field.data_type for field in self.fields]

    def __iter__(self) -> Iterator[RowField]:
        return iter(self.fields)

    def __len__(self) -> int:
        return len(self.fields)

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, str):
            found = next((field for field in self.fields if field.name == key), None)
            if found is None:
                msg = f"there is no field {key!r}; there are {', '.join(self.names)}"
                raise KeyError(msg)
            return found
        return RowType(self.fields[key]) if isinstance(key, slice) else self.fields[key]

    def __repr__(self) -> str:
        return f"RowType({','.join(map(repr, self.fields))})"


def row_type_info(row_type: RowType) -> RowTypeInfo:
    """The rows' type in the DataStream API."""
    info = row_type.to_type_info()
    assert isinstance(info, RowTypeInfo)
    return info


def _data_type(given: Any, what: str) -> DataType:
    if not isinstance(given, DataType):
        msg = f"{what} takes a type such as DataTypes.INT(); got {given!r} ({type(given).__name__})"
        raise ConfigurationTypeError(msg)
    return given


def _whole(given: Any, what: str, least: int, greatest: int) -> int:
    if isinstance(given, bool) or not isinstance(given, int) or not least <= given <= greatest:
        msg = f"{what} takes a whole number from {least} to {greatest}; got {given!r}"
        raise ConfigurationError(msg)
    return given


_TYPE_INFOS: dict[str, Any] = {
    "CharType": lambda _: Types.STRING(),
    "VarCharType": lambda _: Types.STRING(),
    "BinaryType": lambda _: Types.PRIMITIVE_ARRAY(Types.BYTE()),
    "VarBinaryType": lambda _: Types.PRIMITIVE_ARRAY(Types.BYTE()),
    "BooleanType": lambda _: Types.BOOLEAN(),
    "TinyIntType": lambda _: Types.BYTE(),
    "SmallIntType": lambda _: Types.SHORT(),
    "IntType": lambda _: Types.INT(),
    "BigIntType": lambda _: Types.LONG(),
    "FloatType": lambda _: Types.FLOAT(),
    "DoubleType": lambda _: Types.DOUBLE(),
    "DecimalType": lambda kind: BigDecimalTypeInfo(kind.precision, kind.scale),
    "DateType": lambda _: Types.SQL_DATE(),
    "TimeType": lambda _: Types.SQL_TIME(),
    "TimestampType": lambda _: Types.SQL_TIMESTAMP(),
    "LocalZonedTimestampType": lambda _: Types.INSTANT(),
    "ArrayType": lambda kind: Types.LIST(kind.element_type.to_type_info()),
    "MapType": lambda kind: Types.MAP(kind.key_type.to_type_info(), kind.value_type.to_type_info()),
    "MultisetType": lambda kind: Types.MAP(kind.key_type.to_type_info(), kind.value_type.to_type_info()),
    "RowType": lambda kind: Types.ROW_NAMED(kind.names, [each.to_type_info() for each in kind.field_types()]),
}
