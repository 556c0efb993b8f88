"""Files with a JSON value in each line, read and written; rows as JSON in the records of connectors."""

from __future__ import annotations

from windrow.absent.explained import module_getattr
from windrow.common.composite_types import RowTypeInfo
from windrow.connectors.files.bulk import BulkWriterFactory
from windrow.connectors.files.bulk_formats import JsonFactory
from windrow.connectors.files.file_format import StreamFormat
from windrow.connectors.files.json_format import JsonFormat
from windrow.connectors.rows.checks import row_type_of
from windrow.connectors.rows.json_rows import JsonRowDeserializationSchema, JsonRowSerializationSchema
from windrow.datastream.formats._checks import tag_id
from windrow.datastream.output_tag import OutputTag

__all__ = ["JsonBulkWriters", "JsonReaderFormat", "JsonRowDeserializationSchema", "JsonRowSerializationSchema"]


class JsonBulkWriters:
    """Writers for ``FileSink.for_bulk_format``."""

    @staticmethod
    def for_row_type(row_type: RowTypeInfo | None = None) -> BulkWriterFactory:
        """Each element as a line of JSON: Rows with names and dicts as objects, tuples and lists as arrays.

        Dates and times are written in ISO 8601.

        Args:
            row_type: Makes each element a row with these fields first, and so an object; None: elements as they are.

        Raises:
            ConfigurationTypeError: ``row_type`` is not a row type.
        """
        return JsonFactory(None if row_type is None else row_type_of(row_type, "JsonBulkWriters.for_row_type"))


class JsonReaderFormat:
    """The format for ``FileSource.for_record_stream_format``; PyFlink has none."""

    @staticmethod
    def for_row_type(row_type: RowTypeInfo | None = None, dead_letter: OutputTag | None = None) -> StreamFormat:
        """Lines of JSON in UTF-8; blank lines are passed over.

        A malformed line (broken JSON, something else than an object, a word for a number) ends the job with a
        ``MalformedInputError`` that names file and line, or goes to the side output ``dead_letter`` as
        ``(file, line)``.

        Args:
            row_type: Makes each object a ``Row`` with these fields: fields that are missing are None, others are left
                out, and dates and times are text in ISO 8601. None: elements as Python's ``json`` gives them.
            dead_letter: The side output for malformed lines; None makes one an error.

        Raises:
            ConfigurationTypeError: ``row_type`` is not a row type, or ``dead_letter`` no tag.

        Example:
            >>> JsonReaderFormat.for_row_type(dead_letter=OutputTag("bad")).dead_letter
            'bad'
        """
        call = "JsonReaderFormat.for_row_type"
        return JsonFormat(None if row_type is None else row_type_of(row_type, call), tag_id(dead_letter, call))


__getattr__ = module_getattr(__name__)
