"""Tables of Avro's files: the schema of a table's rows, as Flink's ``AvroSchemaConverter`` makes it."""

from __future__ import annotations

import json
from typing import Any

from windrow.connectors.avro.schema import AvroSchema
from windrow.errors import SqlError
from windrow.expressions import logical_types as lt
from windrow.expressions.logical_types import may_be_null, name_of
from windrow.table import data_types as t
from windrow.table.data_types import DataType, RowType

#: The codecs of fastavro alone; Flink's has snappy by default, which needs another package.
CODECS = {name: name for name in ("null", "deflate", "bzip2", "xz")}
_PLAIN: dict[type[DataType], Any] = {
    t.BooleanType: "boolean",
    t.TinyIntType: "int",
    t.SmallIntType: "int",
    t.IntType: "int",
    t.BigIntType: "long",
    t.FloatType: "float",
    t.DoubleType: "double",
    t.DateType: {"type": "int", "logicalType": "date"},
}
_MILLIS = 3


def schema_of(row_type: RowType, table: str) -> AvroSchema:
    """The schema of a table's rows.

    Raises:
        SqlError: a column has a type that Avro has not.
        MissingAvroError: fastavro is not installed.
    """
    return AvroSchema.parse_string(json.dumps(_record(row_type, "record", table)))


def _record(row_type: RowType, name: str, table: str) -> dict[str, Any]:
    fields = [
        {"name": field.name, "type": _type(field.data_type, f"{name}_{field.name}", table)} for field in row_type.fields
    ]
    full = "org.apache.flink.avro.generated.record" if name == "record" else name
    return {"type": "record", "name": full, "fields": fields}


def _type(kind: DataType, name: str, table: str) -> Any:
    made = _not_null(kind, name, table)
    return ["null", made] if may_be_null(kind) else made


def _not_null(kind: DataType, name: str, table: str) -> Any:
    if type(kind) in _PLAIN:
        return _PLAIN[type(kind)]
    if lt.is_text(kind):
        return "string"
    if lt.is_binary(kind):
        return "bytes"
    match kind:
        case t.DecimalType():
            return {"type": "bytes", "logicalType": "decimal", "precision": kind.precision, "scale": kind.scale}
        case t.TimeType() if kind.precision <= _MILLIS:
            return {"type": "int", "logicalType": "time-millis"}
        case t.TimestampType() if kind.precision <= _MILLIS:
            return {"type": "long", "logicalType": "timestamp-millis"}
        case t.ArrayType():
            return {"type": "array", "items": _type(kind.element_type, f"{name}_item", table)}
        case t.MapType() if lt.is_text(kind.key_type):
            return {"type": "map", "values": _type(kind.value_type, f"{name}_value", table)}
        case t.RowType():
            return _record(kind, name, table)
    msg = (
        f"table {table!r}: format 'avro' has no {name_of(kind, nullability=False)}: as in Flink it takes TIMESTAMP and "
        "TIME of up to 3 digits, and MAP with keys of text"
    )
    raise SqlError(msg)
