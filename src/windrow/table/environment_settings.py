"""The settings of a table environment: if it reads tables as streams or at once, and what it is made with besides."""

from __future__ import annotations

from typing import Self

from windrow.absent.explained import ExplainsAbsentMethods
from windrow.common.checks import instance_of
from windrow.common.configuration import Configuration
from windrow.errors import ConfigurationError

#: Whether tables are read as streams, or at once.
RUNTIME_MODE = "execution.runtime-mode"


class EnvironmentSettings(ExplainsAbsentMethods):
    """Settings that a table environment is made with (PyFlink's class of the same name).

    Args:
        streaming: Whether tables are read as streams; None: as the configuration's ``execution.runtime-mode`` says,
            and where that is not set they are.
        configuration: More settings.

    Raises:
        ConfigurationError: the runtime mode is neither STREAMING nor BATCH.

    Example:
        >>> EnvironmentSettings.in_streaming_mode().is_streaming_mode()
        True
        >>> batch = Configuration.from_dict({"execution.runtime-mode": "batch"})
        >>> EnvironmentSettings.new_instance().with_configuration(batch).build().is_streaming_mode()
        False
    """

    class Builder:
        """Makes settings step by step; what is said last counts."""

        def __init__(self) -> None:
            self._configuration = Configuration()

        def in_streaming_mode(self) -> Self:
            """Read tables as streams."""
            self._configuration.set_string(RUNTIME_MODE, "STREAMING")
            return self

        def in_batch_mode(self) -> Self:
            """Read tables at once: they have an end."""
            self._configuration.set_string(RUNTIME_MODE, "BATCH")
            return self

        def with_configuration(self, config: Configuration) -> Self:
            """Add settings; they are copied."""
            self._configuration.add_all(instance_of(config, Configuration, "config"))
            return self

        def build(self) -> EnvironmentSettings:
            """Make them.

            Raises:
                ConfigurationError: the runtime mode is neither STREAMING nor BATCH.
            """
            return EnvironmentSettings(configuration=self._configuration)

    def __init__(self, *, streaming: bool | None = None, configuration: Configuration | None = None) -> None:
        self._configuration = Configuration(configuration)
        if streaming is not None:
            self._configuration.set_string(RUNTIME_MODE, "STREAMING" if streaming else "BATCH")
        self.is_streaming_mode()  # what is wrong with it is said here

    @staticmethod
    def new_instance() -> EnvironmentSettings.Builder:
        """Begin to make settings."""
        return EnvironmentSettings.Builder()

    @staticmethod
    def in_streaming_mode() -> EnvironmentSettings:
        """Read tables as streams."""
        return EnvironmentSettings(streaming=True)

    @staticmethod
    def in_batch_mode() -> EnvironmentSettings:
        """Read tables at once: they have an end."""
        return EnvironmentSettings(streaming=False)

    def is_streaming_mode(self) -> bool:
        """Tell whether tables are read as streams."""
        return runtime_mode(self._configuration.get_string(RUNTIME_MODE, "STREAMING")) == "STREAMING"

    def get_configuration(self) -> Configuration:
        """The settings; what is set in it counts for environments that are made behind that."""
        return self._configuration


def runtime_mode(given: object) -> str:
    """The mode in which tables are read, in upper case.

    Raises:
        ConfigurationError: it is neither STREAMING nor BATCH.
    """
    mode = str(given).upper()
    if mode not in ("STREAMING", "BATCH"):
        msg = f"{RUNTIME_MODE} of tables is STREAMING or BATCH; got {given!r}"
        raise ConfigurationError(msg)
    return mode
