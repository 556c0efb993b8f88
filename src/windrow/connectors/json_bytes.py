"""JSON values out of many pieces of bytes or text: what ``json.loads`` gives, at a fifth of its price."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from decimal import Decimal
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
        decoder = json.JSONDecoder(**options)
        self._decode = decoder.decode
        self._scan = decoder.scan_once  # type: ignore[attr-defined]

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
            except (StopIteration, ValueError, AttributeError):
                value = json.loads(message, **self._options)
            else:
                if end != len(text):
                    value = json.loads(message, **self._options)
            values.append(value)
        return values

    def decode_all(self, texts: Iterable[str]) -> list[Any]:
        """``json.JSONDecoder.decode`` of each.

        Raises:
            ValueError: what it raises for the first that it cannot read.
        """
        scan, decode, values = self._scan, self._decode, []
        for text in texts:
            try:
                value, end = scan(text, 0)
            except StopIteration:
                value = decode(text)
            else:
                if end != len(text):
                    value = decode(text)
            values.append(value)
        return values


def _refuse(constant: str) -> NoReturn:
    msg = f"{constant} is no JSON"
    raise ValueError(msg)


#: As ``json.loads`` reads if nothing is said.
PYTHON = JsonReading()

#: Without NaN, Infinity and -Infinity, which are no JSON.
STRICT = JsonReading(parse_constant=_refuse)

#: The same with fractions as they are written.
EXACT = JsonReading(parse_constant=_refuse, parse_float=Decimal)

loads_all = PYTHON.loads_all
