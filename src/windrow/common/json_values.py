"""JSON out of bytes or text, as Python has it: what ``json.loads`` gives, at a fifth of its price for small values.

Every format, connector and function that reads JSON reads it here. What they make of the values is theirs.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from decimal import Decimal, InvalidOperation
from typing import Any, NoReturn


class JsonReading:
    """Reads many values.

    Most of what ``json.loads`` does for a small value is to find out the encoding and to look for spaces around it.
    Here the scanner, the one in C that ``json.loads`` itself comes to, is given each text as it is; where that is not
    all there is to it, ``json`` is asked.

    Args:
        options: What ``json.loads`` takes.

    Example:
        >>> JsonReading(parse_float=Decimal).loads_all([b'{"a": 1}', b" 0.10 ", "[3]".encode("utf-16")])
        [{'a': 1}, Decimal('0.10'), [3]]
    """

    def __init__(self, **options: Any) -> None:
        self._options = options
        self._decoder = json.JSONDecoder(**options)
        self._scan = self._decoder.scan_once  # type: ignore[attr-defined]

    def loads_all(self, messages: Sequence[Any]) -> list[Any]:
        """``json.loads`` of each.

        Raises:
            ValueError, TypeError: what ``json.loads`` raises for the first that it cannot read.
        """
        scan, values = self._scan, []
        for message in messages:
            try:
                text = message.decode()
                value, end = scan(text, 0)
            except (StopIteration, ValueError, AttributeError, InvalidOperation):
                value = self._loads(message)
            else:
                if end != len(text):
                    value = self._loads(message)
            values.append(value)
        return values

    def decode(self, text: str) -> Any:
        """``json.JSONDecoder.decode``: blanks around the value do no harm.

        Raises:
            ValueError: what it raises.
        """
        try:
            value, end = self._scan(text, 0)
        except (StopIteration, InvalidOperation):
            return self._decode(text)
        return value if end == len(text) else self._decode(text)

    def decode_all(self, texts: Iterable[str]) -> list[Any]:
        """:meth:`decode` of each.

        Raises:
            ValueError: what it raises for the first that it cannot read.
        """
        scan, decode, values = self._scan, self._decode, []
        for text in texts:
            try:
                value, end = scan(text, 0)
            except (StopIteration, InvalidOperation):
                value = decode(text)
            else:
                if end != len(text):
                    value = decode(text)
            values.append(value)
        return values

    def prefix(self, text: str, begin: int = 0) -> tuple[Any, int]:
        """The value that a text begins with, without a blank in front of it, and where it ends.

        Raises:
            ValueError: there is none.

        Example:
            >>> PYTHON.prefix('[1, 2] and more')
            ([1, 2], 6)
        """
        try:
            return self._decoder.raw_decode(text, begin)
        except InvalidOperation:
            raise _beyond_bounds() from None

    def _loads(self, message: Any) -> Any:
        try:
            return json.loads(message, **self._options)
        except InvalidOperation:
            raise _beyond_bounds() from None

    def _decode(self, text: str) -> Any:
        try:
            return self._decoder.decode(text)
        except InvalidOperation:
            raise _beyond_bounds() from None


def strict(**options: Any) -> JsonReading:
    """Reads JSON alone: without NaN, Infinity and -Infinity, which ``json.loads`` takes for numbers.

    Args:
        options: What ``json.loads`` takes besides.
    """
    return JsonReading(parse_constant=_refuse, **options)


def _refuse(constant: str) -> NoReturn:
    msg = f"{constant} is no JSON"
    raise ValueError(msg)


def _beyond_bounds() -> ValueError:
    """The error where ``Decimal`` has none that is a ValueError."""
    return ValueError("a number has an exponent that no decimal number has")


#: As ``json.loads`` reads if nothing is said.
PYTHON = JsonReading()

#: What is JSON, and nothing else.
STRICT = strict()

#: The same with fractions as they are written.
EXACT = strict(parse_float=Decimal)
