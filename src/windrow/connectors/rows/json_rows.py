"""Rows as JSON objects: PyFlink's schemas and their builders."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

from windrow.common.composite_types import RowTypeInfo
from windrow.common.json_values import EXACT, STRICT, JsonReading
from windrow.common.types import Row
from windrow.connectors.rows.checks import checked_row_type, without_cached
from windrow.connectors.rows.deserialization import RowDeserializationSchema, check_bytes
from windrow.connectors.rows.json_reading import JsonRows, has_decimals
from windrow.connectors.rows.json_schema import row_type_of_json_schema
from windrow.connectors.rows.json_writing import row_writer
from windrow.connectors.rows.serialization import RowSerializationSchema
from windrow.connectors.rows.show_text import Show
from windrow.errors import ConfigurationError, shorten


class JsonRowDeserializationSchema(RowDeserializationSchema):
    """Rows of JSON objects in UTF-8, 16 or 32 (Flink's ``JsonRowDeserializationSchema``); made by :meth:`builder`.

    Fields are found by name; those that are missing are None, others are left out; ``null`` is skipped. Values are
    converted as in Flink: numbers and texts of numbers to the type's number (INT and LONG cut off fractions), any value
    to a STRING (objects and arrays as JSON), ``true`` and ``"true"`` to a true BOOLEAN and all other single values to a
    false one. Times are texts such as ``2020-02-29T01:02:03.5Z``, bytes are in Base64. Other than in Flink, the ``Z``
    may be missing, and these are errors: text behind the object, objects and arrays for a BOOLEAN, anything but an
    object for a map, anything but a text for bytes.

    Example:
        >>> from windrow.common import Types
        >>> order = Types.ROW_NAMED(["shop", "total"], [Types.STRING(), Types.DOUBLE()])
        >>> schema = JsonRowDeserializationSchema.builder().type_info(order).build()
        >>> schema.deserialize(b'{"shop": "north", "total": "12.5", "paid": true}')
        Row(shop='north', total=12.5)
    """

    def __init__(self, row_type: RowTypeInfo, *, fail_on_missing_field: bool, ignore_parse_errors: bool) -> None:
        super().__init__(row_type, ignore_parse_errors=ignore_parse_errors)
        self._fail_on_missing_field = fail_on_missing_field

    @staticmethod
    def builder() -> JsonRowDeserializationSchema.Builder:
        """Begin a schema."""
        return JsonRowDeserializationSchema.Builder()

    def _rows(self, messages: Sequence[Any]) -> list[Row | None]:
        check_bytes(messages)
        return self._converter.rows(self._reading.loads_all(messages))

    @cached_property
    def _converter(self) -> JsonRows:
        return JsonRows(
            self._row_type,
            fail_on_missing_field=self._fail_on_missing_field,
            ignore_parse_errors=self._ignore_parse_errors,
        )

    @cached_property
    def _reading(self) -> JsonReading:
        return EXACT if has_decimals(self._row_type) else STRICT

    __getstate__ = without_cached("_converter", "_reading")

    class Builder:
        """Builds the schema; the rows' type has to be said in one of two ways."""

        def __init__(self) -> None:
            self._row_type: RowTypeInfo | None = None
            self._fail_on_missing_field = False
            self._ignore_parse_errors = False

        def type_info(self, type_info: RowTypeInfo) -> JsonRowDeserializationSchema.Builder:
            """The rows' type, such as ``Types.ROW_NAMED(["name"], [Types.STRING()])``.

            Raises:
                ConfigurationError: it is no row type, or has a field for which there is no JSON.
            """
            self._row_type = checked_row_type(
                type_info,
                "JsonRowDeserializationSchema.builder().type_info",
                JsonRows,
            )
            return self

        def json_schema(self, json_schema: str) -> JsonRowDeserializationSchema.Builder:
            """The rows' type as a JSON schema: numbers are ``BIG_DEC``, as in Flink.

            Types, properties, items of one type and null as an alternative are understood.

            Raises:
                ConfigurationError: it is no JSON schema, or says more than that.
            """
            if not isinstance(json_schema, str):
                msg = f"json_schema of JsonRowDeserializationSchema takes a str; got {shorten(json_schema)}"
                raise ConfigurationError(msg)
            self._row_type = row_type_of_json_schema(json_schema)
            return self

        def fail_on_missing_field(self) -> JsonRowDeserializationSchema.Builder:
            """Make it an error that a field is missing; without this call it is None."""
            self._fail_on_missing_field = True
            return self

        def ignore_parse_errors(self) -> JsonRowDeserializationSchema.Builder:
            """Make None of a field that cannot be converted, and skip what is no JSON object; else it is an error."""
            self._ignore_parse_errors = True
            return self

        def build(self) -> JsonRowDeserializationSchema:
            """The schema.

            Raises:
                ConfigurationError: there is no type, or both switches are set: they contradict each other.
            """
            if self._row_type is None:
                msg = "JsonRowDeserializationSchema.builder().build(): there is no type: call type_info or json_schema"
                raise ConfigurationError(msg)
            if self._fail_on_missing_field and self._ignore_parse_errors:
                msg = (
                    "a JsonRowDeserializationSchema cannot both fail_on_missing_field and ignore_parse_errors: leave "
                    "out one of the calls"
                )
                raise ConfigurationError(msg)
            return JsonRowDeserializationSchema(
                self._row_type,
                fail_on_missing_field=self._fail_on_missing_field,
                ignore_parse_errors=self._ignore_parse_errors,
            )


class JsonRowSerializationSchema(RowSerializationSchema):
    """Rows as JSON objects in UTF-8 (Flink's ``JsonRowSerializationSchema``); made by :meth:`builder`.

    What it writes ``JsonRowDeserializationSchema`` reads: numbers as Java writes them, dates and times in UTC with a
    ``Z``, bytes in Base64, None as null.

    Example:
        >>> from windrow.common import Row, Types
        >>> order = Types.ROW_NAMED(["shop", "total"], [Types.STRING(), Types.DOUBLE()])
        >>> JsonRowSerializationSchema.builder().with_type_info(order).build().serialize(("north", 12))
        b'{"shop":"north","total":12.0}'
    """

    @staticmethod
    def builder() -> JsonRowSerializationSchema.Builder:
        """Begin a schema."""
        return JsonRowSerializationSchema.Builder()

    def _writer(self) -> Show:
        return row_writer(self._row_type)

    class Builder:
        """Builds the schema; the rows' type has to be said."""

        def __init__(self) -> None:
            self._row_type: RowTypeInfo | None = None

        def with_type_info(self, type_info: RowTypeInfo) -> JsonRowSerializationSchema.Builder:
            """The rows' type, such as ``Types.ROW_NAMED(["name"], [Types.STRING()])``.

            Raises:
                ConfigurationError: it is no row type, or has a field for which there is no JSON.
            """
            self._row_type = checked_row_type(
                type_info, "JsonRowSerializationSchema.builder().with_type_info", row_writer
            )
            return self

        def build(self) -> JsonRowSerializationSchema:
            """The schema.

            Raises:
                ConfigurationError: there is no type.
            """
            if self._row_type is None:
                msg = "JsonRowSerializationSchema.builder().build(): there is no type: call with_type_info"
                raise ConfigurationError(msg)
            return JsonRowSerializationSchema(self._row_type)
