"""The Spark schema of a stream whose type is declared."""

from __future__ import annotations

from windrow.common.basic_types import DateTypeInfo, TimestampTypeInfo
from windrow.common.typeinfo import (
    BasicArrayTypeInfo,
    BasicType,
    BasicTypeInfo,
    ListTypeInfo,
    MapTypeInfo,
    ObjectArrayTypeInfo,
    PrimitiveArrayTypeInfo,
    RowTypeInfo,
    TupleTypeInfo,
    TypeInformation,
)
from windrow.errors import ConfigurationError

_BASIC = {
    BasicType.STRING: "string",
    BasicType.CHAR: "string",
    BasicType.BYTE: "tinyint",
    BasicType.BOOLEAN: "boolean",
    BasicType.SHORT: "smallint",
    BasicType.INT: "int",
    BasicType.LONG: "bigint",
    BasicType.FLOAT: "float",
    BasicType.DOUBLE: "double",
}


def spark_schema(type_info: TypeInformation, call: str) -> str:
    """The columns of a declared type as Spark's DDL text: a row's or tuple's fields, else a column ``value``.

    Args:
        type_info: The type of the stream.
        call: What needs the schema, for the error message.

    Raises:
        ConfigurationError: the type is not declared, or Spark has none for it.

    Example:
        >>> from windrow.common.typeinfo import Types
        >>> spark_schema(Types.TUPLE([Types.STRING(), Types.LIST(Types.INT())]), "to_dataframe")
        '`f0` string, `f1` array<int>'
    """
    if isinstance(type_info, RowTypeInfo | TupleTypeInfo):
        return ", ".join(f"`{name}` {_spark_type(field, call)}" for name, field in _fields(type_info))
    return f"`value` {_spark_type(type_info, call)}"


def _fields(type_info: RowTypeInfo | TupleTypeInfo) -> list[tuple[str, TypeInformation]]:
    types = type_info.get_field_types()
    names = type_info.get_field_names() if isinstance(type_info, RowTypeInfo) else [f"f{i}" for i in range(len(types))]
    return list(zip(names, types, strict=True))


def _spark_type(type_info: TypeInformation, call: str) -> str:
    match type_info:
        case BasicTypeInfo() if type_info.basic_type in _BASIC:
            return _BASIC[type_info.basic_type]
        case DateTypeInfo():
            return "date"
        case TimestampTypeInfo():
            return "timestamp_ntz"
        case ListTypeInfo() | ObjectArrayTypeInfo() | BasicArrayTypeInfo() | PrimitiveArrayTypeInfo():
            return f"array<{_spark_type(type_info.elem_type, call)}>"
        case MapTypeInfo():
            key, value = _spark_type(type_info.key_type_info, call), _spark_type(type_info.value_type_info, call)
            return f"map<{key}, {value}>"
        case RowTypeInfo() | TupleTypeInfo():
            fields = ", ".join(f"`{name}`: {_spark_type(field, call)}" for name, field in _fields(type_info))
            return f"struct<{fields}>"
    msg = f"{call} needs a schema: there is no Spark type for {type_info}; give one, such as 'word string, n int'"
    raise ConfigurationError(msg)
