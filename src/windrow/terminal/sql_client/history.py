"""The file of what was typed, from which the arrow keys bring it back."""

from __future__ import annotations

import logging
import os
import re
from collections.abc import Mapping
from pathlib import Path

from prompt_toolkit.history import FileHistory, History, InMemoryHistory

from windrow.common.hidden import shown_setting
from windrow.errors import ConfigurationError

OFF = "off"
_log = logging.getLogger("windrow")
_OPTION = re.compile(r"'((?:[^']|'')*)'\s*=\s*'((?:[^']|'')*)'")


def history_of(place: str | None, environment: Mapping[str, str] = os.environ) -> History:
    """Make the history that keeps statements: a file that its user alone can read, or memory.

    Args:
        place: The file, or ``off``; None: one in the user's folder for state, ``XDG_STATE_HOME`` or ``~/.local/state``.
        environment: Variables of the process.

    Raises:
        ConfigurationError: the file that was named cannot be written.
    """
    if place == OFF:
        return InMemoryHistory()
    if place is None:
        state = environment.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
        path = Path(state) / "windrow" / "sql_history"
    else:
        path = Path(place).expanduser()
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        os.close(os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600))
    except OSError as error:
        if place is None:  # nobody has asked for it: the session is worth more
            _log.warning("statements are not kept: %s", error)
            return InMemoryHistory()
        msg = f"statements cannot be kept in {path}: {error}; --history names another file, --history off keeps none"
        raise ConfigurationError(msg) from error
    return StatementHistory(str(path))


class StatementHistory(FileHistory):
    """A file of statements, without those that have a password."""

    def store_string(self, string: str) -> None:
        """Write a statement into the file, unless one of its options speaks of a secret."""
        if not has_secret(string):
            super().store_string(string)


def has_secret(statement: str) -> bool:
    """Tell whether an option of a statement has a value that is shown nowhere, such as a password.

    Example:
        >>> has_secret("SET 'my.password' = 'pa55'"), has_secret("SELECT password FROM t")
        (True, False)
    """
    return any(shown_setting(name, value) != value for name, value in _OPTION.findall(statement))
