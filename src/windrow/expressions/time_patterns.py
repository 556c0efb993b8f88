"""Formats of times as Java writes them: ``yyyy-MM-dd HH:mm:ss``."""

from __future__ import annotations

import datetime as dt
import re
from functools import lru_cache

_MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
#: How often a letter may stand in a row.
_MOST = {"y": 4, "u": 4, "M": 4, "d": 2, "H": 2, "h": 2, "m": 2, "s": 2, "S": 9, "D": 3, "a": 1, "E": 4}
#: Java's readers of two digits take the century that is nearest, which moves with the years.
_FIRST_OF_TWO_DIGITS = 1947


class TimePattern:
    """A format of Java's.

    Args:
        text: The format.

    Raises:
        ValueError: it has a letter or a sign that is not known here.

    Example:
        >>> pattern = TimePattern("d.M.yyyy 'at' HH:mm")
        >>> pattern.write(dt.datetime(2020, 5, 7, 8, 9))
        '7.5.2020 at 08:09'
        >>> pattern.read("7.5.2020 at 08:09")
        datetime.datetime(2020, 5, 7, 8, 9)
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self._parts = _parts(text)
        for letters, is_text in self._parts:
            most = _MOST.get(letters[:1], 0)
            if not is_text and len(letters) > most:
                msg = f"the format {text!r} has {letters!r}, which is not supported: {_known()}"
                raise ValueError(msg)

    def check_reading(self) -> None:
        """Make sure that times can be read by it.

        Raises:
            ValueError: the hour of a half day without the half, or the other way round.
        """
        letters = {part[0] for part, is_text in self._parts if not is_text}
        if ("h" in letters) != ("a" in letters):
            msg = f"the format {self.text!r} does not say which half of the day it is: write HH, or hh and a"
            raise ValueError(msg)

    def shows(self, letter: str) -> bool:
        """Tell whether the format has a part with this letter."""
        return any(part[0] == letter for part, is_text in self._parts if not is_text)

    def write(self, value: dt.datetime) -> str:
        """The text of a time."""
        return "".join([part if is_text else _written(part, value) for part, is_text in self._parts])

    def read(self, text: str, *, lenient: bool = False) -> dt.datetime | None:
        """The time that a text is; None: it is none.

        Parts that the format does not have are those of 1970-01-01 00:00:00.

        Args:
            text: The text.
            lenient: As ``SimpleDateFormat`` has it, and ``DateTimeFormatter`` has not: numbers may have other numbers
                of digits than letters, and spaces before them, what follows is left aside, and a month 13 is the
                first of the next year.
        """
        self.check_reading()
        if lenient:
            found = re.match(self._expression(lenient), text, re.ASCII | re.IGNORECASE)
        else:
            found = re.fullmatch(self._expression(lenient), text, re.ASCII)
        if found is None:
            return None
        given: dict[str, str] = {}
        letters = [part for part, is_text in self._parts if not is_text]
        for part, value in zip(letters, found.groups(), strict=True):
            if given.setdefault(part[0], value) != value:
                return None
        try:
            return _time_of(given, {part[0]: len(part) for part in letters}, lenient=lenient)
        except (ValueError, OverflowError):
            return None

    def _expression(self, lenient: bool) -> str:
        made = []
        for place, (part, is_text) in enumerate(self._parts):
            beside = place + 1 < len(self._parts) and not self._parts[place + 1][1]
            expected = f"({_expected(part, lenient and not beside)})"
            made.append(re.escape(part) if is_text else f"[ \\t]*{expected}" if lenient else expected)
        return "".join(made)


@lru_cache(256)
def time_pattern(text: str) -> TimePattern:
    """The format that a text is, made once.

    Raises:
        ValueError: it has a letter or a sign that is not known here.
    """
    return TimePattern(text)


def _known() -> str:
    return "known are y, M, d, D, E, a, H, h, m, s and S; text stands in quotes"


def _parts(pattern: str) -> list[tuple[str, bool]]:
    """Letters that repeat, and text between them, each with whether it is text."""
    parts: list[tuple[str, bool]] = []
    for found in re.finditer(r"''|'((?:[^']|'')*)'|(([a-zA-Z])\3*)|(.)", pattern, re.DOTALL):
        quoted, letters, _, other = found.groups()
        if letters:
            parts.append((letters, False))
        elif other is not None and other in "'[]{}#":
            msg = f"the format {pattern!r} has {other!r}, which is not supported: {_known()}"
            raise ValueError(msg)
        elif other is not None:
            parts.append((other, True))
        else:
            parts.append(("'" if quoted is None else quoted.replace("''", "'"), True))
    return parts


def _written(part: str, value: dt.datetime) -> str:
    count = len(part)
    match part[0]:
        case "y" | "u":
            return f"{value.year % 100:02d}" if count == 2 else f"{value.year:0{count}d}"
        case "M":
            name = _MONTHS[value.month - 1]
            return f"{value.month:0{count}d}" if count < 3 else name[:3] if count == 3 else name
        case "E":
            name = _DAYS[value.weekday()]
            return name if count == 4 else name[:3]
        case "a":
            return "AM" if value.hour < 12 else "PM"
        case "S":
            return f"{value.microsecond:06d}".ljust(9, "0")[:count]
    numbers = {
        "d": value.day,
        "D": value.timetuple().tm_yday,
        "H": value.hour,
        "h": (value.hour + 11) % 12 + 1,
        "m": value.minute,
        "s": value.second,
    }
    return f"{numbers[part[0]]:0{count}d}"


def _expected(part: str, lenient: bool) -> str:
    """The regular expression of what is read for letters."""
    count = len(part)
    match part[0]:
        case "M" if count > 2:
            return "|".join(name[:3] if count == 3 else name for name in _MONTHS)
        case "E":
            return "|".join(name if count == 4 else name[:3] for name in _DAYS)
        case "a":
            return "AM|PM"
    if lenient:
        return r"\d+"
    most = 4 if part[0] in "yu" and count != 2 else 3 if part[0] == "D" else 9 if part[0] == "S" else 2
    return rf"\d{{{count},{most if count == 1 else count}}}"


def _time_of(given: dict[str, str], counts: dict[str, int], *, lenient: bool) -> dt.datetime:
    written_year = given.get("y", given.get("u", "1970"))
    year = int(written_year)
    if len(written_year) == 2 and 2 in (counts.get("y"), counts.get("u")):
        year += 2000
        if lenient and year >= _FIRST_OF_TWO_DIGITS + 100:
            year -= 100
    month = _place(given["M"], _MONTHS) if counts.get("M", 0) > 2 else int(given.get("M", 1))
    hour = int(given.get("H", 0))
    if "h" in given:
        half = int(given["h"])
        if not lenient and not 1 <= half <= 12:
            raise ValueError(half)
        hour = (0 if half == 12 else half) + (12 if given["a"].upper() == "PM" else 0)
    day, minute, second = int(given.get("d", 1)), int(given.get("m", 0)), int(given.get("s", 0))
    if lenient:
        made = dt.datetime(year + (month - 1) // 12, (month - 1) % 12 + 1, 1)
        made += dt.timedelta(days=day - 1, hours=hour, minutes=minute, seconds=second)
    else:
        made = dt.datetime(year, month, day, hour, minute, second)
    if "D" in given:
        made = made.replace(month=1, day=1) + dt.timedelta(days=int(given["D"]) - 1)
        if made.year != year or ("d" in given and made.day != int(given["d"])):
            raise ValueError(given["D"])
    if "E" in given and _place(given["E"], _DAYS) != made.isoweekday():
        raise ValueError(given["E"])
    if lenient:
        return made + dt.timedelta(milliseconds=int(given.get("S", "0")))
    return made.replace(microsecond=int(given.get("S", "0").ljust(6, "0")[:6]))


_SQL_TIME = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})(?: (\d{1,2}):(\d{1,2}):(\d{1,2})(?:\.(\d{1,9}))?)?\Z", re.ASCII)


def sql_time(text: str) -> dt.datetime | None:
    """Read a text as ``java.sql.Timestamp`` and ``Date`` do, whatever the format; None: it is no time to them.

    Example:
        >>> sql_time("2024-2-30 25:00:00")
        datetime.datetime(2024, 3, 2, 1, 0)
    """
    found = _SQL_TIME.match(text.strip())
    if found is None:
        return None
    year, month, day, hour, minute, second = (int(each or 0) for each in found.groups()[:6])
    if not (1 <= month <= 12 and 1 <= day <= 31):
        return None
    micros = int((found[7] or "0").ljust(6, "0")[:6])
    span = dt.timedelta(days=day - 1, hours=hour, minutes=minute, seconds=second, microseconds=micros)
    try:
        return dt.datetime(year, month, 1) + span
    except (ValueError, OverflowError):
        return None


def _place(name: str, names: tuple[str, ...]) -> int:
    """Number a month or weekday by its name, from 1; of some three letters are written."""
    return next(place for place, each in enumerate(names, 1) if each.lower().startswith(name.lower()))
