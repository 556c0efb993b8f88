"""What a table that is made of a stream has: columns, time, watermarks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from windrow.common.checks import text
from windrow.errors import ConfigurationTypeError
from windrow.table.data_types import DataType


class Schema:
    """Columns and watermarks (PyFlink's class of the same name).

    Example:
        >>> from windrow.table import DataTypes
        >>> schema = (
        ...     Schema.new_builder()
        ...     .column("name", DataTypes.STRING())
        ...     .column("ts", DataTypes.TIMESTAMP(3))
        ...     .watermark("ts", "ts - INTERVAL '1' SECOND")
        ...     .build()
        ... )
        >>> schema.names
        ['name', 'ts']
    """

    def __init__(
        self,
        columns: Sequence[tuple[str, DataType | str | None, str | None]],
        watermark: tuple[str, str] | None,
        primary_key: Sequence[str],
    ) -> None:
        #: Name, type (or how it is written), and the expression of a computed column.
        self.columns = list(columns)
        self.watermark = watermark
        self.primary_key = list(primary_key)

    @property
    def names(self) -> list[str]:
        """The columns' names."""
        return [name for name, _, _ in self.columns]

    @staticmethod
    def new_builder() -> Schema.Builder:
        """Begin to make a schema."""
        return Schema.Builder()

    class Builder:
        """Makes a schema step by step."""

        def __init__(self) -> None:
            self._columns: list[tuple[str, DataType | str | None, str | None]] = []
            self._watermark: tuple[str, str] | None = None
            self._primary_key: list[str] = []

        def column(self, column_name: str, data_type: DataType | str) -> Self:
            """Add a column with a type, or with what SQL calls it.

            Raises:
                ConfigurationTypeError: it is neither.
            """
            if not isinstance(data_type, DataType | str):
                msg = f"data_type of column {column_name!r} takes a type such as DataTypes.INT(); got {data_type!r}"
                raise ConfigurationTypeError(msg)
            self._columns.append((text(column_name, "column_name"), data_type, None))
            return self

        def column_by_expression(self, column_name: str, expr: str) -> Self:
            """Add a column that is computed by an expression of SQL."""
            self._columns.append((text(column_name, "column_name"), None, text(expr, "expr")))
            return self

        def watermark(self, column_name: str, watermark_expr: str) -> Self:
            """Make a column the time of rows; ``SOURCE_WATERMARK()`` takes the stream's own watermarks."""
            self._watermark = text(column_name, "column_name"), text(watermark_expr, "watermark_expr")
            return self

        def primary_key(self, *column_names: str) -> Self:
            """Say which columns tell rows apart; nothing checks it."""
            self._primary_key = list(column_names)
            return self

        def build(self) -> Schema:
            """Make it."""
            return Schema(self._columns, self._watermark, self._primary_key)
