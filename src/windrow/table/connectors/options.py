"""The options behind WITH."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NoReturn

from windrow.common.settings.values import parse_duration
from windrow.sql.errors import nearest
from windrow.table.connectors.errors import TableError


class Options:
    """The options of a table, each asked for once; what nobody asks for is misspelt.

    Args:
        table: The table's name, for errors.
        given: What stands behind WITH.
    """

    def __init__(self, table: str, given: Mapping[str, str]) -> None:
        self._table = table
        self._given = dict(given)
        self._known: set[str] = set()

    def get(self, key: str, default: str | None = None) -> str | None:
        """The value of an option, or the default."""
        self._known.add(key)
        return self._given.get(key, default)

    def beginning_with(self, prefix: str) -> dict[str, str]:
        """All options whose names begin so, by the rest of their names."""
        found = {key: value for key, value in self._given.items() if key.startswith(prefix) and key != prefix}
        self._known.update(found or [f"{prefix}*"])
        return {key.removeprefix(prefix): value for key, value in found.items()}

    def needed(self, key: str) -> str:
        """The value of an option.

        Raises:
            TableError: it is missing.
        """
        found = self.get(key)
        if found is None:
            msg = f"table {self._table!r} needs the option '{key}'{self.hint(key)}"
            raise TableError(msg, option=self.like(key))
        return found

    def choice(self, key: str, choices: Mapping[str, Any], default: str | None = None) -> Any:
        """Give the one of some choices that an option names.

        Raises:
            TableError: it is missing, or none of them.
        """
        value = self.needed(key) if default is None else self.get(key, default)
        if value not in choices:
            msg = f"table {self._table!r}: '{key}' = {value!r}: {nearest(str(value), choices)}"
            raise TableError(msg, option=key, of_value=True)
        return choices[str(value)]

    def flag(self, key: str, *, default: bool = False) -> bool:
        """The value of an option that is true or false.

        Raises:
            TableError: it is neither.
        """
        found: bool = self.choice(key, {"true": True, "false": False}, "true" if default else "false")
        return found

    def number(self, key: str, default: int | None = None) -> int | None:
        """The value of an option that is a whole number.

        Raises:
            TableError: it is none.
        """
        found = self.get(key)
        if found is None:
            return default
        try:
            return int(found)
        except ValueError:
            self.refuse(key, f"takes a whole number; got {found!r}")

    def milliseconds(self, key: str, default: str) -> int:
        """The value of an option that is a span of time, such as ``5 min``.

        Raises:
            TableError: it is none.
        """
        found = str(self.get(key, default))
        try:
            return parse_duration(found).to_millis()
        except ValueError:
            self.refuse(key, f"takes a span of time such as '5 s'; got {found!r}")

    def listed(self, key: str) -> list[str]:
        """The parts of an option's value between semicolons; none if it is not given.

        Raises:
            TableError: one of them is empty.
        """
        found = self.get(key)
        if found is None:
            return []
        parts = [part.strip() for part in found.split(";")]
        if not all(parts):
            self.refuse(key, f"takes names between semicolons; got {found!r}")
        return parts

    def refuse(self, key: str, what: str) -> NoReturn:
        """Say that an option does not fit.

        Raises:
            TableError: always.
        """
        msg = f"table {self._table!r}: '{key}' {what}"
        raise TableError(msg, option=key, of_value=True) from None

    def known(self) -> list[str]:
        """The keys that somebody has asked for."""
        return sorted(self._known)

    def names(self) -> list[str]:
        """The keys that are given."""
        return list(self._given)

    def check(self) -> None:
        """Refuse what nobody has asked for.

        Raises:
            TableError: there is such an option.
        """
        unknown = [key for key in self._given if key not in self._known]
        if unknown:
            near = nearest(unknown[0], sorted(self._known))
            msg = f"table {self._table!r} has an option '{unknown[0]}' that nobody knows: {near}"
            raise TableError(msg, option=unknown[0])

    def hint(self, key: str) -> str:
        """Name, for an error, the option that is given in place of another, if one is."""
        close = self.like(key)
        return "" if close is None else f"; '{close}' is none"

    def like(self, key: str) -> str | None:
        """Find a name that is given, is no option, and is written almost as one."""
        from difflib import get_close_matches

        close = get_close_matches(key, [each for each in self._given if each not in self._known], 1)
        return close[0] if close else None


def check_pattern(options: Options, key: str, pattern: str) -> None:
    """Refuse what is no regular expression.

    Raises:
        TableError: it is none.
    """
    try:
        re.compile(pattern)
    except re.error as error:
        options.refuse(key, f"is no regular expression: {error}; got {pattern!r}")
