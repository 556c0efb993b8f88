"""The fields of a row as a database takes them."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from windrow.common.typeinfo import (
    BasicArrayTypeInfo,
    BasicType,
    BasicTypeInfo,
    DateTypeInfo,
    ExternalTypeInfo,
    ListTypeInfo,
    LocalTimeTypeInfo,
    ObjectArrayTypeInfo,
    PrimitiveArrayTypeInfo,
    TimestampTypeInfo,
    TimeTypeInfo,
    TypeInformation,
)
from windrow.connectors.jdbc.sqlalchemy_package import sqlalchemy
from windrow.errors import ConfigurationError, TypeConversionError, shorten

if TYPE_CHECKING:
    from sqlalchemy.types import TypeEngine


class Column(NamedTuple):
    """The form in which values of one field are sent."""

    #: SQLAlchemy's type. Strings have none: PostgreSQL takes them for what the column is, a UUID or JSON too.
    type: TypeEngine[Any]
    #: What is done to a value that is not None; None: nothing.
    convert: Callable[[Any], Any] | None = None


def column(type_info: TypeInformation, backend: str, field: str) -> Column:
    """Find the form in which a field of a type is sent.

    Args:
        type_info: The field's type.
        backend: The database, as SQLAlchemy calls it.
        field: The field's name, for the error message.

    Raises:
        ConfigurationError: the database has no such type.
    """
    found = _column(type_info, backend)
    if found is None:
        msg = (
            f"JdbcSink cannot send the field {field} of type {type_info!r} to {backend}: it takes numbers, strings, "
            "truth values, dates, times, PRIMITIVE_ARRAY(BYTE), and, to PostgreSQL, arrays of such; write the value as "
            "text, JSON say, in a map before the sink"
        )
        raise ConfigurationError(msg)
    return found


def _column(type_info: TypeInformation, backend: str) -> Column | None:
    types = sqlalchemy().types
    if isinstance(type_info, ExternalTypeInfo):
        return _column(type_info.type_info, backend)
    if isinstance(type_info, BasicTypeInfo):
        return _basic(type_info.basic_type, backend)
    if isinstance(type_info, DateTypeInfo):
        return Column(types.Date())
    if isinstance(type_info, TimeTypeInfo):
        return Column(types.Time())
    if isinstance(type_info, TimestampTypeInfo):
        return Column(types.DateTime(), _without_zone)
    if isinstance(type_info, LocalTimeTypeInfo):
        return _column(type_info.of_sql(), backend)
    if isinstance(type_info, PrimitiveArrayTypeInfo) and type_info.elem_type == BasicTypeInfo(BasicType.BYTE):
        return Column(types.LargeBinary(), _bytes)
    arrays = BasicArrayTypeInfo, ListTypeInfo, ObjectArrayTypeInfo, PrimitiveArrayTypeInfo
    if isinstance(type_info, arrays) and backend == "postgresql":
        inner = _column(type_info.elem_type, backend)
        if inner is not None and not isinstance(inner.type, types.ARRAY):
            of_strings = isinstance(inner.type, types.NullType)
            return Column(types.ARRAY(types.Text() if of_strings else inner.type), _each(inner.convert))
    return None


def _basic(basic_type: BasicType, backend: str) -> Column:
    types = sqlalchemy().types
    if basic_type in (BasicType.STRING, BasicType.CHAR):
        return Column(types.NullType())
    if basic_type is BasicType.BOOLEAN:
        return Column(types.Boolean())
    if basic_type in (BasicType.BYTE, BasicType.SHORT):
        return Column(types.SmallInteger())
    if basic_type is BasicType.INT:
        return Column(types.Integer())
    if basic_type is BasicType.LONG:
        return Column(types.BigInteger())
    if basic_type in (BasicType.FLOAT, BasicType.DOUBLE):
        return Column(types.Double())
    if basic_type is BasicType.INSTANT:
        return Column(types.DateTime(timezone=True), _in_utc)
    if backend == "sqlite":  # its driver takes no decimals, and a column of text keeps all digits
        return Column(types.NullType(), str if basic_type is BasicType.BIG_DEC else None)
    return Column(types.Numeric())


def _each(convert: Callable[[Any], Any] | None) -> Callable[[Any], Any] | None:
    if convert is None:
        return None
    return lambda values: [None if value is None else convert(value) for value in values]


def _bytes(value: bytes | list[int]) -> bytes:
    return value if isinstance(value, bytes) else bytes(each & 255 for each in value)


def _in_utc(value: Any) -> datetime.datetime:
    seconds = datetime.timedelta(seconds=value.seconds, microseconds=value.nanos // 1000)
    return datetime.datetime(1970, 1, 1, tzinfo=datetime.UTC) + seconds


def _without_zone(value: datetime.datetime) -> datetime.datetime:
    if value.tzinfo is not None:
        msg = (
            f"Types.SQL_TIMESTAMP() of a JdbcSink takes a datetime without a time zone; got {shorten(value)}: declare "
            "Types.INSTANT() and send an Instant, or leave the zone off"
        )
        raise TypeConversionError(msg)
    return value
