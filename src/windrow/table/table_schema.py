"""The columns of a table by name and type."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from windrow.common.checks import instance_of
from windrow.errors import ConfigurationError, ConfigurationTypeError
from windrow.expressions.logical_types import name_of
from windrow.table.data_types import DataType, RowField, RowType


class TableSchema:
    """Names and types of columns (PyFlink's class of the same name), as ``Table.get_schema`` gives them.

    Args:
        field_names: The names.
        data_types: The type of each.

    Raises:
        ConfigurationError: there are more of the ones than of the others.
        ConfigurationTypeError: something is no name, or no type.

    Example:
        >>> from windrow.table import DataTypes
        >>> schema = TableSchema(["n", "s"], [DataTypes.BIGINT(False), DataTypes.STRING()])
        >>> schema.get_field_names(), schema.get_field_data_type("s"), schema.get_field_name(7)
        (['n', 's'], VarCharType(2147483647, true), None)
        >>> print(schema, end="")
        root
         |-- n: BIGINT NOT NULL
         |-- s: STRING
    """

    class Builder:
        """Makes a schema step by step."""

        def __init__(self) -> None:
            self._names: list[str] = []
            self._types: list[DataType] = []

        def field(self, name: str, data_type: DataType) -> Self:
            """Add a column."""
            self._names.append(name)
            self._types.append(data_type)
            return self

        def build(self) -> TableSchema:
            """Make it."""
            return TableSchema(self._names, self._types)

    def __init__(self, field_names: Sequence[str], data_types: Sequence[DataType]) -> None:
        if len(field_names) != len(data_types):
            msg = f"a TableSchema takes as many names as types; got {len(field_names)} and {len(data_types)}"
            raise ConfigurationError(msg)
        self._names = [instance_of(name, str, "field_names") for name in field_names]
        self._types = [instance_of(kind, DataType, "data_types") for kind in data_types]

    @classmethod
    def builder(cls) -> TableSchema.Builder:
        """Begin to make a schema."""
        return TableSchema.Builder()

    def copy(self) -> TableSchema:
        """The same columns."""
        return TableSchema(self._names, self._types)

    def get_field_names(self) -> list[str]:
        """The names, in their order."""
        return list(self._names)

    def get_field_data_types(self) -> list[DataType]:
        """The types, in their order."""
        return list(self._types)

    def get_field_count(self) -> int:
        """The number of columns."""
        return len(self._names)

    def get_field_name(self, field_index: int) -> str | None:
        """The name at a place, from 0 on; None: there is none."""
        return self._names[field_index] if 0 <= field_index < len(self._names) else None

    def get_field_data_type(self, field: int | str) -> DataType | None:
        """The type of the column at a place, from 0 on, or of a name; None: there is none.

        Raises:
            ConfigurationTypeError: it is neither a place nor a name.
        """
        if isinstance(field, bool) or not isinstance(field, int | str):
            msg = f"get_field_data_type takes the place of a column or its name; got {field!r}"
            raise ConfigurationTypeError(msg)
        if isinstance(field, str):
            return self._types[self._names.index(field)] if field in self._names else None
        return self._types[field] if 0 <= field < len(self._types) else None

    def to_row_data_type(self) -> RowType:
        """The columns as the fields of a row."""
        return RowType([RowField(name, kind) for name, kind in zip(self._names, self._types, strict=True)])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TableSchema) and (other._names, other._types) == (self._names, self._types)

    def __hash__(self) -> int:
        return hash((tuple(self._names), tuple(self._types)))

    def __repr__(self) -> str:
        columns = zip(self._names, self._types, strict=True)
        return "".join(["root\n", *[f" |-- {name}: {name_of(kind)}\n" for name, kind in columns]])
