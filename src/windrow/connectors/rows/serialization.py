"""The base of schemas that make bytes of rows."""

from __future__ import annotations

from abc import abstractmethod
from functools import cached_property
from typing import Any

from windrow.common.composite_types import RowTypeInfo
from windrow.common.serialization import SerializationSchema
from windrow.connectors.rows.checks import without_cached
from windrow.connectors.rows.show_text import Show
from windrow.errors import TypeConversionError


class RowSerializationSchema(SerializationSchema):
    """Makes UTF-8 of rows: a Row, dict, tuple, list or object with attributes.

    Args:
        row_type: The rows' fields.
    """

    def __init__(self, row_type: RowTypeInfo) -> None:
        self._row_type = row_type

    def serialize(self, element: Any) -> bytes:
        """The bytes of one row.

        Raises:
            TypeConversionError: it does not fit the type.
        """
        row = self._row_type.to_internal_type(element)
        if row is None:
            msg = f"{type(self).__name__} takes a row; got None"
            raise TypeConversionError(msg)
        return self._write(row).encode()

    @cached_property
    def _write(self) -> Show:
        return self._writer()

    @abstractmethod
    def _writer(self) -> Show:
        """Make the function that gives the text of a row of the type."""

    __getstate__ = without_cached("_write")
