"""Data types in PyFlink's module layout: for ``CsvSchema`` and the row types of Parquet and ORC files."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NoReturn

from windrow.absent.explained import module_getattr, reason_for
from windrow.common.types import Row, RowKind
from windrow.table.data_types import (
    LONGEST,
    ArrayType,
    AtomicType,
    BigIntType,
    BinaryType,
    BooleanType,
    CharType,
    DataType,
    DateType,
    DecimalType,
    DoubleType,
    FloatType,
    FractionalType,
    IntegralType,
    IntType,
    LocalZonedTimestampType,
    MapType,
    MultisetType,
    NumericType,
    RowField,
    RowType,
    SmallIntType,
    TimestampType,
    TimeType,
    TinyIntType,
    VarBinaryType,
    VarCharType,
)

__all__ = [
    "ArrayType",
    "AtomicType",
    "BigIntType",
    "BinaryType",
    "BooleanType",
    "CharType",
    "DataType",
    "DataTypes",
    "DateType",
    "DecimalType",
    "DoubleType",
    "FloatType",
    "FractionalType",
    "IntType",
    "IntegralType",
    "LocalZonedTimestampType",
    "MapType",
    "MultisetType",
    "NumericType",
    "Row",
    "RowField",
    "RowKind",
    "RowType",
    "SmallIntType",
    "TimeType",
    "TimestampType",
    "TinyIntType",
    "VarBinaryType",
    "VarCharType",
]


class _ExplainsAbsentTypes(type):
    """Asked for a type of PyFlink's that is deliberately left out, it says why."""

    if not TYPE_CHECKING:  # a type checker would take every name for one that is there

        def __getattr__(cls, name: str) -> NoReturn:
            reason = reason_for(cls, name)
            hint = "there is no such type" if reason is None else f"it is deliberately not here: {reason}"
            msg = f"DataTypes.{name}: {hint}"
            raise AttributeError(msg, name=name, obj=cls)


class DataTypes(metaclass=_ExplainsAbsentTypes):
    """Makes types, each with or without NULL.

    Example:
        >>> DataTypes.ARRAY(DataTypes.DECIMAL(10, 2)).to_type_info()
        ListTypeInfo<BigDecimal(10, 2)>
    """

    @staticmethod
    def CHAR(length: int, nullable: bool = True) -> CharType:  # noqa: N802
        """Text of ``length`` characters."""
        return CharType(length, nullable)

    @staticmethod
    def VARCHAR(length: int, nullable: bool = True) -> VarCharType:  # noqa: N802
        """Text of at most ``length`` characters."""
        return VarCharType(length, nullable)

    @staticmethod
    def STRING(nullable: bool = True) -> VarCharType:  # noqa: N802
        """Text."""
        return VarCharType(LONGEST, nullable)

    @staticmethod
    def BOOLEAN(nullable: bool = True) -> BooleanType:  # noqa: N802
        """A truth value."""
        return BooleanType(nullable)

    @staticmethod
    def BINARY(length: int, nullable: bool = True) -> BinaryType:  # noqa: N802
        """``length`` bytes."""
        return BinaryType(length, nullable)

    @staticmethod
    def VARBINARY(length: int, nullable: bool = True) -> VarBinaryType:  # noqa: N802
        """At most ``length`` bytes."""
        return VarBinaryType(length, nullable)

    @staticmethod
    def BYTES(nullable: bool = True) -> VarBinaryType:  # noqa: N802
        """Bytes."""
        return VarBinaryType(LONGEST, nullable)

    @staticmethod
    def DECIMAL(precision: int, scale: int, nullable: bool = True) -> DecimalType:  # noqa: N802
        """A decimal number of at most ``precision`` digits (1 to 38), ``scale`` of them behind the point."""
        return DecimalType(precision, scale, nullable)

    @staticmethod
    def TINYINT(nullable: bool = True) -> TinyIntType:  # noqa: N802
        """A whole number of one byte."""
        return TinyIntType(nullable)

    @staticmethod
    def SMALLINT(nullable: bool = True) -> SmallIntType:  # noqa: N802
        """A whole number of two bytes."""
        return SmallIntType(nullable)

    @staticmethod
    def INT(nullable: bool = True) -> IntType:  # noqa: N802
        """A whole number of four bytes."""
        return IntType(nullable)

    @staticmethod
    def BIGINT(nullable: bool = True) -> BigIntType:  # noqa: N802
        """A whole number of eight bytes."""
        return BigIntType(nullable)

    @staticmethod
    def FLOAT(nullable: bool = True) -> FloatType:  # noqa: N802
        """A number of single precision."""
        return FloatType(nullable)

    @staticmethod
    def DOUBLE(nullable: bool = True) -> DoubleType:  # noqa: N802
        """A number of double precision."""
        return DoubleType(nullable)

    @staticmethod
    def DATE(nullable: bool = True) -> DateType:  # noqa: N802
        """A day."""
        return DateType(nullable)

    @staticmethod
    def TIME(precision: int = 0, nullable: bool = True) -> TimeType:  # noqa: N802
        """A time of day."""
        return TimeType(precision, nullable)

    @staticmethod
    def TIMESTAMP(precision: int = 6, nullable: bool = True) -> TimestampType:  # noqa: N802
        """A day and a time of day, without a time zone."""
        return TimestampType(precision, nullable)

    @staticmethod
    def TIMESTAMP_WITH_LOCAL_TIME_ZONE(precision: int = 6, nullable: bool = True) -> LocalZonedTimestampType:  # noqa: N802
        """A point in time."""
        return LocalZonedTimestampType(precision, nullable)

    @staticmethod
    def TIMESTAMP_LTZ(precision: int = 6, nullable: bool = True) -> LocalZonedTimestampType:  # noqa: N802
        """A point in time."""
        return LocalZonedTimestampType(precision, nullable)

    @staticmethod
    def ARRAY(element_type: DataType, nullable: bool = True) -> ArrayType:  # noqa: N802
        """Values of one type."""
        return ArrayType(element_type, nullable)

    @staticmethod
    def MAP(key_type: DataType, value_type: DataType, nullable: bool = True) -> MapType:  # noqa: N802
        """Values by keys."""
        return MapType(key_type, value_type, nullable)

    @staticmethod
    def MULTISET(element_type: DataType, nullable: bool = True) -> MultisetType:  # noqa: N802
        """Values of one type, each as often as it comes: in Python a dict of how often, by value."""
        return MultisetType(element_type, nullable)

    @staticmethod
    def LIST_VIEW(element_type: DataType) -> ArrayType:  # noqa: N802
        """Values of one type in an accumulator: a ``ListView``."""
        return ArrayType(element_type, False)

    @staticmethod
    def MAP_VIEW(key_type: DataType, value_type: DataType) -> MapType:  # noqa: N802
        """Values by keys in an accumulator: a ``MapView``."""
        return MapType(key_type, value_type, False)

    @staticmethod
    def ROW(row_fields: Sequence[RowField] = (), nullable: bool = True) -> RowType:  # noqa: N802
        """Fields with names."""
        return RowType(row_fields, nullable)

    @staticmethod
    def FIELD(name: str, data_type: DataType, description: str | None = None) -> RowField:  # noqa: N802
        """A field of a row."""
        return RowField(name, data_type, description)


__getattr__ = module_getattr(__name__)
