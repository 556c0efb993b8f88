"""The layout of rows of CSV."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from windrow.errors import ConfigurationError

_LINE_ENDS = ("\n", "\r", "\r\n", "")


@dataclass(frozen=True)
class CsvDialect:
    """The characters between and around values; the defaults are Flink's.

    Attributes:
        field_delimiter: between values, one character.
        quote: around values, one character; None: nothing is quoted.
        escape: takes its meaning from the character behind it, one character; None: there is none.
        null_literal: what None is; None: nothing is read as None, and None is written as nothing.
        array_delimiter: between the elements of an array or inner row.
        line_delimiter: what each row is ended with when it is written.
        comments: whether lines that begin with ``#``, and blank ones, are passed over when reading.
    """

    field_delimiter: str = ","
    quote: str | None = '"'
    escape: str | None = None
    null_literal: str | None = None
    array_delimiter: str = ";"
    line_delimiter: str = "\n"
    comments: bool = False

    def with_character(self, field: str, value: Any, call: str) -> CsvDialect:
        """With another delimiter, quote or escape character.

        Raises:
            ConfigurationError: it is not one character, ends lines, or has another meaning already.
        """
        if not isinstance(value, str) or len(value) != 1 or value in "\r\n":
            msg = f"{call} takes one character, no line end; got {value!r}"
            raise ConfigurationError(msg)
        for other in ("field_delimiter", "quote", "escape"):
            if other != field and getattr(self, other) == value:
                msg = f"{call} takes a character without another meaning; {value!r} is the {other.replace('_', ' ')}"
                raise ConfigurationError(msg)
        return self._with(field, value)

    def with_text(self, field: str, value: Any, call: str) -> CsvDialect:
        """With another null literal, line or array delimiter.

        Raises:
            ConfigurationError: it is no text that can stand there.
        """
        if not isinstance(value, str) or (field == "array_delimiter" and not value):
            msg = f"{call} takes a str{' that is not empty' if field == 'array_delimiter' else ''}; got {value!r}"
            raise ConfigurationError(msg)
        if field == "line_delimiter" and value not in _LINE_ENDS:
            msg = f"{call} takes one of {', '.join(map(repr, _LINE_ENDS))}; got {value!r}"
            raise ConfigurationError(msg)
        return self._with(field, value)

    def _with(self, field: str, value: Any) -> CsvDialect:
        return replace(self, **{field: value})
