"""CSV files of rows."""

from __future__ import annotations

from windrow.absent.explained import module_getattr
from windrow.common.composite_types import RowTypeInfo
from windrow.connectors.files.bulk import BulkWriterFactory
from windrow.connectors.files.bulk_formats import CsvFactory, arrow_row_type_of
from windrow.errors import ConfigurationError


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
        if not isinstance(delimiter, str) or len(delimiter.encode()) != 1:
            msg = f"delimiter of {call} takes one ASCII character; got {delimiter!r}"
            raise ConfigurationError(msg)
        return CsvFactory(arrow_row_type_of(schema, call, flat=True), header, delimiter)


__getattr__ = module_getattr(__name__)
