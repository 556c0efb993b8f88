"""The settings of a table environment."""

from __future__ import annotations

from typing import Self
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from windrow.common.configuration import Configuration
from windrow.errors import ConfigurationError

LOCAL_TIME_ZONE = "table.local-time-zone"
MAX_COLUMN_WIDTH = "table.display.max-column-width"


class TableConfig:
    """Settings by key (PyFlink's class of the same name).

    Example:
        >>> TableConfig(Configuration()).set("table.local-time-zone", "UTC").get("table.local-time-zone", "")
        'UTC'
    """

    def __init__(self, configuration: Configuration) -> None:
        self._configuration = configuration

    def set(self, key: str, value: str) -> Self:
        """Set a key.

        Raises:
            ConfigurationError: the value is none that the key takes.
        """
        if key == LOCAL_TIME_ZONE:
            _zone(value)
        self._configuration.set_string(key, value)
        return self

    def get(self, key: str, default_value: str) -> str:
        """The value of a key, or the default."""
        found = self._configuration.get_string(key, default_value)
        return default_value if found is None else found

    def reset(self, key: str | None = None) -> None:
        """Forget a key, or all."""
        for each in [key] if key is not None else list(self._configuration.to_dict()):
            self._configuration.remove_config(each)

    def get_configuration(self) -> Configuration:
        """All settings."""
        return self._configuration

    def get_local_timezone(self) -> str:
        """The session's time zone, by which points in time are shown."""
        return self.get(LOCAL_TIME_ZONE, "UTC")

    def set_local_timezone(self, timezone_id: str) -> None:
        """Set the session's time zone."""
        self.set(LOCAL_TIME_ZONE, timezone_id)


def _zone(name: str) -> None:
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError) as error:
        msg = f"{LOCAL_TIME_ZONE} takes a time zone such as 'Europe/Berlin' or 'UTC'; got {name!r}"
        raise ConfigurationError(msg) from error
