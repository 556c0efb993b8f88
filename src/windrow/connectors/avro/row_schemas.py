"""Rows as bytes of Avro: PyFlink's schemas."""

from __future__ import annotations

import io
from collections.abc import Sequence
from functools import cached_property
from typing import Any

from windrow.common.serialization import SerializationSchema
from windrow.common.types import Row
from windrow.connectors.avro.rows import RowMapping
from windrow.connectors.avro.schema import AvroSchema, avro, checked_schema
from windrow.connectors.avro.type_info import reason_of
from windrow.connectors.rows.checks import without_cached
from windrow.connectors.rows.deserialization import RowDeserializationSchema, check_bytes
from windrow.errors import ConfigurationError, ConfigurationTypeError, TypeConversionError, shorten


class AvroRowDeserializationSchema(RowDeserializationSchema):
    """Rows of Avro's binary records (Flink's ``AvroRowDeserializationSchema``).

    A message is one record and nothing else: no file, no header, and not the five bytes that Confluent's schema
    registry puts in front.

    Args:
        record_class: A class of Java's in Flink; refused here.
        avro_schema_string: The schema of the records that the messages were written with, in JSON.

    Raises:
        ConfigurationError: there is a ``record_class``, or the text is no schema of records.

    Example:
        >>> text = '{"type": "record", "name": "R", "fields": [{"name": "n", "type": "int"}]}'
        >>> AvroRowDeserializationSchema(avro_schema_string=text).deserialize(bytes([84]))
        Row(n=42)
    """

    can_ignore = False

    def __init__(self, record_class: str | None = None, avro_schema_string: str | None = None) -> None:
        self._schema = _schema_of(record_class, avro_schema_string, type(self).__name__)
        super().__init__(RowMapping(self._schema.parsed).row_type, ignore_parse_errors=False)

    def _rows(self, messages: Sequence[Any]) -> list[Row | None]:
        check_bytes(messages)
        return [self._mapping.to_row(self._record(message)) for message in messages]

    def _record(self, message: bytes) -> Any:
        stream = io.BytesIO(message)
        try:
            record = avro().schemaless_reader(stream, self._schema.parsed, None)
        except EOFError:
            msg = f"the record ends too early, behind {len(message)} bytes"
            raise ValueError(msg) from None
        except Exception as error:  # fastavro has several kinds, with no common base
            msg = f"{type(error).__name__}: {reason_of(error)}"
            raise ValueError(msg) from None
        left = len(message) - stream.tell()
        if left:
            msg = f"{left} bytes are left behind the record"
            if message[:1] == b"\0":
                msg += "; Confluent's schema registry puts five in front, which are no part of it"
            raise ValueError(msg)
        return record

    @cached_property
    def _mapping(self) -> RowMapping:
        return RowMapping(self._schema.parsed)

    __getstate__ = without_cached("_mapping")


class AvroRowSerializationSchema(SerializationSchema):
    """Rows as Avro's binary records (Flink's ``AvroRowSerializationSchema``).

    Args:
        record_class: A class of Java's in Flink; refused here.
        avro_schema_string: The schema of the records, in JSON.

    Raises:
        ConfigurationError: there is a ``record_class``, or the text is no schema of records.

    Example:
        >>> text = '{"type": "record", "name": "R", "fields": [{"name": "n", "type": "int"}]}'
        >>> AvroRowSerializationSchema(avro_schema_string=text).serialize(Row(n=42))
        b'T'
    """

    def __init__(self, record_class: str | None = None, avro_schema_string: str | None = None) -> None:
        self._schema = _schema_of(record_class, avro_schema_string, type(self).__name__)
        RowMapping(self._schema.parsed)

    def serialize(self, element: Any) -> bytes:
        """The bytes of one row: a Row, dict, tuple, list or object with attributes.

        Raises:
            TypeConversionError: it does not fit the schema.
        """
        row = self._mapping.row_type.to_internal_type(element)
        if row is None:
            msg = f"{type(self).__name__} takes a row; got None"
            raise TypeConversionError(msg)
        stream = io.BytesIO()
        try:
            avro().schemaless_writer(stream, self._schema.parsed, self._mapping.to_record(row))
        except Exception as error:  # fastavro has several kinds, with no common base
            msg = f"{shorten(element)} does not fit the Avro schema: {reason_of(error)}"
            raise TypeConversionError(msg) from None
        return stream.getvalue()

    @cached_property
    def _mapping(self) -> RowMapping:
        return RowMapping(self._schema.parsed)

    __getstate__ = without_cached("_mapping")


def _schema_of(record_class: Any, avro_schema_string: Any, call: str) -> AvroSchema:
    if record_class is not None:
        msg = f"record_class of {call} names a class of Java's, which is not here; give it avro_schema_string"
        raise ConfigurationError(msg)
    if avro_schema_string is None:
        msg = f"{call} takes an avro_schema_string"
        raise ConfigurationTypeError(msg)
    return checked_schema(AvroSchema.parse_string(avro_schema_string), call)
