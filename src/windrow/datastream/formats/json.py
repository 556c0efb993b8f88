"""Files with a JSON value in each line."""

from __future__ import annotations

from windrow.absent.explained import module_getattr
from windrow.common.composite_types import RowTypeInfo
from windrow.connectors.files.bulk import BulkWriterFactory
from windrow.connectors.files.bulk_formats import JsonFactory, row_type_of


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


__getattr__ = module_getattr(__name__)
