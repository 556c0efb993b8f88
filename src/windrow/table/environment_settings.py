"""Whether a table environment reads tables as streams or at once."""

from __future__ import annotations

from typing import Self

from windrow.absent.explained import ExplainsAbsentMethods
from windrow.common.configuration import Configuration


class EnvironmentSettings(ExplainsAbsentMethods):
    """Settings that a table environment is made with (PyFlink's class of the same name).

    Example:
        >>> EnvironmentSettings.in_streaming_mode().is_streaming_mode()
        True
    """

    class Builder:
        """Makes settings step by step."""

        def __init__(self) -> None:
            self._streaming = True
            self._configuration = Configuration()

        def in_streaming_mode(self) -> Self:
            """Read tables as streams."""
            self._streaming = True
            return self

        def in_batch_mode(self) -> Self:
            """Read tables at once: they have an end."""
            self._streaming = False
            return self

        def with_configuration(self, config: Configuration) -> Self:
            """Take settings."""
            self._configuration = config
            return self

        def build(self) -> EnvironmentSettings:
            """Make them."""
            return EnvironmentSettings(streaming=self._streaming, configuration=self._configuration)

    def __init__(self, *, streaming: bool = True, configuration: Configuration | None = None) -> None:
        self._streaming = streaming
        self._configuration = configuration or Configuration()

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
        """Whether tables are read as streams."""
        return self._streaming

    def get_configuration(self) -> Configuration:
        """The settings."""
        return self._configuration
