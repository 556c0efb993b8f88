"""Tells a program about the settings that it makes."""

from __future__ import annotations

import logging
from typing import Any

from windrow.common.settings.setting import Effect
from windrow.common.settings.table import setting_of
from windrow.common.settings.values import show_value
from windrow.errors import ConfigurationError

_log = logging.getLogger("windrow")


class Notices:
    """Tells a program, once for each setting, that it has no effect; refuses what is refused."""

    def __init__(self) -> None:
        self._told: dict[str, str] = {}

    def told(self) -> list[str]:
        """Give the notices so far, the oldest first."""
        return list(self._told.values())

    def check(self, key: str, value: Any = None) -> Any:
        """The value of a setting that is made, as it was read.

        Args:
            key: The setting's name in a configuration, or of the method that makes it.
            value: What it is set to.

        Raises:
            ConfigurationError: there is no such setting, it cannot have that value, or it is refused.
        """
        row = setting_of(key)
        if row is None:
            return value
        read = row.kind.read(key, value)
        if row.effect is Effect.HONOURED or row.is_same(read):
            return read
        if row.effect is Effect.REFUSED:
            msg = f"setting {key!r} cannot be {show_value(value)!r}: {row.words}"
            raise ConfigurationError(msg)
        told = key if row.is_prefix else row.key
        self.tell(told, f"{told} has no effect: {row.words}")
        return read

    def tell(self, subject: str, words: str) -> None:
        """Say something once."""
        if subject not in self._told:
            self._told[subject] = words
            _log.warning("%s", words)
