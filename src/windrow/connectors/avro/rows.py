"""Rows as Avro's records, as Flink converts them."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from typing import Any

from windrow.common.basic_types import TypeInformation
from windrow.common.composite_types import RowTypeInfo
from windrow.common.conversions import optional
from windrow.common.typeinfo import Types
from windrow.common.types import Row
from windrow.connectors.avro.schema_mapping import Convert, SchemaMapping

_PLAIN: dict[str, Callable[[], TypeInformation]] = {
    "null": Types.PICKLED_BYTE_ARRAY,
    "boolean": Types.BOOLEAN,
    "int": Types.INT,
    "long": Types.LONG,
    "float": Types.FLOAT,
    "double": Types.DOUBLE,
    "string": Types.STRING,
    "enum": Types.STRING,
    "bytes": lambda: Types.PRIMITIVE_ARRAY(Types.BYTE()),
    "fixed": lambda: Types.PRIMITIVE_ARRAY(Types.BYTE()),
}
_LOGICAL: dict[str, Callable[[], TypeInformation]] = {
    "date": Types.SQL_DATE,
    "time-millis": Types.SQL_TIME,
    "time-micros": Types.SQL_TIME,
    "timestamp-millis": Types.SQL_TIMESTAMP,
    "timestamp-micros": Types.SQL_TIMESTAMP,
    "local-timestamp-millis": Types.SQL_TIMESTAMP,
    "local-timestamp-micros": Types.SQL_TIMESTAMP,
    "decimal": Types.BIG_DEC,
}


class RowMapping(SchemaMapping[TypeInformation]):
    """Makes rows of records of a schema, and records of rows.

    Dates and times are those of UTC, as Python's ``datetime`` without a zone. Unions of a type with null are that type;
    other unions are Python objects as they are. Enums are strings, UUIDs too.

    Args:
        schema: Of records, as fastavro parses it.

    Raises:
        ConfigurationError: a record is within itself.
    """

    _flat = "no row type can be; read it with a map"

    def __init__(self, schema: Any) -> None:
        super().__init__()
        made, self.to_row, self.to_record = self._mapped(schema)
        assert isinstance(made, RowTypeInfo)
        self.row_type = made

    def _array(
        self, inner: TypeInformation, from_avro: Convert, to_avro: Convert
    ) -> tuple[TypeInformation, Convert, Convert]:
        return Types.OBJECT_ARRAY(inner), _each(from_avro), _each(to_avro)

    def _map(
        self, inner: TypeInformation, from_avro: Convert, to_avro: Convert
    ) -> tuple[TypeInformation, Convert, Convert]:
        return Types.MAP(Types.STRING(), inner), _values(from_avro), _values(to_avro)

    def _single(self, kind: str, schema: dict[str, Any]) -> tuple[TypeInformation, Convert, Convert]:
        return _single(kind, schema.get("logicalType"))

    def _record(
        self, fields: list[tuple[str, TypeInformation, Convert, Convert]]
    ) -> tuple[TypeInformation, Convert, Convert]:
        names = [name for name, _, _, _ in fields]

        def to_row(record: Any) -> Row:
            row = Row(*[read(record[name]) for name, _, read, _ in fields])
            row.set_field_names(names)
            return row

        def to_record(row: Any) -> dict[str, Any]:
            return {name: write(value) for (name, _, _, write), value in zip(fields, row, strict=True)}

        return Types.ROW_NAMED(names, [kind for _, kind, _, _ in fields]), to_row, to_record

    def _union(self, branches: list[Any]) -> tuple[TypeInformation, Convert, Convert]:
        others = [branch for branch in branches if branch != "null"]
        if len(others) != 1:
            return Types.PICKLED_BYTE_ARRAY(), _same, _same
        kind, read, write = self._mapped(others[0])
        return _or_none(kind), _unless_none(read), _unless_none(write)


def _single(kind: str, logical: str | None) -> tuple[TypeInformation, Convert, Convert]:
    if logical in ("timestamp-millis", "timestamp-micros"):
        return Types.SQL_TIMESTAMP(), _without_zone, _in_utc
    if logical == "uuid":
        return Types.STRING(), str, _same
    made = _LOGICAL.get(logical or "") or _PLAIN[kind]
    return made(), _same, _same


def _or_none(kind: TypeInformation) -> TypeInformation:
    """The type, with None: numbers and truth values have it as objects of Java's."""
    return kind if kind not in _PRIMITIVE else OptionalTypeInfo(kind)


class OptionalTypeInfo(TypeInformation):
    """A type whose values may be None."""

    def __init__(self, type_info: TypeInformation) -> None:
        self.type_info = type_info

    def to_internal_type(self, obj: Any) -> Any:
        return None if obj is None else self.type_info.to_internal_type(obj)

    def _parts(self) -> TypeInformation:
        return self.type_info

    def __repr__(self) -> str:
        return repr(self.type_info)


_PRIMITIVE = (Types.BOOLEAN(), Types.INT(), Types.LONG(), Types.FLOAT(), Types.DOUBLE())


def _same(value: Any) -> Any:
    return value


def _each(convert: Convert) -> Convert:
    return _same if convert is _same else lambda values: [convert(value) for value in values]


def _values(convert: Convert) -> Convert:
    return _same if convert is _same else lambda values: {key: convert(value) for key, value in values.items()}


def _unless_none(convert: Convert) -> Convert:
    return _same if convert is _same else optional(convert)


def _without_zone(value: datetime.datetime) -> datetime.datetime:
    return value.astimezone(datetime.UTC).replace(tzinfo=None) if value.tzinfo else value


def _in_utc(value: datetime.datetime) -> datetime.datetime:
    return value if value.tzinfo else value.replace(tzinfo=datetime.UTC)
