"""Values of settings as Flink writes them in words: spans of time, amounts of memory, lists and maps."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from windrow.common.time import Duration

_AMOUNT = re.compile(r"\s*(\d+)\s*([^\d\s]*)\s*")
_UNITS_OF_TIME = {
    ("d", "day", "days"): 86_400_000_000_000,
    ("h", "hour", "hours"): 3_600_000_000_000,
    ("m", "min", "minute", "minutes"): 60_000_000_000,
    ("s", "sec", "secs", "second", "seconds"): 1_000_000_000,
    ("", "ms", "milli", "millis", "millisecond", "milliseconds"): 1_000_000,
    ("µs", "micro", "micros", "microsecond", "microseconds"): 1_000,
    ("ns", "nano", "nanos", "nanosecond", "nanoseconds"): 1,
}
_UNITS_OF_MEMORY = {
    ("", "b", "bytes"): 1,
    ("k", "kb", "kibibytes"): 1 << 10,
    ("m", "mb", "mebibytes"): 1 << 20,
    ("g", "gb", "gibibytes"): 1 << 30,
    ("t", "tb", "tebibytes"): 1 << 40,
}
#: What a text in a list or map is put in quotes for.
_SPECIAL = ",:[]{}'\"#\n"
_NANOS = {unit: nanos for units, nanos in _UNITS_OF_TIME.items() for unit in units}
_BYTES = {unit: size for units, size in _UNITS_OF_MEMORY.items() for unit in units}


def parse_duration(text: str) -> Duration:
    """A span of time; without a unit, of milliseconds.

    Raises:
        ValueError: it is none.

    Example:
        >>> parse_duration("5 min").to_millis(), parse_duration("250").to_millis()
        (300000, 250)
    """
    return Duration.of_nanos(_amount(text, _NANOS))


def parse_memory(text: str) -> int:
    """An amount of memory in bytes; its units are powers of 1024.

    Raises:
        ValueError: it is none.

    Example:
        >>> parse_memory("64 mb"), parse_memory("20")
        (67108864, 20)
    """
    return _amount(text, _BYTES)


def _amount(text: str, units: Mapping[str, int]) -> int:
    matched = _AMOUNT.fullmatch(text)
    if matched is None or matched[2].lower() not in units:
        raise ValueError(text)
    return int(matched[1]) * units[matched[2].lower()]


def parse_list(text: str, separator: str = ";") -> list[str]:
    r"""A list in YAML's forms, or with a separator between its items.

    Example:
        >>> parse_list("a.jar;b.jar") == parse_list("[a.jar, 'b.jar']") == parse_list("- a.jar\n- b.jar")
        True
    """
    text = text.strip()
    if text.startswith("[") and text.endswith("]"):
        items = _split(text[1:-1], ",")
    elif text.startswith("- "):
        items = [line.strip().removeprefix("-") for line in text.splitlines()]
    else:
        items = _split(text, separator)
    return [_unquoted(item) for item in items if item.strip()]


def parse_map(text: str) -> dict[str, str]:
    """A map in YAML's form, or as ``key:value`` with commas in between.

    Raises:
        ValueError: an entry has no value.

    Example:
        >>> parse_map("{a: 1, b: 'x, y'}") == parse_map("a:1,b:'x, y'")
        True
    """
    text = text.strip()
    if text.startswith("{") and text.endswith("}"):
        text = text[1:-1]
    entries = {}
    for entry in _split(text, ","):
        if not entry.strip():
            continue
        key, colon, value = entry.partition(":")
        if not colon:
            raise ValueError(entry)
        entries[_unquoted(key)] = _unquoted(value)
    return entries


def show_value(value: Any) -> str:
    """A value as Flink's configuration writes it: lists and maps in YAML's form, spans of time in words.

    Example:
        >>> show_value(True), show_value(["a", "b; c"]), show_value({"k": "1, 2"})
        ('true', '[a, b; c]', "{k: '1, 2'}")
    """
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        from windrow.common.printing import double_text

        return double_text(value)
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_quoted(key)}: {_quoted(each)}" for key, each in value.items()) + "}"
    if isinstance(value, Iterable) and not isinstance(value, str | bytes | bytearray):
        return "[" + ", ".join(_quoted(each) for each in value) + "]"
    if isinstance(value, Duration):
        return _show_duration(value)
    return str(value)


def _show_duration(span: Duration) -> str:
    nanos = span.to_nanos()
    shown = (("d", 86_400_000_000_000), ("h", 3_600_000_000_000), ("min", 60_000_000_000), ("s", 1_000_000_000))
    for unit, size in (*shown, ("ms", 1_000_000), ("µs", 1_000)):
        if nanos and nanos % size == 0:
            return f"{nanos // size} {unit}"
    return f"{nanos} ns" if nanos else "0 ms"


def _split(text: str, separator: str) -> list[str]:
    """The parts between separators that do not stand in quotes."""
    parts, quote = [""], ""
    for letter in text:
        if letter in "'\"" and quote in ("", letter):
            quote = "" if quote else letter
        if letter == separator and not quote:
            parts.append("")
        else:
            parts[-1] += letter
    return parts


def _unquoted(text: str) -> str:
    text = text.strip()
    if len(text) > 1 and text[0] == text[-1] and text[0] in "'\"":
        return text[1:-1].replace(text[0] * 2, text[0])
    return text


def _quoted(value: Any) -> str:
    text = show_value(value)
    if isinstance(value, str) and (not text or text != text.strip() or any(letter in text for letter in _SPECIAL)):
        return "'" + text.replace("'", "''") + "'"
    return text
