"""The settings of what a person sees of a job: ``windrow.ui.*``."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass

from windrow.common.configuration import Configuration
from windrow.errors import ConfigurationError

#: What stands for ``windrow.ui.enabled`` where the configuration has no word of it.
VARIABLE = "WINDROW_UI"
_BATCHES = 500


@dataclass(frozen=True)
class UiSettings:
    """Says whether a job has a page, where, and what is kept of it."""

    #: Whether there is a page, and progress on a terminal.
    enabled: bool
    host: str = "127.0.0.1"
    #: 0: a free one.
    port: int = 0
    #: How many batches the history file keeps; 0: there is no file.
    history: int = 0
    #: Whether progress is shown where standard error is a terminal.
    progress: bool = True

    @property
    def watched(self) -> bool:
        """True if what the job's operators do is measured: for a page, for a history, or for both."""
        return self.enabled or self.history > 0

    @staticmethod
    def of(configuration: Configuration) -> UiSettings:
        """The settings that a configuration gives.

        A page is there where somebody is likely to look: at a terminal. A program that runs unattended, or under a
        test runner, opens no port and writes no file unless it is told to.

        Raises:
            ConfigurationError: the environment variable ``WINDROW_UI`` is neither true nor false.
        """
        if configuration.contains_key("windrow.ui.enabled"):
            enabled = configuration.get_boolean("windrow.ui.enabled", False)
        else:
            enabled = _of_variable()
        return UiSettings(
            enabled,
            configuration.get_string("windrow.ui.host", None) or "127.0.0.1",
            configuration.get_integer("windrow.ui.port", 0),
            configuration.get_integer("windrow.ui.history", _BATCHES if enabled else 0),
            configuration.get_boolean("windrow.ui.progress", True),
        )


def at_terminal() -> bool:
    """Tell whether a person reads standard error as it is written."""
    return sys.stderr is not None and not sys.stderr.closed and sys.stderr.isatty()


def _of_variable() -> bool:
    said = os.environ.get(VARIABLE, "")
    if not said:
        return at_terminal()
    if said not in ("true", "false"):
        msg = f"the environment variable {VARIABLE} is 'true' or 'false'; it is {said!r}"
        raise ConfigurationError(msg)
    return said == "true"
