"""The options behind WITH."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from windrow.errors import SqlError
from windrow.sql.errors import nearest


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

    def needed(self, key: str) -> str:
        """The value of an option.

        Raises:
            SqlError: it is missing.
        """
        found = self.get(key)
        if found is None:
            hint = self._near(key)
            msg = f"table {self._table!r} needs the option '{key}'{hint}"
            raise SqlError(msg)
        return found

    def choice(self, key: str, choices: Mapping[str, Any], default: str | None = None) -> Any:
        """What an option chooses among some by name.

        Raises:
            SqlError: it is missing, or none of them.
        """
        value = self.needed(key) if default is None else self.get(key, default)
        if value not in choices:
            msg = f"table {self._table!r}: '{key}' = {value!r}: {nearest(str(value), choices)}"
            raise SqlError(msg)
        return choices[str(value)]

    def flag(self, key: str, *, default: bool = False) -> bool:
        """The value of an option that is true or false.

        Raises:
            SqlError: it is neither.
        """
        found: bool = self.choice(key, {"true": True, "false": False}, "true" if default else "false")
        return found

    def number(self, key: str, default: int | None = None) -> int | None:
        """The value of an option that is a whole number.

        Raises:
            SqlError: it is none.
        """
        found = self.get(key)
        if found is None:
            return default
        try:
            return int(found)
        except ValueError:
            msg = f"table {self._table!r}: '{key}' takes a whole number; got {found!r}"
            raise SqlError(msg) from None

    def names(self) -> list[str]:
        """The keys that are given."""
        return list(self._given)

    def check(self) -> None:
        """Refuse what nobody has asked for.

        Raises:
            SqlError: there is such an option.
        """
        unknown = [key for key in self._given if key not in self._known]
        if unknown:
            near = nearest(unknown[0], sorted(self._known))
            msg = f"table {self._table!r} has an option '{unknown[0]}' that nobody knows: {near}"
            raise SqlError(msg)

    def _near(self, key: str) -> str:
        from difflib import get_close_matches

        close = get_close_matches(key, [each for each in self._given if each not in self._known], 1)
        return f"; '{close[0]}' is none" if close else ""
