"""Tables of Spark's DataFrames, and DataFrames of tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from windrow.errors import ConfigurationError, ConfigurationTypeError
from windrow.expressions.arrow_types import type_of_arrow
from windrow.expressions.logical_types import name_of
from windrow.table import data_types as t
from windrow.table.data_types import DataType
from windrow.table.schema import Schema

if TYPE_CHECKING:
    from windrow.sql.plan import Relation

_PLAIN: dict[type[DataType], str] = {
    t.BooleanType: "boolean",
    t.TinyIntType: "tinyint",
    t.SmallIntType: "smallint",
    t.IntType: "int",
    t.BigIntType: "bigint",
    t.FloatType: "float",
    t.DoubleType: "double",
    t.CharType: "string",
    t.VarCharType: "string",
    t.BinaryType: "binary",
    t.VarBinaryType: "binary",
    t.DateType: "date",
    t.TimestampType: "timestamp_ntz",
    t.LocalZonedTimestampType: "timestamp",
}


def schema_of_dataframe(df: Any, schema: Schema | None) -> Schema:
    """The columns of a DataFrame with the types that SQL has for them, and behind them what a schema adds.

    Args:
        df: The DataFrame.
        schema: Columns that are computed, the watermark, the key; or all columns, with their types. None: nothing.

    Raises:
        ConfigurationTypeError: ``df`` is no DataFrame.
        ConfigurationError: SQL has no type for a column.
    """
    if not hasattr(df, "isStreaming"):
        msg = f"from_dataframe takes a Spark DataFrame; got {df!r} ({type(df).__name__})"
        raise ConfigurationTypeError(msg)
    from windrow.runtime.submit import arrow_schema

    if schema is not None and any(kind is not None for _, kind, _ in schema.columns):
        return schema
    builder = Schema.new_builder()
    for field in arrow_schema(df):
        kind = type_of_arrow(field.type)
        if kind is None:
            msg = f"from_dataframe: SQL has no type for column {field.name!r}, which is {field.type}: cast it in Spark"
            raise ConfigurationError(msg)
        builder.column(field.name, kind)
    return (builder if schema is None else builder.from_schema(schema)).build()


def spark_schema(relation: Relation) -> str:
    """The columns of a relation as Spark's DDL.

    Raises:
        ConfigurationError: Spark has no type for a column, or rows take back others.
    """
    if relation.changes:
        msg = "to_dataframe takes a table whose rows stay: group by windows, or take to_changelog_stream"
        raise ConfigurationError(msg)
    return ", ".join(f"{_quoted(column.name)} {_spark_type(column.name, column.type)}" for column in relation.columns)


def _spark_type(name: str, kind: DataType) -> str:
    match kind:
        case t.DecimalType():
            return f"decimal({kind.precision},{kind.scale})"
        case t.ArrayType():
            return f"array<{_spark_type(name, kind.element_type)}>"
        case t.MapType():
            return f"map<{_spark_type(name, kind.key_type)},{_spark_type(name, kind.value_type)}>"
        case t.RowType():
            parts = [f"{_quoted(field.name)}:{_spark_type(name, field.data_type)}" for field in kind.fields]
            return f"struct<{','.join(parts)}>"
    found = _PLAIN.get(type(kind))
    if found is None:
        msg = f"to_dataframe: Spark has no type for column {name!r}, which is {name_of(kind)}: CAST it AS STRING"
        raise ConfigurationError(msg)
    return found


def _quoted(name: str) -> str:
    return "`" + name.replace("`", "``") + "`"
