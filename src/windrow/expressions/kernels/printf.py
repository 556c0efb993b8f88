"""Text of values by a format of Java's: PRINTF."""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import ROUND_HALF_UP, Decimal, localcontext
from typing import Any

from windrow.common.printing import double_text

_SPECIFIER = re.compile(r"%(?:(\d+)\$)?([-#+ 0,(]*)(\d+)?(?:\.(\d+))?([a-zA-Z%])")


def formatted(text: str | None, *values: Any) -> str | None:
    """The text with values in place of what stands for them; None if it is no format, or a value does not fit.

    Example:
        >>> formatted("%d-%s %5.2f", 3, "a", 1.5), formatted("%2$s %1$s", "a", None), formatted("%d", "x")
        ('3-a  1.50', 'null a', None)
    """
    if text is None:
        return None
    parts, end, following = [], 0, iter(range(len(values)))
    try:
        for found in _SPECIFIER.finditer(text):
            parts.append(_plain(text[end : found.start()]))
            end = found.end()
            index, flags, width, digits, kind = found.groups()
            if kind in "%n":
                parts.append(_padded({"%": "%", "n": "\n"}[kind], flags, width))
                continue
            value = values[next(following) if index is None else int(index) - 1]
            made = _made(kind.lower(), value, flags, int(width or 0), digits)
            parts.append(made.upper() if kind.isupper() else made)
        parts.append(_plain(text[end:]))
    except (ValueError, IndexError, StopIteration, KeyError):
        return None
    return "".join(parts)


def _plain(text: str) -> str:
    if "%" in text:
        msg = f"{text!r} has a % that begins nothing"
        raise ValueError(msg)
    return text


def _made(kind: str, value: Any, flags: str, width: int, digits: str | None) -> str:
    if kind == "b":
        shown = "false" if value is None else str(value).lower() if isinstance(value, bool) else "true"
        return _padded(_cut(shown, digits), flags, width)
    if value is None:
        return _padded(_cut("null", digits), flags, width)
    if kind == "s":
        return _padded(_cut(_text(value), digits), flags, width)
    return _padded(_KINDS[kind](value, flags, width, digits), flags, width)


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return double_text(value) if isinstance(value, float) else str(value)


def _character(value: Any, _flags: str, _width: int, _digits: str | None) -> str:
    return chr(_whole(value))


def _whole(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        msg = f"{value!r} is no whole number"
        raise ValueError(msg)
    return value


def _integer(value: Any, flags: str, width: int, digits: str | None) -> str:
    number = _whole(value)
    if digits is not None:
        raise ValueError(digits)
    return _signed(f"{abs(number):,d}" if "," in flags else str(abs(number)), number < 0, flags, width)


def _in_base(base: str) -> Callable[[Any, str, int, str | None], str]:
    def made(value: Any, flags: str, width: int, digits: str | None) -> str:
        number = _whole(value)
        if digits is not None:
            raise ValueError(digits)
        if number < 0:  # as Java shows it, of 32 bits where it has no more
            number += 1 << (32 if number >= -(2**31) else 64)
        return format(number, base).rjust(width, "0") if "0" in flags else format(number, base)

    return made


def _fraction(kind: str) -> Callable[[Any, str, int, str | None], str]:
    def made(value: Any, flags: str, width: int, digits: str | None) -> str:
        if isinstance(value, bool) or not isinstance(value, float | Decimal):
            msg = f"{value!r} is no fraction"
            raise ValueError(msg)
        exact = Decimal(double_text(value)) if isinstance(value, float) else value
        with localcontext(rounding=ROUND_HALF_UP):
            shown = format(abs(exact), f"{',' if ',' in flags else ''}.{6 if digits is None else int(digits)}{kind}")
        shown = re.sub(r"e([+-])(\d)$", r"e\g<1>0\2", shown)
        return _signed(shown, exact < 0, flags, width)

    return made


def _signed(shown: str, negative: bool, flags: str, width: int) -> str:
    sign = "-" if negative else "+" if "+" in flags else " " if " " in flags else ""
    if negative and "(" in flags:
        return f"({shown})"
    return sign + (shown.rjust(width - len(sign), "0") if "0" in flags else shown)


_KINDS: dict[str, Callable[[Any, str, int, str | None], str]] = {
    "d": _integer,
    "x": _in_base("x"),
    "o": _in_base("o"),
    "f": _fraction("f"),
    "e": _fraction("e"),
    "c": _character,
}


def _cut(text: str, digits: str | None) -> str:
    return text if digits is None else text[: int(digits)]


def _padded(text: str, flags: str, width: int | str | None) -> str:
    return text.ljust(int(width or 0)) if "-" in flags else text.rjust(int(width or 0))
