"""Rows as lines of CSV: PyFlink's schemas and their builders."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, Self

from windrow.common.composite_types import RowTypeInfo
from windrow.common.types import Row
from windrow.connectors.rows.checks import checked_row_type, without_cached
from windrow.connectors.rows.csv_dialect import CsvDialect
from windrow.connectors.rows.csv_records import CsvRecords
from windrow.connectors.rows.csv_values import CsvRows, csv_writer
from windrow.connectors.rows.deserialization import RowDeserializationSchema, check_bytes
from windrow.connectors.rows.serialization import RowSerializationSchema
from windrow.connectors.rows.show_text import Show


class _Builder:
    """Takes what both builders are told in the same words."""

    def __init__(self) -> None:
        self._dialect = CsvDialect()

    def set_array_element_delimiter(self, delimiter: str) -> Self:
        """Set what stands between the elements of an array or inner row; a semicolon if it is not called."""
        self._dialect = self._dialect.with_text("array_delimiter", delimiter, "set_array_element_delimiter")
        return self

    def set_quote_character(self, c: str) -> Self:
        """Set what stands around values with delimiters in them; a double quote if it is not called."""
        self._dialect = self._dialect.with_character("quote", c, "set_quote_character")
        return self


class CsvRowDeserializationSchema(RowDeserializationSchema):
    """Rows of lines of CSV in UTF-8 (Flink's ``CsvRowDeserializationSchema``); made by its ``Builder``.

    A message is a line, with or without its end; what follows it is passed over. Values are found by position and
    converted as Java does: ``5`` and ``" +5 "`` to numbers, ``true`` in any case to a true BOOLEAN and all else to a
    false one, ``2020-02-29 01:02:03.5`` to a timestamp, Base64 to bytes; arrays and inner rows have single values with
    ``;`` in between. Nothing is None unless ``set_null_literal`` says what is: the empty text is an empty string, and
    no number.

    Example:
        >>> from windrow.common import Types
        >>> order = Types.ROW_NAMED(["shop", "total"], [Types.STRING(), Types.DOUBLE()])
        >>> schema = CsvRowDeserializationSchema.Builder(order).set_field_delimiter("|").set_null_literal("").build()
        >>> schema.deserialize(b'"north|west"|12.5'), schema.deserialize(b"north|")
        (Row(shop='north|west', total=12.5), Row(shop='north', total=None))
    """

    def __init__(self, row_type: RowTypeInfo, dialect: CsvDialect, *, ignore_parse_errors: bool) -> None:
        super().__init__(row_type, ignore_parse_errors=ignore_parse_errors)
        self._dialect = dialect

    def _rows(self, messages: Sequence[Any]) -> list[Row | None]:
        check_bytes(messages)
        return self._converter.rows(self._records.split_all([message.decode() for message in messages]))

    @cached_property
    def _converter(self) -> CsvRows:
        return CsvRows(self._row_type, self._dialect, ignore_parse_errors=self._ignore_parse_errors)

    @cached_property
    def _records(self) -> CsvRecords:
        return CsvRecords(self._dialect)

    __getstate__ = without_cached("_converter", "_records")

    class Builder(_Builder):
        """Builds the schema.

        Args:
            type_info: The rows' type, such as ``Types.ROW_NAMED(["name"], [Types.STRING()])``. Fields are single
                values, or arrays (``BASIC_ARRAY``, ``OBJECT_ARRAY``) and rows of them.

        Raises:
            ConfigurationError: it is no row type, or has a field for which there is no CSV. So do the other calls if
                they are given something that cannot stand there.
        """

        def __init__(self, type_info: RowTypeInfo) -> None:
            super().__init__()
            self._ignore_parse_errors = False
            self._row_type = checked_row_type(
                type_info,
                "CsvRowDeserializationSchema.Builder",
                lambda row_type: CsvRows(row_type, CsvDialect(), ignore_parse_errors=False),
            )

        def set_field_delimiter(self, delimiter: str) -> CsvRowDeserializationSchema.Builder:
            """Set what stands between values, one character; a comma if it is not called."""
            self._dialect = self._dialect.with_character("field_delimiter", delimiter, "set_field_delimiter")
            return self

        def set_allow_comments(self, allow_comments: bool) -> CsvRowDeserializationSchema.Builder:
            """Pass over lines in front of the row that begin with ``#``, and blank ones, or not."""
            self._dialect = replace(self._dialect, comments=bool(allow_comments))
            return self

        def set_escape_character(self, c: str) -> CsvRowDeserializationSchema.Builder:
            """Set what takes its meaning from the next character, and makes ``n`` a line feed; nothing by default."""
            self._dialect = self._dialect.with_character("escape", c, "set_escape_character")
            return self

        def set_null_literal(self, null_literal: str) -> CsvRowDeserializationSchema.Builder:
            """Set what is read as None, with or without quotes."""
            self._dialect = self._dialect.with_text("null_literal", null_literal, "set_null_literal")
            return self

        def set_ignore_parse_errors(self, ignore_parse_errors: bool) -> CsvRowDeserializationSchema.Builder:
            """Let values that cannot be converted or are missing be None, and skip other malformed lines, or do not."""
            self._ignore_parse_errors = bool(ignore_parse_errors)
            return self

        def build(self) -> CsvRowDeserializationSchema:
            """Make the schema."""
            return CsvRowDeserializationSchema(
                self._row_type, self._dialect, ignore_parse_errors=self._ignore_parse_errors
            )


class CsvRowSerializationSchema(RowSerializationSchema):
    r"""Rows as lines of CSV in UTF-8 (Flink's ``CsvRowSerializationSchema``); made by its ``Builder``.

    What it writes ``CsvRowDeserializationSchema`` reads. Numbers and truth values are bare, texts are quoted as Jackson
    does: those longer than 24 characters, and those with blanks, delimiters or the like.

    Example:
        >>> from windrow.common import Types
        >>> order = Types.ROW_NAMED(["shop", "total"], [Types.STRING(), Types.DOUBLE()])
        >>> CsvRowSerializationSchema.Builder(order).build().serialize(("north, west", 12))
        b'"north, west",12.0\n'
    """

    def __init__(self, row_type: RowTypeInfo, dialect: CsvDialect) -> None:
        super().__init__(row_type)
        self._dialect = dialect

    def _writer(self) -> Show:
        return csv_writer(self._row_type, self._dialect)

    class Builder(_Builder):
        """Builds the schema.

        Args:
            type_info: The rows' type, such as ``Types.ROW_NAMED(["name"], [Types.STRING()])``. Fields are single
                values, or arrays (``BASIC_ARRAY``, ``OBJECT_ARRAY``) and rows of them.

        Raises:
            ConfigurationError: it is no row type, or has a field for which there is no CSV. So do the other calls if
                they are given something that cannot stand there.
        """

        def __init__(self, type_info: RowTypeInfo) -> None:
            super().__init__()
            self._row_type = checked_row_type(
                type_info, "CsvRowSerializationSchema.Builder", lambda row_type: csv_writer(row_type, CsvDialect())
            )

        def set_field_delimiter(self, c: str) -> CsvRowSerializationSchema.Builder:
            """Set what stands between values, one character; a comma if it is not called."""
            self._dialect = self._dialect.with_character("field_delimiter", c, "set_field_delimiter")
            return self

        def set_line_delimiter(self, delimiter: str) -> CsvRowSerializationSchema.Builder:
            r"""Set what ends each row: ``\n`` (if it is not called), ``\r``, ``\r\n`` or nothing."""
            self._dialect = self._dialect.with_text("line_delimiter", delimiter, "set_line_delimiter")
            return self

        def disable_quote_character(self) -> CsvRowSerializationSchema.Builder:
            """Quote nothing, whatever is in it."""
            self._dialect = replace(self._dialect, quote=None)
            return self

        def set_escape_character(self, c: str) -> CsvRowSerializationSchema.Builder:
            """Set what is doubled in quotes, as readers take the character behind it as it is; nothing by default."""
            self._dialect = self._dialect.with_character("escape", c, "set_escape_character")
            return self

        def set_null_literal(self, s: str) -> CsvRowSerializationSchema.Builder:
            """Set what None is written as; nothing if it is not called."""
            self._dialect = self._dialect.with_text("null_literal", s, "set_null_literal")
            return self

        def build(self) -> CsvRowSerializationSchema:
            """Make the schema."""
            return CsvRowSerializationSchema(self._row_type, self._dialect)
