"""The schema of a table that is made of a stream: columns, time, watermarks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Self

from windrow.common.checks import text
from windrow.errors import ConfigurationError, ConfigurationTypeError
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
        metadata: Mapping[str, tuple[str, bool]] | None = None,
    ) -> None:
        #: Name, type (or how it is written), and the expression of a computed column.
        self.columns = list(columns)
        self.watermark = watermark
        self.primary_key = list(primary_key)
        #: Of the columns that are metadata, what the connector calls them, and whether they are read only.
        self.metadata = dict(metadata or {})

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
            self._metadata: dict[str, tuple[str, bool]] = {}

        def from_schema(self, unresolved_schema: Schema) -> Self:
            """Add all that another schema has; its watermark and key take the place of those here."""
            self._columns += unresolved_schema.columns
            self._metadata |= unresolved_schema.metadata
            self._watermark = unresolved_schema.watermark or self._watermark
            self._primary_key = unresolved_schema.primary_key or self._primary_key
            return self

        def from_fields(self, field_names: Sequence[str], field_data_types: Sequence[DataType | str]) -> Self:
            """Add a column for each name, with the type at its place.

            Raises:
                ConfigurationError: there are more of the ones than of the others.
            """
            if len(field_names) != len(field_data_types):
                msg = f"from_fields takes as many names as types; got {len(field_names)} and {len(field_data_types)}"
                raise ConfigurationError(msg)
            for name, kind in zip(field_names, field_data_types, strict=True):
                self.column(name, kind)
            return self

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

        def column_by_metadata(
            self, column_name: str, data_type: DataType | str, metadata_key: str | None = None, is_virtual: bool = False
        ) -> Self:
            """Add what is known of a row beside what is stored; of a stream's elements that is their ``rowtime``.

            Args:
                column_name: What it is called here.
                data_type: Its type, or what SQL calls it; it is CAST to that.
                metadata_key: What it is called there; None: the same.
                is_virtual: Whether it is read, and not written.
            """
            self.column(column_name, data_type)
            self._metadata[column_name] = (text(metadata_key or column_name, "metadata_key"), is_virtual)
            return self

        def watermark(self, column_name: str, watermark_expr: str) -> Self:
            """Make a column the time of rows; ``SOURCE_WATERMARK()`` takes the stream's own watermarks."""
            self._watermark = text(column_name, "column_name"), text(watermark_expr, "watermark_expr")
            return self

        def primary_key(self, *column_names: str) -> Self:
            """Say which columns tell rows apart; nothing checks it."""
            self._primary_key = list(column_names)
            return self

        def primary_key_named(self, constraint_name: str, *column_names: str) -> Self:
            """The same, with a name for the constraint, which nothing asks for."""
            text(constraint_name, "constraint_name")
            return self.primary_key(*column_names)

        def build(self) -> Schema:
            """Make it."""
            return Schema(self._columns, self._watermark, self._primary_key, self._metadata)
