"""Texts of CSV as values, and values as such texts, converted as Flink's ``CsvRow...Schema``s do."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any, Final, NoReturn

from windrow.common.basic_types import BasicType, BasicTypeInfo, TypeInformation
from windrow.common.composite_types import ObjectArrayTypeInfo, RowTypeInfo
from windrow.common.parse_text import Parse, from_text
from windrow.common.types import Row
from windrow.connectors.rows.csv_dialect import CsvDialect
from windrow.connectors.rows.errors import FieldError
from windrow.connectors.rows.show_text import Show, to_text
from windrow.elements.named_rows import named_rows
from windrow.errors import TypeConversionError

#: Texts above this length are quoted without a look at them, as Jackson does.
_LONGEST_CHECKED: Final = 24

#: Written without quotes.
_BARE: Final = frozenset(BasicType) - {BasicType.STRING}


class CsvRows:
    """Makes rows of the texts of their values.

    Args:
        row_type: The rows' fields, in the order of the values.
        dialect: The null literal, and what stands between the elements of arrays and inner rows.
        ignore_parse_errors: Whether what cannot be converted, or is not there, is None.
        separators: What stands between the elements of certain arrays, by their fields' names.
        spare: Whether there may be more values than fields.
    """

    def __init__(
        self,
        row_type: RowTypeInfo,
        dialect: CsvDialect,
        *,
        ignore_parse_errors: bool,
        separators: Mapping[str, str] = MappingProxyType({}),
        spare: bool = False,
    ) -> None:
        self._null, self._between, self._separators = dialect.null_literal, dialect.array_delimiter, separators
        self._ignore, self._spare = ignore_parse_errors, spare
        self._names = row_type.get_field_names()
        self._parsers = list(map(self._field, self._names, row_type.get_field_types()))

    def rows(self, records: Sequence[list[str]]) -> list[Row | None]:
        """A row for each record.

        Raises:
            ValueError, TypeConversionError: a value cannot be converted, or there are too many or too few.
        """
        arity = len(self._names)
        if not records:
            return []
        columns = zip(*[_fitted(record, arity, pad=self._ignore, cut=self._spare) for record in records], strict=True)
        converted = [
            self._column(name, parse, column)
            for name, parse, column in zip(self._names, self._parsers, columns, strict=True)
        ]
        return list(named_rows(self._names, converted))

    def _column(self, name: str, parse: Callable[[str | None], Any], texts: Sequence[str | None]) -> list[Any]:
        try:
            return [parse(text) for text in texts]
        except (ValueError, TypeConversionError) as error:
            raise FieldError(name, error) from error

    def _field(self, name: str, type_info: TypeInformation) -> Callable[[str | None], Any]:
        match type_info:
            case RowTypeInfo():
                parse = self._inner_row(name, type_info)
            case ObjectArrayTypeInfo():
                between = self._separators.get(name, self._between)
                parse = _array(self._single(name, type_info.elem_type), between)
            case _:
                return self._single(name, type_info)
        return lambda text: None if text is None else parse(text)

    def _inner_row(self, name: str, type_info: RowTypeInfo) -> Parse:
        names, types = type_info.get_field_names(), type_info.get_field_types()
        parsers = [self._single(f"{name}.{inner}", kind) for inner, kind in zip(names, types, strict=True)]

        def parse(text: str) -> Row | None:
            if not text:
                return None
            texts = text.split(self._between)
            if len(texts) != len(names) and not self._ignore:
                _refuse_arity(len(names), len(texts))
            texts += [None] * (len(names) - len(texts))  # type: ignore[list-item]
            row = Row(*[parse(item) for parse, item in zip(parsers, texts, strict=False)])
            row.set_field_names(names)
            return row

        return parse

    def _single(self, name: str, type_info: TypeInformation) -> Callable[[str | None], Any]:
        parse, null, ignore = _required(name, type_info, from_text(type_info)), self._null, self._ignore

        def parse_single(text: str | None) -> Any:
            if text is None or text == null:
                return None
            try:
                return parse(text)
            except (ValueError, TypeConversionError):
                if ignore:
                    return None
                raise

        return parse_single


def _array(element: Callable[[str], Any], between: str) -> Parse:
    # Without a separator the whole text is one element.
    return lambda text: [element(each) for each in ((text.split(between) if between else [text]) if text else ())]


def csv_writer(
    row_type: RowTypeInfo, dialect: CsvDialect, separators: Mapping[str, str] = MappingProxyType({})
) -> Show:
    """Make the function that gives a line for a row of the type, with its end.

    Texts, dates, times, bytes, arrays and inner rows are quoted where Jackson's encoder does: if they are longer than
    24 characters, or have one that sorts before the delimiter or the quote (a blank, say), or an escape character.

    Raises:
        FieldError: there is no CSV for a field.
    """
    names, types = row_type.get_field_names(), row_type.get_field_types()
    fields = [
        _field_writer(name, kind, replace(dialect, array_delimiter=separators.get(name, dialect.array_delimiter)))
        for name, kind in zip(names, types, strict=True)
    ]
    null = dialect.null_literal or ""

    def write(row: Row) -> str:
        shown = [null if value is None else show(value) for show, value in zip(fields, row, strict=True)]
        return f"{dialect.field_delimiter.join(shown)}{dialect.line_delimiter}"

    return write


def _field_writer(name: str, type_info: TypeInformation, dialect: CsvDialect) -> Show:
    null, between = dialect.null_literal or "", dialect.array_delimiter
    match type_info:
        case RowTypeInfo():
            inner = [_required(name, kind, to_text(kind)) for kind in type_info.get_field_types()]
            quote = quoting(dialect)
            return lambda row: quote(
                between.join([null if item is None else show(item) for show, item in zip(inner, row, strict=True)])
            )
        case ObjectArrayTypeInfo():
            show = _required(name, type_info.elem_type, to_text(type_info.elem_type))
            quote = quoting(dialect)
            return lambda items: quote(between.join([null if item is None else show(item) for item in items]))
    show = _required(name, type_info, to_text(type_info))
    if isinstance(type_info, BasicTypeInfo) and type_info.basic_type in _BARE:
        return show
    quote = quoting(dialect)
    return lambda value: quote(show(value))


def quoting(dialect: CsvDialect) -> Callable[[str], str]:
    """Make the function that puts a text in quotes, where it needs them."""
    quote, escape = dialect.quote, dialect.escape
    if quote is None:
        return str
    last_unsafe = max(dialect.field_delimiter, quote, "\r")
    escapes = escape or "\\"

    def quoted(text: str) -> str:
        if len(text) <= _LONGEST_CHECKED and escapes not in text and (not text or min(text) > last_unsafe):
            return text
        if escape is not None:
            text = text.replace(escape, escape * 2)
        return f"{quote}{text.replace(quote, quote * 2)}{quote}"

    return quoted


def _fitted(record: list[str], arity: int, *, pad: bool, cut: bool) -> Sequence[str | None]:
    """The values of a record, as many as there are fields; a delimiter behind the last one does no harm."""
    if len(record) == arity:
        return record
    if len(record) == arity + 1 and not record[-1]:
        return record[:-1]
    if len(record) > arity and cut:
        return record[:arity]
    if len(record) > arity or not pad:
        _refuse_arity(arity, len(record))
    return [*record, *[None] * (arity - len(record))]


def _refuse_arity(expected: int, got: int) -> NoReturn:
    msg = f"{expected} values are expected; there are {got}"
    raise ValueError(msg)


def _required(name: str, type_info: TypeInformation, convert: Callable[[Any], Any] | None) -> Callable[[Any], Any]:
    if convert is None or type_info == BasicTypeInfo(BasicType.CHAR):
        reason = f"there is no CSV for {type_info!r}"
        raise FieldError(name, reason)
    return convert
