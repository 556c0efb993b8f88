"""Settings of an environment that are made while it is used, and can be taken back."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from windrow.datastream.environment.settings import EnvironmentSettings

_ABSENT = object()


class UndoableSettings:
    """Remembers what an environment was like before each of some settings.

    A setter may change several things (a switch, an interval, a strategy that is made of five names), and few have a
    value that means: as if it had never been called. So what a setting changes is found by comparing; what the program
    sets by itself meanwhile is left alone.

    Example:
        >>> from windrow.common import Configuration
        >>> from windrow.datastream import StreamExecutionEnvironment
        >>> env = StreamExecutionEnvironment.create_local_environment(parallelism=2)
        >>> undoable = UndoableSettings(env)
        >>> with undoable.recorded():
        ...     _ = env.configure(Configuration.from_dict({"parallelism.default": "3"}))
        >>> undoable.undo()
        >>> env.get_parallelism(), env.get_configuration().contains_key("parallelism.default")
        (2, False)
    """

    def __init__(self, environment: EnvironmentSettings) -> None:
        config, checkpoints = environment.get_config(), environment.get_checkpoint_config()
        #: Each of them maps names to values that are replaced, and not changed.
        self._places: list[dict[str, Any]] = [
            environment._configuration._values,
            vars(environment),
            vars(config),
            config._switches,
            vars(checkpoints),
        ]
        self._changed: list[tuple[dict[str, Any], str, Any]] = []

    @contextmanager
    def recorded(self) -> Iterator[None]:
        """Remember what is changed until the context is left, also by an error."""
        before = [dict(place) for place in self._places]
        try:
            yield
        finally:
            for place, values in zip(self._places, before, strict=True):
                for name, value in place.items():
                    old = values.get(name, _ABSENT)
                    if old is not value:
                        self._changed.append((place, name, old))

    def undo(self) -> None:
        """Make everything as it was that was recorded."""
        for place, name, old in reversed(self._changed):
            if old is _ABSENT:
                place.pop(name, None)
            else:
                place[name] = old
        self._changed = []
