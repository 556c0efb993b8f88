"""Single values of JSON as those of declared types, as Jackson and Java convert them for Flink's formats.

The rules are the same for streams and tables but for one: what the text of a number is. Flink's
``JsonRowDeserializationSchema`` reads a tree (:data:`OF_TREE`), whose nodes are numbers already; its
``JsonParserToRowDataConverters``, the JSON of tables, reads as it parses, and sees the text (:data:`AS_WRITTEN`).
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import Context, Decimal
from typing import Any, Final

from windrow.common.conversions import Convert, refuse_json
from windrow.common.json_texts import compact
from windrow.common.json_values import strict
from windrow.common.parse_text import parse_boolean, parse_bytes, parse_integer, parse_real
from windrow.common.printing import double_text


class TextNotKept(Exception):  # noqa: N818  it is no error: the line is read again
    """The text of a number is asked for, and was not kept: read it by :data:`WRITTEN`."""


class _WrittenFraction(Decimal):
    """A fraction that knows its text."""

    text: str

    def __new__(cls, text: str) -> _WrittenFraction:
        made = super().__new__(cls, text)
        made.text = text
        return made


class _NegativeZero(int):
    """-0: a whole number like 0, whose text is a floating-point number of its own."""

    def __str__(self) -> str:
        return "-0"


#: Reads fractions as decimal numbers, and keeps their text, and that of -0: a function is called for each number.
WRITTEN = strict(parse_float=_WrittenFraction, parse_int=lambda text: _NegativeZero() if text == "-0" else int(text))


class JsonScalars:
    """Converts single values that are not null.

    Every conversion raises ValueError or TypeConversionError for what is none of its values.

    Args:
        text: Gives the text of a value that is neither an array nor an object.

    Example:
        >>> OF_TREE.string(1e3), AS_WRITTEN.string(*WRITTEN.decode("[1e3]"))
        ('1000.0', '1e3')
        >>> OF_TREE.truth("TRUE"), OF_TREE.truth(1), OF_TREE.whole(31)(7.9), OF_TREE.real(" 1.5f ")
        (True, False, 7, 1.5)
    """

    def __init__(self, text: Callable[[Any], str]) -> None:
        self.text = text

    def string(self, value: Any) -> str:
        """A value as text; arrays and objects as JSON."""
        return compact(value) if isinstance(value, dict | list) else self.text(value)

    def truth(self, value: Any) -> bool:
        """``Boolean.parseBoolean`` of what is no truth value already: all but ``true`` is false."""
        return value if isinstance(value, bool) else parse_boolean(self.text(value))

    def real(self, value: Any) -> float:
        """``Double.parseDouble`` of what is no fraction already."""
        if isinstance(value, float | Decimal):
            return float(value)
        if type(value) is int:
            try:
                return float(value)
            except OverflowError:  # it is infinite, as text is
                pass
        return parse_real(self.text(value))

    def whole(self, bits: int, *, cuts: bool = True) -> Convert:
        """Make what gives whole numbers whose greatest has so many bits.

        Args:
            bits: So many.
            cuts: Whether a fraction loses what is behind the point, as it does for INT and LONG; else it is none.
        """
        low, high = -(1 << bits), (1 << bits) - 1

        def convert(value: Any) -> int:
            if type(value) is int and low <= value <= high:
                return value
            is_number = isinstance(value, int | float | Decimal if cuts else int) and not isinstance(value, bool)
            number = value if is_number else parse_integer(self.text(value))
            if not low <= number <= high:
                msg = f"{number} is no whole number from {low} to {high}"
                raise ValueError(msg)
            return int(number)

        return convert


def base64_bytes(value: Any) -> bytes:
    """Text in Base64 as bytes.

    Raises:
        ValueError, TypeConversionError: it is none.
    """
    return parse_bytes(value) if isinstance(value, str) else refuse_json("a text", value)


def _tree_text(value: Any) -> str:
    """``JsonNode.asText``."""
    if isinstance(value, float):
        return double_text(value)
    if isinstance(value, Decimal):
        return str(Context(prec=len(value.as_tuple().digits)).normalize(value))
    return _text(value)


def _written_text(value: Any) -> str:
    """``JsonParser.getText``."""
    if isinstance(value, _WrittenFraction):
        return value.text
    if isinstance(value, Decimal):
        raise TextNotKept
    return _text(value)


def _text(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict | list):
        refuse_json("a single value", value)
    return str(value)


#: Values as Flink's ``JsonRowDeserializationSchema`` has them, which reads a tree.
OF_TREE: Final = JsonScalars(_tree_text)

#: Values as Flink's ``JsonParserToRowDataConverters`` has them: read by ``EXACT``, or, where :class:`TextNotKept` is
#: raised or there may be a -0, by :data:`WRITTEN`.
AS_WRITTEN: Final = JsonScalars(_written_text)
