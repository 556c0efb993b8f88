"""The statement of a sink, and the rows that fill its placeholders."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from windrow.common.typeinfo import RowTypeInfo, TupleTypeInfo
from windrow.connectors.jdbc.columns import column
from windrow.connectors.jdbc.placeholders import with_named_placeholders
from windrow.connectors.jdbc.sqlalchemy_package import sqlalchemy
from windrow.connectors.spool import Values
from windrow.errors import ConfigurationError, ConfigurationTypeError, TypeConversionError, shorten

if TYPE_CHECKING:
    from sqlalchemy import Connection, TextClause


class Statement:
    """A statement with placeholders, and the type of what fills them; must pickle.

    Args:
        sql: The statement.
        type_info: The type of the elements: a row or tuple with a field for each placeholder.
        backend: The database, as SQLAlchemy calls it.

    Raises:
        ConfigurationTypeError: the type is another.
        ConfigurationError: there are more or fewer placeholders than fields, or a field of a type that cannot be sent.
    """

    def __init__(self, sql: str, type_info: Any, backend: str) -> None:
        if not isinstance(type_info, RowTypeInfo | TupleTypeInfo):
            msg = (
                "type_info of JdbcSink.sink must be the type of a row, such as Types.ROW([Types.STRING(), "
                f"Types.INT()]); got {shorten(type_info)}"
            )
            raise ConfigurationTypeError(msg)
        self.sql = sql
        self._text, count = with_named_placeholders(sql)
        types = type_info.get_field_types()
        if count != len(types):
            msg = (
                f"JdbcSink: the statement has {count} placeholders, and type_info {len(types)} fields: each field "
                f"fills one, in their order; got {sql!r} and {type_info!r}"
            )
            raise ConfigurationError(msg)
        names = type_info.get_field_names() if isinstance(type_info, RowTypeInfo) else list(map(str, range(len(types))))
        columns = [column(each, backend, name) for each, name in zip(types, names, strict=True)]
        self._types = [each.type for each in columns]
        self._converted = [(place, each.convert) for place, each in enumerate(columns) if each.convert is not None]
        self._type_info = type_info

    @property
    def text(self) -> TextClause:
        """The statement that SQLAlchemy runs; parameters are those of :meth:`parameters`."""
        library = sqlalchemy()
        typed = (library.bindparam(f"p{place}", type_=each) for place, each in enumerate(self._types))
        text: TextClause = library.text(self._text).bindparams(*typed)
        return text

    def execute(self, connection: Connection, rows: Sequence[Values]) -> None:
        """Run the statement for each row."""
        connection.execute(self.text, self.parameters(rows))

    def parameters(self, rows: Sequence[Values]) -> list[dict[str, Any]]:
        """The parameters of the text, row by row."""
        names = [f"p{place}" for place in range(len(self._types))]
        return [dict(zip(names, row, strict=True)) for row in rows]

    def values(self, elements: Sequence[Any]) -> list[Values]:
        """Make the values that are sent for elements.

        Raises:
            TypeConversionError: one is no row of the type.
        """
        convert, converted = self._type_info.converter(), self._converted
        return [_values(convert, converted, element) for element in elements]


def _values(
    convert: Callable[[Any], Any], converted: Sequence[tuple[int, Callable[[Any], Any]]], element: Any
) -> Values:
    row = convert(element)
    if row is None:
        msg = "a JdbcSink takes rows; got None"
        raise TypeConversionError(msg)
    values = list(row)
    for place, change in converted:
        if values[place] is not None:
            values[place] = change(values[place])
    return tuple(values)
