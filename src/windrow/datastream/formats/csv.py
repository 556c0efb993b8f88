"""CSV files of rows, read and written; rows as CSV in the records of connectors."""

from __future__ import annotations

from windrow.absent.explained import module_getattr
from windrow.common.composite_types import RowTypeInfo
from windrow.connectors.files.bulk import BulkWriterFactory
from windrow.connectors.files.bulk_formats import CsvFactory, arrow_row_type_of
from windrow.connectors.files.csv_format import CsvFormat
from windrow.connectors.files.file_format import StreamFormat
from windrow.connectors.rows.csv_rows import CsvRowDeserializationSchema, CsvRowSerializationSchema
from windrow.datastream.formats._checks import checked_delimiter, tag_id
from windrow.datastream.output_tag import OutputTag

__all__ = ["CsvBulkWriters", "CsvReaderFormat", "CsvRowDeserializationSchema", "CsvRowSerializationSchema"]


class CsvBulkWriters:
    """Writers for ``FileSink.for_bulk_format``."""

    @staticmethod
    def for_schema(schema: RowTypeInfo, header: bool = False, delimiter: str = ",") -> BulkWriterFactory:
        """Rows as CSV: strings in double quotes, other values as they are, nothing for None.

        Args:
            schema: The columns, as ``Types.ROW_NAMED`` makes them; elements are Rows, dicts, tuples, lists or objects.
            header: Whether each file begins with a line of the columns' names.
            delimiter: What stands between values: one character.

        Raises:
            ConfigurationTypeError: ``schema`` is not a row type.
            ConfigurationError: a column is not a single value, or the delimiter not one character.
        """
        call = "CsvBulkWriters.for_schema"
        delimiter = checked_delimiter(delimiter, call)
        return CsvFactory(arrow_row_type_of(schema, call, flat=True), header, delimiter)


class CsvReaderFormat:
    """The format for ``FileSource.for_record_stream_format``."""

    @staticmethod
    def for_schema(
        schema: RowTypeInfo,
        header: bool = False,
        delimiter: str = ",",
        quoted_newlines: bool = False,
        dead_letter: OutputTag | None = None,
    ) -> StreamFormat:
        """Lines of values in UTF-8, each a ``Row`` with the schema's names; blank lines are passed over.

        A value may stand in double quotes, and one with the delimiter or a quote in it has to; its own quotes are
        doubled. Nothing between two delimiters is None, two quotes are the empty string. A malformed line (too many or
        too few values, a word for a number, quotes that are not closed) ends the job with a ``MalformedInputError``
        that names file and line, or goes to the side output ``dead_letter`` as ``(file, line)``.

        Args:
            schema: The columns' names and types, as ``Types.ROW_NAMED`` makes them.
            header: Whether each file begins with a line of names: then columns are found by name, in any order, and
                the file may have more of them.
            delimiter: What stands between values: one ASCII character.
            quoted_newlines: Whether values in quotes may have line ends in them. Such files cannot be cut: each is
                read by one reader.
            dead_letter: The side output for malformed lines; None makes one an error.

        Raises:
            ConfigurationTypeError: ``schema`` is not a row type, or ``dead_letter`` no tag.
            ConfigurationError: a column is not a single value, or the delimiter not one character.

        Example:
            >>> from windrow.common import Types
            >>> CsvReaderFormat.for_schema(Types.ROW_NAMED(["name"], [Types.STRING()]), delimiter=";").delimiter
            ';'
        """
        call = "CsvReaderFormat.for_schema"
        delimiter = checked_delimiter(delimiter, call)
        row_type = arrow_row_type_of(schema, call, flat=True)
        return CsvFormat(row_type, bool(header), delimiter, bool(quoted_newlines), tag_id(dead_letter, call))


__getattr__ = module_getattr(__name__)
