"""Names the files of a sink, and says when the next one begins."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from typing import Any

from windrow.common.time import Duration, Time, to_millis
from windrow.errors import ConfigurationError, ConfigurationTypeError


@dataclass(frozen=True)
class OutputFileConfig:
    """Says what file names begin and end with (Flink's ``OutputFileConfig``).

    Example:
        >>> OutputFileConfig.builder().with_part_prefix("hours").with_part_suffix(".csv").build().name(3, 0, 1)
        'hours-3-0-1.csv'
    """

    part_prefix: str = "part"
    part_suffix: str = ""

    @staticmethod
    def builder() -> OutputFileConfigBuilder:
        """Begin a configuration; without more it is prefix ``part`` and no suffix."""
        return OutputFileConfigBuilder()

    def get_part_prefix(self) -> str:
        return self.part_prefix

    def get_part_suffix(self) -> str:
        return self.part_suffix

    def name(self, batch: int, partition: int, counter: int) -> str:
        """The name of a file: its batch, its partition in it, and a number where a partition writes several."""
        return f"{self.part_prefix}-{batch}-{partition}-{counter}{self.part_suffix}"


class OutputFileConfigBuilder:
    """Builds an :class:`OutputFileConfig`."""

    def __init__(self) -> None:
        self._prefix = "part"
        self._suffix = ""

    def with_part_prefix(self, prefix: str) -> OutputFileConfigBuilder:
        """Set what names begin with.

        Raises:
            ConfigurationTypeError: it is not a string.
            ConfigurationError: it is empty, has a slash, or would hide the file (a leading ``.`` or ``_``).
        """
        self._prefix = _name_part("prefix", prefix)
        if not prefix or prefix.startswith((".", "_")):
            msg = f"prefix of part files must not be empty or begin with '.' or '_', which hides files; got {prefix!r}"
            raise ConfigurationError(msg)
        return self

    def with_part_suffix(self, suffix: str) -> OutputFileConfigBuilder:
        """Set what names end with, such as ``.csv``.

        Raises:
            ConfigurationTypeError: it is not a string.
            ConfigurationError: it has a slash.
        """
        self._suffix = _name_part("suffix", suffix)
        return self

    def build(self) -> OutputFileConfig:
        return OutputFileConfig(self._prefix, self._suffix)


@dataclass(frozen=True)
class RollingPolicy:
    """Says when a new file begins within a batch (Flink's ``RollingPolicy``). With every batch new files begin anyway.

    Example:
        >>> RollingPolicy.default_rolling_policy(part_size=1000).part_size
        1000
        >>> RollingPolicy.on_checkpoint_rolling_policy().part_size is None
        True
    """

    #: Bytes after which the next file begins; None: never within a batch.
    part_size: int | None

    @staticmethod
    def default_rolling_policy(
        part_size: int = 128 << 20,
        rollover_interval: Duration | Time | datetime.timedelta | int = 60_000,
        inactivity_interval: Duration | Time | datetime.timedelta | int = 60_000,
    ) -> RollingPolicy:
        """Begin a new file when one has reached a size.

        Args:
            part_size: The size in bytes, at least 1.
            rollover_interval: How long a file may be open, in milliseconds. No file is open beyond its batch, so this
                is checked and not needed.
            inactivity_interval: How long a file may wait for elements, in milliseconds; not needed either.

        Raises:
            ConfigurationTypeError: an argument is of another type.
            ConfigurationError: an argument is not positive.
        """
        if isinstance(part_size, bool) or not isinstance(part_size, int):
            msg = f"part_size takes a number of bytes; got {part_size!r} ({type(part_size).__name__})"
            raise ConfigurationTypeError(msg)
        intervals = {"rollover_interval": rollover_interval, "inactivity_interval": inactivity_interval}
        millis = {name: to_millis(interval, name) for name, interval in intervals.items()}
        for name, value in {"part_size": part_size, **millis}.items():
            if value <= 0:
                msg = f"{name} of a rolling policy must be positive; got {value}"
                raise ConfigurationError(msg)
        return RollingPolicy(part_size)

    @staticmethod
    def on_checkpoint_rolling_policy() -> RollingPolicy:
        """Begin a new file with each batch only."""
        return RollingPolicy(None)


def _name_part(what: str, text: Any) -> str:
    if not isinstance(text, str):
        msg = f"{what} of part files takes a string; got {text!r} ({type(text).__name__})"
        raise ConfigurationTypeError(msg)
    if "/" in text or "\0" in text:
        msg = f"{what} of part files must be part of a file's name, without '/'; got {text!r}"
        raise ConfigurationError(msg)
    return text
