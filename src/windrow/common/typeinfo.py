"""``Types``: the types a stream can be declared with, and the classes behind them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

from windrow.common.basic_types import (
    BasicType,
    BasicTypeInfo,
    DateTypeInfo,
    InstantTypeInfo,
    LocalTimeTypeInfo,
    PickledBytesTypeInfo,
    SqlTimeTypeInfo,
    TimestampTypeInfo,
    TimeTypeInfo,
    TypeInformation,
)
from windrow.common.composite_types import (
    BasicArrayTypeInfo,
    ExternalTypeInfo,
    ListTypeInfo,
    MapTypeInfo,
    ObjectArrayTypeInfo,
    PrimitiveArrayTypeInfo,
    RowTypeInfo,
    TupleTypeInfo,
)
from windrow.errors import ConfigurationTypeError

__all__ = [
    "BasicArrayTypeInfo",
    "BasicType",
    "BasicTypeInfo",
    "DateTypeInfo",
    "DeclaredType",
    "ExternalTypeInfo",
    "InstantTypeInfo",
    "ListTypeInfo",
    "LocalTimeTypeInfo",
    "MapTypeInfo",
    "ObjectArrayTypeInfo",
    "PickledBytesTypeInfo",
    "PrimitiveArrayTypeInfo",
    "RowTypeInfo",
    "SqlTimeTypeInfo",
    "TimeTypeInfo",
    "TimestampTypeInfo",
    "TupleTypeInfo",
    "TypeInformation",
    "Types",
    "as_type_information",
]

#: What ``output_type`` and its like take: a type, a list of types for a row of them, or None for any Python object.
DeclaredType: TypeAlias = TypeInformation | Sequence[TypeInformation] | None


class Types:
    """The types of elements, by Flink's names.

    Example:
        >>> Types.ROW_NAMED(["word", "n"], [Types.STRING(), Types.INT()])
        RowTypeInfo(word: String, n: Integer)
    """

    @staticmethod
    def STRING() -> TypeInformation:  # noqa: N802
        """A ``str`` or None."""
        return BasicTypeInfo(BasicType.STRING)

    @staticmethod
    def BYTE() -> TypeInformation:  # noqa: N802
        """An ``int`` of 8 bits."""
        return BasicTypeInfo(BasicType.BYTE)

    @staticmethod
    def BOOLEAN() -> TypeInformation:  # noqa: N802
        """A ``bool``."""
        return BasicTypeInfo(BasicType.BOOLEAN)

    @staticmethod
    def SHORT() -> TypeInformation:  # noqa: N802
        """An ``int`` of 16 bits."""
        return BasicTypeInfo(BasicType.SHORT)

    @staticmethod
    def INT() -> TypeInformation:  # noqa: N802
        """An ``int`` of 32 bits."""
        return BasicTypeInfo(BasicType.INT)

    @staticmethod
    def LONG() -> TypeInformation:  # noqa: N802
        """An ``int`` of 64 bits."""
        return BasicTypeInfo(BasicType.LONG)

    @staticmethod
    def FLOAT() -> TypeInformation:  # noqa: N802
        """A ``float``, rounded to single precision."""
        return BasicTypeInfo(BasicType.FLOAT)

    @staticmethod
    def DOUBLE() -> TypeInformation:  # noqa: N802
        """A ``float``."""
        return BasicTypeInfo(BasicType.DOUBLE)

    @staticmethod
    def CHAR() -> TypeInformation:  # noqa: N802
        """A ``str`` of one character."""
        return BasicTypeInfo(BasicType.CHAR)

    @staticmethod
    def BIG_INT() -> TypeInformation:  # noqa: N802
        """An ``int`` of any size, or None."""
        return BasicTypeInfo(BasicType.BIG_INT)

    @staticmethod
    def BIG_DEC() -> TypeInformation:  # noqa: N802
        """A ``decimal.Decimal`` or None."""
        return BasicTypeInfo(BasicType.BIG_DEC)

    @staticmethod
    def INSTANT() -> TypeInformation:  # noqa: N802
        """A ``windrow.common.Instant`` or None."""
        return InstantTypeInfo(BasicType.INSTANT)

    @staticmethod
    def SQL_DATE() -> TypeInformation:  # noqa: N802
        """A ``datetime.date`` or None."""
        return DateTypeInfo()

    @staticmethod
    def SQL_TIME() -> TypeInformation:  # noqa: N802
        """A ``datetime.time`` or None."""
        return TimeTypeInfo()

    @staticmethod
    def SQL_TIMESTAMP() -> TypeInformation:  # noqa: N802
        """A ``datetime.datetime`` or None."""
        return TimestampTypeInfo()

    @staticmethod
    def PICKLED_BYTE_ARRAY() -> TypeInformation:  # noqa: N802
        """Any Python object that can be pickled."""
        return PickledBytesTypeInfo()

    @staticmethod
    def ROW(field_types: Sequence[TypeInformation]) -> RowTypeInfo:  # noqa: N802
        """A ``Row`` with fields named ``f0``, ``f1``, ..."""
        return RowTypeInfo(field_types)

    @staticmethod
    def ROW_NAMED(field_names: Sequence[str], field_types: Sequence[TypeInformation]) -> RowTypeInfo:  # noqa: N802
        """A ``Row`` with the given field names."""
        return RowTypeInfo(field_types, field_names)

    @staticmethod
    def TUPLE(field_types: Sequence[TypeInformation]) -> TupleTypeInfo:  # noqa: N802
        """A ``tuple``."""
        return TupleTypeInfo(field_types)

    @staticmethod
    def PRIMITIVE_ARRAY(element_type: TypeInformation) -> TypeInformation:  # noqa: N802
        """A ``list`` of numbers, or ``bytes``; no element may be None."""
        return PrimitiveArrayTypeInfo(element_type)

    @staticmethod
    def BASIC_ARRAY(element_type: TypeInformation) -> TypeInformation:  # noqa: N802
        """A ``list`` of numbers, strings or truth values; elements may be None."""
        return BasicArrayTypeInfo(element_type)

    @staticmethod
    def OBJECT_ARRAY(element_type: TypeInformation) -> TypeInformation:  # noqa: N802
        """A ``list`` of values of any one type; elements may be None."""
        return ObjectArrayTypeInfo(element_type)

    @staticmethod
    def MAP(key_type_info: TypeInformation, value_type_info: TypeInformation) -> TypeInformation:  # noqa: N802
        """A ``dict``."""
        return MapTypeInfo(key_type_info, value_type_info)

    @staticmethod
    def LIST(element_type_info: TypeInformation) -> TypeInformation:  # noqa: N802
        """A ``list``."""
        return ListTypeInfo(element_type_info)


def as_type_information(declared: DeclaredType | Any, parameter: str) -> TypeInformation:
    """The type a user declared: None is any Python object, a list of types a row of them.

    Args:
        declared: what the user gave.
        parameter: what it was given for, for the error message.

    Raises:
        ConfigurationTypeError: it is no type.
    """
    if declared is None:
        return PickledBytesTypeInfo()
    if isinstance(declared, TypeInformation):
        return declared
    if isinstance(declared, list | tuple):
        return RowTypeInfo(declared)
    hint = ": call it" if callable(declared) else ""
    msg = f"{parameter} takes a type such as Types.INT(), a list of types or None; got {declared!r}{hint}"
    raise ConfigurationTypeError(msg)
