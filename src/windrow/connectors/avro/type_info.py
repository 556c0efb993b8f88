"""The type of a stream of Avro records."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import cached_property
from typing import Any

from windrow.common.basic_types import TypeInformation
from windrow.common.types import Row
from windrow.connectors.avro.schema import AvroSchema, avro, checked_schema
from windrow.errors import TypeConversionError, shorten


class GenericRecordAvroTypeInfo(TypeInformation):
    """Records of an Avro schema, as dicts (PyFlink's ``GenericRecordAvroTypeInfo``).

    Rows with names become dicts; what does not fit the schema is an error that names the field.

    Args:
        schema: Of records.

    Example:
        >>> schema = AvroSchema.parse_string(
        ...     '{"type": "record", "name": "R", "fields": [{"name": "n", "type": "int"}]}'
        ... )
        >>> GenericRecordAvroTypeInfo(schema).to_internal_type(Row(n=1))
        {'n': 1}
    """

    def __init__(self, schema: AvroSchema) -> None:
        self._schema = checked_schema(schema, "GenericRecordAvroTypeInfo")

    def to_internal_type(self, obj: Any) -> Any:
        return self._convert(obj)

    def converter(self) -> Callable[[Any], Any]:
        return self._convert

    @cached_property
    def _convert(self) -> Callable[[Any], Any]:
        validate, parsed = avro().validate, self._schema.parsed

        def convert(obj: Any) -> Any:
            record = plain(obj)
            try:
                validate(record, parsed)
            except Exception as error:  # fastavro has several kinds, with no common base
                msg = f"{shorten(obj)} does not fit the Avro schema: {reason_of(error)}"
                raise TypeConversionError(msg) from None
            return record

        return convert

    def _parts(self) -> Hashable:
        return self._schema

    def __reduce__(self) -> tuple[Any, ...]:
        return GenericRecordAvroTypeInfo, (self._schema,)

    def __repr__(self) -> str:
        return f"GenericRecordAvroTypeInfo({self._schema})"


def plain(value: Any) -> Any:
    """Rows within a value as dicts."""
    match value:
        case Row():
            return {name: plain(item) for name, item in value.as_dict().items()}
        case dict():
            return {name: plain(item) for name, item in value.items()}
        case list() | tuple():
            return [plain(item) for item in value]
    return value


def reason_of(error: Exception) -> str:
    """Say in a line what fastavro says."""
    return " ".join(str(error).replace("[", "").replace("]", "").replace('"', "").split()) or type(error).__name__
