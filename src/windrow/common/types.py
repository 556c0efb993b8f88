"""Rows: values with optional field names and a kind of change."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import Enum
from typing import Any

from windrow.errors import ConfigurationError


class RowKind(Enum):
    """The meaning of a row in a changelog; prints as Flink's short form.

    Example:
        >>> str(RowKind.UPDATE_BEFORE)
        '-U'
    """

    INSERT = 0
    UPDATE_BEFORE = 1
    UPDATE_AFTER = 2
    DELETE = 3

    def __str__(self) -> str:
        return _SHORT_FORM[self]


_SHORT_FORM = {
    RowKind.INSERT: "+I",
    RowKind.UPDATE_BEFORE: "-U",
    RowKind.UPDATE_AFTER: "+U",
    RowKind.DELETE: "-D",
}


class Row:
    """A row of values, by position and, if named, by name as item or attribute.

    ``Row(1, 2)`` has positions only, ``Row(a=1, b=2)`` has names in the order given, and a row of names called with
    values makes a named row. Rows with the same names are equal whatever their order; a row with names never equals
    one without. Items can be assigned, attributes cannot.

    Example:
        >>> row = Row(name="Alice", age=11)
        >>> row.name, row["age"], row[0]
        ('Alice', 11, 'Alice')
        >>> Person = Row("name", "age")
        >>> Person("Bob", 12)
        Row(name='Bob', age=12)
    """

    __slots__ = ("_fields", "_row_kind", "_values")
    _fields: list[str] | None
    _values: list[Any]
    _row_kind: RowKind

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        if args and kwargs:
            msg = "a Row takes either positional values or named ones; got both"
            raise ConfigurationError(msg)
        self._fields = list(kwargs) if kwargs else None
        self._values = list(kwargs.values()) if kwargs else list(args)
        self._row_kind = RowKind.INSERT

    @staticmethod
    def of_kind(row_kind: RowKind, *args: Any, **kwargs: Any) -> Row:
        """A row of the given kind of change."""
        row = Row(*args, **kwargs)
        row.set_row_kind(row_kind)
        return row

    def get_row_kind(self) -> RowKind:
        return self._row_kind

    def set_row_kind(self, row_kind: RowKind) -> None:
        self._row_kind = row_kind

    def set_field_names(self, field_names: Sequence[str]) -> None:
        """Name the values, in their order."""
        self._fields = list(field_names)

    def get_fields_by_names(self, names: Sequence[str]) -> list[Any]:
        """The values of the given names, in that order; all values if the row has no names."""
        if self._fields is None or list(names) == self._fields:
            return self._values
        return [self[name] for name in names]

    def as_dict(self, recursive: bool = False) -> dict[str, Any]:
        """The row as a dictionary; with ``recursive`` rows inside it too.

        Raises:
            TypeError: the row has no field names.
        """
        if self._fields is None:
            msg = f"only a row with field names becomes a dictionary; {self!r} has none"
            raise TypeError(msg)
        values = [_unrow(value) for value in self._values] if recursive else self._values
        return dict(zip(self._fields, values, strict=False))

    def __call__(self, *values: Any) -> Row:
        if len(values) > len(self):
            msg = f"a row of {self!r} takes {len(self)} values; got {values!r}"
            raise ConfigurationError(msg)
        return _create_row(self._values, values, self._row_kind)

    def __contains__(self, item: Any) -> bool:
        return item in (self._values if self._fields is None else self._fields)

    def __getitem__(self, item: Any) -> Any:
        return self._values[self._index(item)]

    def __setitem__(self, item: Any, value: Any) -> None:
        self._values[self._index(item)] = value

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or self._fields is None or name not in self._fields:
            msg = f"{self!r} has no field {name!r}" if not name.startswith("_") else name
            raise AttributeError(msg)
        if type(self) is Row:
            _remember(name)
        return self._values[self._fields.index(name)]

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        _forget_all()  # a class of the program's may have attributes of these names, or a way of its own to find them

    def __iter__(self) -> Iterator[Any]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Row) or self._row_kind is not other._row_kind:
            return False
        if self._fields is None or other._fields is None or self._fields == other._fields:
            return self._fields == other._fields and self._values == other._values
        return self._by_name() == other._by_name()

    def __hash__(self) -> int:
        # Order does not matter to equality of named rows, so it must not to their hash.
        return hash(tuple(self._values) if self._fields is None else tuple(value for _, value in self._by_name()))

    def __reduce__(self) -> tuple[Any, ...]:
        return _create_row, (self._fields, tuple(self._values), self._row_kind)

    def __repr__(self) -> str:
        if self._fields is None:
            return f"<Row({', '.join(map(repr, self._values))})>"
        named = ", ".join(f"{name}={value!r}" for name, value in zip(self._fields, self._values, strict=False))
        return f"Row({named})"

    def _by_name(self) -> list[tuple[str, Any]]:
        return sorted(zip(self._fields or [], self._values, strict=False), key=lambda field: field[0])

    def _index(self, item: Any) -> Any:
        if isinstance(item, int | slice):
            return item
        if self._fields is None or item not in self._fields:
            msg = f"{self!r} has no field {item!r}"
            raise KeyError(msg)
        return self._fields.index(item)


#: What a row has besides its fields.
ATTRIBUTES_OF_ROW = frozenset(dir(Row))
#: The names of fields that somebody has asked for: the class remembers so many at most.
_FOUND: set[str] = set()
_MOST_FOUND = 1000
_NEVER = ATTRIBUTES_OF_ROW | frozenset(dir(type))


def _remember(name: str) -> None:
    """Let the class have a property for a field: to look for an attribute in vain takes six times as long.

    Functions ask for the same few fields of each element.
    """
    if len(_FOUND) < _MOST_FOUND and name not in _NEVER and not Row.__subclasses__():
        _FOUND.add(name)
        setattr(Row, name, _field(name))


def _forget_all() -> None:
    while _FOUND:
        delattr(Row, _FOUND.pop())


def _field(name: str) -> property:
    """A property that is the field of that name; of a row without it, none."""

    def value(row: Row) -> Any:
        try:
            return row._values[row._fields.index(name)]  # type: ignore[union-attr]
        except (AttributeError, ValueError):  # no names, or none of these
            raise AttributeError(name) from None  # then the row is asked as if there were no property

    return property(value)


def _create_row(fields: Sequence[str] | None, values: Sequence[Any], row_kind: RowKind) -> Row:
    row = Row.of_kind(row_kind, *values)
    if fields is not None:
        row.set_field_names(fields)
    return row


def _unrow(value: Any) -> Any:
    if isinstance(value, Row):
        return value.as_dict(recursive=True)
    if isinstance(value, list):
        return [_unrow(item) for item in value]
    if isinstance(value, dict):
        return {key: _unrow(item) for key, item in value.items()}
    return value
