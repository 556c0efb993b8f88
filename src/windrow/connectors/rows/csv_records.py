"""Lines of CSV as the texts of their values, taken apart as Jackson's parser does, which is Flink's."""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence
from typing import Final

from windrow.connectors.rows.csv_dialect import CsvDialect

#: What an escaped letter is; every other character is itself.
_ESCAPED: Final = {"0": "\0", "n": "\n", "r": "\r", "t": "\t"}
_BYTE_ORDER_MARK: Final = "\ufeff"


class CsvRecords:
    r"""Takes apart the first record of each text.

    A value that begins with a quote ends with one, and may have delimiters, line ends and doubled quotes in it; blanks
    behind it do not count. All other values are as they stand there.

    Example:
        >>> CsvRecords(CsvDialect()).split_all(['a,"b ""c"" " ,', "1,2,3\n"])
        [['a', 'b "c" ', ''], ['1', '2', '3']]
    """

    def __init__(self, dialect: CsvDialect) -> None:
        self._dialect = dialect
        delimiter, escape = re.escape(dialect.field_delimiter), re.escape(dialect.escape or "")
        quoted, plain = value_patterns(dialect)
        self._value = re.compile(rf"(?:{quoted}|{plain})(?:({delimiter})|\r|\n|\Z)", re.DOTALL)
        self._skipped = re.compile(rf"(?:[^\S{delimiter}]|#[^\r\n]*)*")
        self._escapes = re.compile(rf"{escape}(.)", re.DOTALL) if escape else None

    def split_all(self, texts: Sequence[str]) -> list[list[str]]:
        """The values of each text.

        Raises:
            ValueError: a text is empty, a quote is not closed, or something stands behind a closing one.
        """
        texts = [text.removeprefix(_BYTE_ORDER_MARK) for text in texts]
        if self._dialect.escape is None and not self._dialect.comments:
            records = self._quickly(texts)
            if records is not None:
                return records
        return [self._split(text) for text in texts]

    def split_nothing_apart(self, text: str) -> list[str | None]:
        r"""The values of a text; None where nothing stands, which is not what stands between two quotes.

        Raises:
            ValueError: as by :meth:`split_all`.

        Example:
            >>> CsvRecords(CsvDialect()).split_nothing_apart('a,,""\n')
            ['a', None, '']
        """
        text = text.removeprefix(_BYTE_ORDER_MARK)
        return [value or (value if in_quotes else None) for value, in_quotes in self._values(text)]

    def has_record(self, text: str) -> bool:
        r"""Tell whether there is more in a text than blank lines and comments, where these are passed over.

        Example:
            >>> CsvRecords(CsvDialect(comments=True)).has_record("# a,b\n")
            False
        """
        return self._beginning(text) < len(text)

    def _quickly(self, texts: Sequence[str]) -> list[list[str]] | None:
        """With Python's parser in C; None where not each text is one record for it without doubt."""
        try:
            delimiter, quote = self._dialect.field_delimiter, self._dialect.quote
            if quote is None:
                records = list(csv.reader(texts, delimiter=delimiter, quoting=csv.QUOTE_NONE, strict=True))
            else:
                records = list(csv.reader(texts, delimiter=delimiter, quotechar=quote, strict=True))
        except csv.Error:
            return None
        return records if len(records) == len(texts) and all(records) else None

    def _split(self, text: str) -> list[str]:
        return [value for value, _ in self._values(text)]

    def _values(self, text: str) -> list[tuple[str, bool]]:
        """The values, and of each whether it stands in quotes."""
        position = self._beginning(text)
        if position == len(text):
            msg = "there is nothing but comments" if text else "there is nothing"
            raise ValueError(msg)
        values: list[tuple[str, bool]] = []
        while True:
            found = self._value.match(text, position)
            if found is None:
                msg = f"value {len(values) + 1} has a quote that is not closed, something behind it, or half an escape"
                raise ValueError(msg)
            quoted, plain, delimiter = found.groups()
            value = (self._unescaped(plain), False) if quoted is None else (self._unquoted(quoted), True)
            values.append(value)
            if delimiter is None:
                return values
            position = found.end()

    def _beginning(self, text: str) -> int:
        found = self._skipped.match(text) if self._dialect.comments else None
        return 0 if found is None else found.end()

    def _unquoted(self, text: str) -> str:
        quote = self._dialect.quote or ""
        if self._escapes is None:
            return text.replace(quote * 2, quote)
        # From left to right: a quote behind an escape character is not the first of two.
        both = rf"{re.escape(quote)}({re.escape(quote)})|{self._escapes.pattern}"
        return re.sub(both, lambda found: found[1] or _meant(found[2]), text, flags=re.DOTALL)

    def _unescaped(self, text: str) -> str:
        return text if self._escapes is None else self._escapes.sub(lambda found: _meant(found[1]), text)


def value_patterns(dialect: CsvDialect) -> tuple[str, str]:
    """Patterns of a value in quotes, and of any other: what is in their first group stands for the value."""
    delimiter, escape = re.escape(dialect.field_delimiter), re.escape(dialect.escape or "")
    escaped = rf"|{escape}." if escape else ""
    if dialect.quote is None:
        return "(?!)()", rf"((?:[^{delimiter}\r\n{escape}]{escaped})*)"
    quote = re.escape(dialect.quote)
    quoted = rf"{quote}((?:[^{quote}{escape}]|{quote}{quote}{escaped})*){quote}[^\S\r\n{delimiter}]*"
    return quoted, rf"(?!{quote})((?:[^{delimiter}\r\n{escape}]{escaped})*)"


def _meant(character: str) -> str:
    return _ESCAPED.get(character, character)
