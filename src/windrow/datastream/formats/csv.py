"""CSV files of rows, read and written; rows as CSV in the records of connectors."""

from __future__ import annotations

from windrow.absent.explained import module_getattr
from windrow.common.composite_types import RowTypeInfo
from windrow.connectors.files.bulk import BulkWriterFactory
from windrow.connectors.files.bulk_formats import CsvFactory, arrow_row_type_of
from windrow.connectors.files.csv_format import CsvFormat
from windrow.connectors.files.csv_schema_format import CsvSchemaFormat
from windrow.connectors.files.csv_schema_writer import CsvSchemaFactory
from windrow.connectors.files.file_format import StreamFormat
from windrow.connectors.rows.csv_rows import CsvRowDeserializationSchema, CsvRowSerializationSchema
from windrow.connectors.rows.csv_schema import CsvSchema, CsvSchemaBuilder
from windrow.datastream.formats._checks import checked_delimiter, tag_id
from windrow.datastream.output_tag import OutputTag
from windrow.errors import ConfigurationError

__all__ = [
    "CsvBulkWriters",
    "CsvReaderFormat",
    "CsvRowDeserializationSchema",
    "CsvRowSerializationSchema",
    "CsvSchema",
    "CsvSchemaBuilder",
]


class CsvBulkWriters:
    """Writers for ``FileSink.for_bulk_format``."""

    @staticmethod
    def for_schema(schema: CsvSchema | RowTypeInfo, header: bool = False, delimiter: str = ",") -> BulkWriterFactory:
        """Rows as CSV.

        Of a ``CsvSchema`` as Flink writes it: texts are quoted where they need it, and the schema says all else. Of a
        row type strings are in double quotes, other values as they are, and nothing stands for None.

        Args:
            schema: The columns, as ``CsvSchema.builder()`` or ``Types.ROW_NAMED`` makes them; elements are Rows, dicts,
                tuples, lists or objects.
            header: Of a row type, whether each file begins with a line of the columns' names.
            delimiter: Of a row type, what stands between values: one character.

        Raises:
            ConfigurationTypeError: ``schema`` is neither.
            ConfigurationError: a column is not a single value, the delimiter not one character, or there is a header or
                delimiter beside a ``CsvSchema``.
        """
        call = "CsvBulkWriters.for_schema"
        if isinstance(schema, CsvSchema):
            _check_schema_alone(header, delimiter, call)
            return CsvSchemaFactory(schema)
        delimiter = checked_delimiter(delimiter, call)
        return CsvFactory(arrow_row_type_of(schema, call, flat=True), header, delimiter)


class CsvReaderFormat:
    """The format for ``FileSource.for_record_stream_format``."""

    @staticmethod
    def for_schema(
        schema: CsvSchema | RowTypeInfo,
        header: bool = False,
        delimiter: str = ",",
        quoted_newlines: bool | None = None,
        dead_letter: OutputTag | None = None,
    ) -> StreamFormat:
        """Lines of values in UTF-8, each a ``Row`` with the schema's names; blank lines are passed over.

        A ``CsvSchema`` is read as Flink reads it: values are by position, and all is said by the schema. Of a row type
        a value may stand in double quotes, and one with the delimiter or a quote in it has to; its own quotes are
        doubled. Nothing between two delimiters is None, two quotes are the empty string. A malformed line (too many or
        too few values, a word for a number, quotes that are not closed) ends the job with a ``MalformedInputError``
        that names file and line, or goes to the side output ``dead_letter`` as ``(file, line)``.

        Args:
            schema: The columns, as ``CsvSchema.builder()`` or ``Types.ROW_NAMED`` makes them; of the latter, files are
                read four times as fast.
            header: Of a row type, whether each file begins with a line of names: then columns are found by name, in
                any order, and the file may have more of them.
            delimiter: Of a row type, what stands between values: one ASCII character.
            quoted_newlines: Whether values in quotes may have line ends in them. Such files cannot be cut: each is
                read by one reader. None: as in Flink they may with a ``CsvSchema`` that has a quote character, and may
                not with a row type.
            dead_letter: The side output for malformed lines; None makes one an error.

        Raises:
            ConfigurationTypeError: ``schema`` is neither, or ``dead_letter`` no tag.
            ConfigurationError: a column is not a single value, the delimiter not one character, or there is a header or
                delimiter beside a ``CsvSchema``.

        Example:
            >>> from windrow.common import Types
            >>> CsvReaderFormat.for_schema(Types.ROW_NAMED(["name"], [Types.STRING()]), delimiter=";").delimiter
            ';'
        """
        call = "CsvReaderFormat.for_schema"
        if isinstance(schema, CsvSchema):
            _check_schema_alone(header, delimiter, call)
            newlines = schema.dialect.quote is not None if quoted_newlines is None else bool(quoted_newlines)
            return CsvSchemaFormat(schema, newlines, tag_id(dead_letter, call))
        delimiter = checked_delimiter(delimiter, call)
        row_type = arrow_row_type_of(schema, call, flat=True)
        return CsvFormat(row_type, bool(header), delimiter, bool(quoted_newlines), tag_id(dead_letter, call))


def _check_schema_alone(header: bool, delimiter: str, call: str) -> None:
    if header or delimiter != ",":
        msg = f"{call}: a CsvSchema says itself what header and delimiter are: set_use_header, set_column_separator"
        raise ConfigurationError(msg)


__getattr__ = module_getattr(__name__)
