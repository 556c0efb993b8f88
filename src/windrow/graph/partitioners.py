"""Which subtasks of the next operator an element goes to."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar


@dataclass(frozen=True)
class Partitioner:
    """How elements cross an exchange. Watermarks go to every subtask behind it."""

    #: Whether elements get a key on the way.
    keyed: ClassVar[bool] = False
    #: Whether all elements go to the first subtask, so that the operator behind it has only that one.
    single: ClassVar[bool] = False


@dataclass(frozen=True)
class KeyGroupPartitioner(Partitioner):
    """An element goes to the subtask of its key's key group (Flink's ``KeyGroupStreamPartitioner``)."""

    keyed: ClassVar[bool] = True
    key_selector: Callable[[Any], Any]


@dataclass(frozen=True)
class GlobalPartitioner(Partitioner):
    """All elements go to the first subtask (Flink's ``GlobalPartitioner``)."""

    single: ClassVar[bool] = True


@dataclass(frozen=True)
class SingleKeyPartitioner(Partitioner):
    """All elements have one key, as on a non-keyed window (Flink's ``NullByteKeySelector``)."""

    keyed: ClassVar[bool] = True
    single: ClassVar[bool] = True
    key: Any = 0
