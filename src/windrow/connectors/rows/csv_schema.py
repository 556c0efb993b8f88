"""Schemas of CSV files: their columns and how they are laid out."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from windrow.common.composite_types import RowTypeInfo
from windrow.common.typeinfo import Types
from windrow.connectors.rows.csv_dialect import CsvDialect
from windrow.connectors.rows.csv_values import CsvRows
from windrow.connectors.rows.errors import FieldError
from windrow.errors import ConfigurationError, ConfigurationTypeError
from windrow.table.data_types import ArrayType, DataType, NumericType, RowField, RowType
from windrow.table.types import DataTypes

_KINDS = {"BooleanType": "BOOLEAN", "VarCharType": "STRING"}


@dataclass(frozen=True)
class CsvSchema:
    """Columns of CSV files, and how files are laid out (PyFlink's ``CsvSchema``, Jackson's); made by its builder.

    Attributes:
        row_type: the columns.
        dialect: what stands between and around values.
        separators: what stands between the elements of array columns, by their names.
        use_header: whether files begin with a line of names.
        strict_headers: whether these have to be the columns' names, in their order.
        skip_first_data_row: whether the first line, behind the header if there is one, is passed over.
        any_property_name: given, lines may have more values than columns; those are left out.

    Example:
        >>> schema = CsvSchema.builder().add_number_column("id").add_string_column("name").set_use_header().build()
        >>> len(schema), schema
        (2, [CsvSchema: columns=["id"/NUMBER,"name"/STRING], header? true, skip first? false, comments? false, \
any-properties? N/A])
    """

    row_type: RowType
    dialect: CsvDialect
    separators: tuple[tuple[str, str], ...] = ()
    use_header: bool = False
    strict_headers: bool = False
    skip_first_data_row: bool = False
    any_property_name: str | None = None

    @staticmethod
    def builder() -> CsvSchemaBuilder:
        """A builder of a schema without columns."""
        return CsvSchemaBuilder()

    def size(self) -> int:
        """Count the columns."""
        return len(self.row_type)

    @property
    def text_type(self) -> RowTypeInfo:
        """The rows' type, as texts are converted to it: arrays are ``OBJECT_ARRAY``."""
        types = [
            Types.OBJECT_ARRAY(kind.element_type.to_type_info()) if isinstance(kind, ArrayType) else kind.to_type_info()
            for kind in self.row_type.field_types()
        ]
        return Types.ROW_NAMED(self.row_type.field_names(), types)

    def __len__(self) -> int:
        return self.size()

    def __repr__(self) -> str:
        columns = ",".join(f'"{each.name}"/{_kind(each.data_type)}' for each in self.row_type)
        any_property = "N/A" if self.any_property_name is None else f"as '{self.any_property_name}'"
        return (
            f"[CsvSchema: columns=[{columns}], header? {_shown(self.use_header)}, "
            f"skip first? {_shown(self.skip_first_data_row)}, comments? {_shown(self.dialect.comments)}, "
            f"any-properties? {any_property}]"
        )


class CsvSchemaBuilder:
    """Builds a :class:`CsvSchema` (PyFlink's ``CsvSchemaBuilder``)."""

    def __init__(self) -> None:
        self._fields: list[RowField] = []
        self._separators: dict[str, str] = {}
        self._characters: dict[str, Any] = {}
        self._dialect = CsvDialect()
        self._schema = CsvSchema(RowType(), self._dialect)

    def build(self) -> CsvSchema:
        """The schema.

        Raises:
            ConfigurationError: two columns have the same name, two characters that mean different things are the same,
                or there is no CSV for a column.
        """
        names = [each.name for each in self._fields]
        twice = next((name for name in names if names.count(name) > 1), None)
        if twice is not None:
            msg = f"CsvSchema has the column {twice!r} twice"
            raise ConfigurationError(msg)
        dialect = self._dialect
        for what, character in self._characters.items():
            # Set aside first: each is compared with the others as they are in the end.
            dialect = replace(dialect, **{what: character})
        for what, character in self._characters.items():
            dialect = dialect.with_character(what, character, f"{what} of CsvSchema")
        row_type = RowType(list(self._fields))
        schema = replace(self._schema, row_type=row_type, dialect=dialect, separators=tuple(self._separators.items()))
        try:
            CsvRows(schema.text_type, dialect, ignore_parse_errors=False)
        except FieldError as error:
            msg = f"CsvSchema: {error}"
            raise ConfigurationError(msg) from None
        return schema

    def add_array_column(
        self, name: str, separator: str = ";", element_type: DataType | None = None
    ) -> CsvSchemaBuilder:
        """A column of several values; ``separator`` stands between them, and they are texts if no type is given."""
        made = self._add(name, DataTypes.ARRAY(DataTypes.STRING() if element_type is None else element_type))
        self._separators[name] = _text(separator, "separator of add_array_column")
        return made

    def add_boolean_column(self, name: str) -> CsvSchemaBuilder:
        """A column of truth values."""
        return self._add(name, DataTypes.BOOLEAN())

    def add_number_column(self, name: str, number_type: NumericType | None = None) -> CsvSchemaBuilder:
        """A column of numbers, of ``DataTypes.BIGINT()`` if no type is given."""
        kind = DataTypes.BIGINT() if number_type is None else number_type
        if not isinstance(kind, NumericType):
            msg = f"number_type of add_number_column takes a type such as DataTypes.INT(); got {kind!r}"
            raise ConfigurationTypeError(msg)
        return self._add(name, kind)

    def add_string_column(self, name: str) -> CsvSchemaBuilder:
        """Add a column of texts behind those that there are."""
        return self._add(name, DataTypes.STRING())

    def add_columns_from(self, schema: CsvSchema) -> CsvSchemaBuilder:
        """Add all columns of another schema behind those that there are."""
        if not isinstance(schema, CsvSchema):
            msg = f"schema of add_columns_from takes a CsvSchema; got {schema!r} ({type(schema).__name__})"
            raise ConfigurationTypeError(msg)
        self._fields += schema.row_type.fields
        self._separators |= dict(schema.separators)
        return self

    def clear_columns(self) -> CsvSchemaBuilder:
        """Forget all columns."""
        self._fields.clear()
        self._separators.clear()
        return self

    def set_allow_comments(self, allow: bool = True) -> CsvSchemaBuilder:
        """Pass over lines that begin with ``#``."""
        self._dialect = replace(self._dialect, comments=bool(allow))
        return self

    def set_any_property_name(self, name: str) -> CsvSchemaBuilder:
        """Let lines have more values than there are columns; those are left out."""
        self._schema = replace(self._schema, any_property_name=_text(name, "name of set_any_property_name"))
        return self

    def disable_array_element_separator(self) -> CsvSchemaBuilder:
        """No separator for arrays whose column has none: they have one element."""
        self._dialect = replace(self._dialect, array_delimiter="")
        return self

    def remove_array_element_separator(self, index: int) -> CsvSchemaBuilder:
        """Let the column at ``index``, from 0, have the separator of all arrays."""
        self._separators.pop(self._fields[index].name, None)
        return self

    def set_array_element_separator(self, separator: str) -> CsvSchemaBuilder:
        """Set what stands between the elements of arrays whose column has none of its own; a semicolon by default."""
        self._dialect = self._dialect.with_text("array_delimiter", separator, "set_array_element_separator")
        return self

    def set_column_separator(self, char: str) -> CsvSchemaBuilder:
        """Set what stands between values; a comma by default."""
        return self._character("field_delimiter", char, "set_column_separator")

    def disable_escape_char(self) -> CsvSchemaBuilder:
        """No character takes its meaning from another; so it is by default."""
        self._characters.pop("escape", None)
        return self

    def set_escape_char(self, char: str) -> CsvSchemaBuilder:
        """Set what takes its meaning from the character behind it."""
        return self._character("escape", char, "set_escape_char")

    def set_line_separator(self, separator: str) -> CsvSchemaBuilder:
        r"""Set what ends lines that are written; ``\n`` by default. Readers take ``\n``, ``\r`` and ``\r\n``."""
        self._dialect = self._dialect.with_text("line_delimiter", separator, "set_line_separator")
        return self

    def set_null_value(self, null_value: str) -> CsvSchemaBuilder:
        """Set what None is: without it nothing is read as None, and None is written as nothing."""
        self._dialect = self._dialect.with_text("null_literal", null_value, "set_null_value")
        return self

    def disable_quote_char(self) -> CsvSchemaBuilder:
        """Take quotes for characters like others: no value is in quotes."""
        self._characters.pop("quote", None)
        self._dialect = replace(self._dialect, quote=None)
        return self

    def set_quote_char(self, char: str) -> CsvSchemaBuilder:
        """Set what stands around values with separators in them; a double quote by default."""
        return self._character("quote", char, "set_quote_char")

    def set_skip_first_data_row(self, skip: bool = True) -> CsvSchemaBuilder:
        """Pass over the first line; behind the header, if there is one."""
        self._schema = replace(self._schema, skip_first_data_row=bool(skip))
        return self

    def set_strict_headers(self, strict: bool = True) -> CsvSchemaBuilder:
        """Check that the header has the columns' names, in their order."""
        self._schema = replace(self._schema, strict_headers=bool(strict))
        return self

    def set_use_header(self, use: bool = True) -> CsvSchemaBuilder:
        """The first line is a header: it is written, and passed over when reading. Columns are by position."""
        self._schema = replace(self._schema, use_header=bool(use))
        return self

    def size(self) -> int:
        """Count the columns so far."""
        return len(self._fields)

    def __len__(self) -> int:
        return self.size()

    def _add(self, name: str, kind: DataType) -> CsvSchemaBuilder:
        self._fields.append(RowField(name, kind))
        return self

    def _character(self, what: str, char: Any, call: str) -> CsvSchemaBuilder:
        if not isinstance(char, str) or len(char.encode()) != 1 or char in "\r\n":
            msg = f"{call} takes one ASCII character, no line end; got {char!r}"
            raise ConfigurationError(msg)
        self._characters[what] = char
        return self


def _text(given: Any, what: str) -> str:
    if not isinstance(given, str):
        msg = f"{what} takes a str; got {given!r} ({type(given).__name__})"
        raise ConfigurationTypeError(msg)
    return given


def _kind(data_type: DataType) -> str:
    if isinstance(data_type, NumericType | ArrayType):
        return "ARRAY" if isinstance(data_type, ArrayType) else "NUMBER"
    return _KINDS[type(data_type).__name__]


def _shown(value: bool) -> str:
    return "true" if value else "false"
