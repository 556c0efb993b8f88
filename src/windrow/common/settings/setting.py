"""One row of the table of settings."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from typing import Any

from windrow.common.settings.kinds import Kind


class Effect(Enum):
    """The effect of a setting that a program makes."""

    #: It does what it says.
    HONOURED = "honoured"
    #: It is kept and changes nothing: the program is told so, once.
    WARNED = "no effect"
    #: It is an error: a program that relies on it would not do what its author means.
    REFUSED = "refused"


@dataclass(frozen=True)
class Setting:
    """A setting that there is in Flink or in Windrow."""

    #: Its name; one that ends with ``*`` stands for all that begin so.
    key: str
    kind: Kind
    effect: Effect
    #: Honoured: what it does. Else: why it does nothing, and what to do instead.
    words: str
    #: A value, as a configuration has it.
    example: str
    #: Values that ask for nothing but what is done anyway: no word is lost about them.
    same: tuple[str, ...] = ()
    #: The setter behind it: of the environment (``env``), its ``ExecutionConfig`` (``config``) or its
    #: ``CheckpointConfig`` (``checkpoints``). Of a setting that is true or false, one for each: ``config.on|off``.
    setter: str | None = None
    #: What gives it back.
    getter: str | None = None
    #: Names that it had in earlier versions; the one above counts before them.
    older: tuple[str, ...] = ()

    @property
    def is_prefix(self) -> bool:
        """True if the row stands for all names that begin like it."""
        return self.key.endswith("*")

    def covers(self, key: str) -> bool:
        """Tell whether a name is one of this row."""
        return key.startswith(self.key[:-1]) if self.is_prefix else key == self.key or key in self.older

    def is_same(self, value: Any) -> bool:
        """Tell whether a value, as it was read, asks for what is done anyway."""
        return any(value == same for same in self._same)

    @cached_property
    def _same(self) -> tuple[Any, ...]:
        return tuple(self.kind.read(self.key, same) for same in self.same)
