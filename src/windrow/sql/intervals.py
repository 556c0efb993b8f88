"""Spans of time as they are written."""

from __future__ import annotations

import re

_MILLISECONDS = {
    "WEEK": 604_800_000,
    "DAY": 86_400_000,
    "HOUR": 3_600_000,
    "MINUTE": 60_000,
    "SECOND": 1000,
    "MILLISECOND": 1,
}
_ORDER = ["DAY", "HOUR", "MINUTE", "SECOND"]


def day_time(text: str, first: str, last: str) -> int:
    """Milliseconds of ``INTERVAL 'text' first TO last``.

    Raises:
        ValueError: the text is none of that form.

    Example:
        >>> day_time("1 02:03", "DAY", "MINUTE"), day_time("-1.5", "SECOND", "SECOND")
        (93780000, -1500)
    """
    stripped = text.strip()
    sign = -1 if stripped.startswith("-") else 1
    parts = re.split(r"[ :]", stripped.lstrip("+-"))
    units = [first] if first == last else _ORDER[_ORDER.index(first) : _ORDER.index(last) + 1]
    if len(parts) != len(units) or not all(re.fullmatch(r"\d+(\.\d+)?", part) for part in parts):
        msg = f"INTERVAL '{text}' {first}{'' if first == last else f' TO {last}'}: that is no such span of time"
        raise ValueError(msg)
    whole = 0
    for part, unit in zip(parts, units, strict=True):
        number, _, fraction = part.partition(".")
        whole += int(number) * _MILLISECONDS[unit]
        whole += int((fraction or "0").ljust(3, "0")[:3]) * _MILLISECONDS[unit] // 1000
    return sign * whole


def year_month(text: str, first: str, last: str) -> int:
    """Months of ``INTERVAL 'text' first TO last``.

    Raises:
        ValueError: the text is none of that form.

    Example:
        >>> year_month("1-2", "YEAR", "MONTH"), year_month("3", "QUARTER", "QUARTER")
        (14, 9)
    """
    found = re.fullmatch(r"\s*([+-]?)(\d+)(?:-(\d+))?\s*", text)
    if found is None or (found[3] is not None) != (first != last):
        msg = f"INTERVAL '{text}' {first}{'' if first == last else f' TO {last}'}: that is no such span of time"
        raise ValueError(msg)
    months = int(found[2]) * {"YEAR": 12, "QUARTER": 3, "MONTH": 1}[first] + int(found[3] or 0)
    return -months if found[1] == "-" else months
