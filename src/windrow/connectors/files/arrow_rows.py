"""Rows with a declared type as Arrow tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pyarrow as pa

from windrow.common.composite_types import RowTypeInfo
from windrow.elements.arrow_types import arrow_type
from windrow.errors import TypeConversionError, shorten


class RowTables:
    """Makes Arrow tables of rows.

    Args:
        row_type: Names and types of the fields; rows may be Rows, dicts, tuples, lists or objects.

    Raises:
        ConfigurationError: a field's type has no counterpart in Arrow.
    """

    def __init__(self, row_type: RowTypeInfo) -> None:
        self._convert = row_type.converter()
        names, types = row_type.get_field_names(), row_type.get_field_types()
        fields = [arrow_type(type_info, f"field {name!r}") for name, type_info in zip(names, types, strict=True)]
        self._to_arrow = [to_arrow for _, to_arrow in fields]
        self.schema = pa.schema([(name, data_type) for name, (data_type, _) in zip(names, fields, strict=True)])

    def table(self, rows: Sequence[Any]) -> pa.Table:
        """The rows as a table.

        Raises:
            TypeConversionError: a value does not fit its field's type.
        """
        columns = list(zip(*[self._convert(row) for row in rows], strict=True)) or [()] * len(self.schema)
        arrays = []
        for field, column, to_arrow in zip(self.schema, columns, self._to_arrow, strict=True):
            try:
                values = column if to_arrow is None else [to_arrow(value) for value in column]
                arrays.append(pa.array(values, field.type))
            except (pa.ArrowException, OverflowError) as error:
                msg = f"field {field.name!r} is written as {field.type}, which {shorten(column)} do not fit: {error}"
                raise TypeConversionError(msg) from error
        return pa.Table.from_arrays(arrays, schema=self.schema)
