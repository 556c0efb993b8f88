"""Which key groups of the next level an element goes to."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from windrow.state.key_groups import key_group


@dataclass(frozen=True)
class Partitioner:
    """How elements and watermarks cross an exchange."""

    #: Whether elements get a key on the way.
    keyed: ClassVar[bool] = False

    def groups(self, max_parallelism: int) -> Sequence[int]:
        """All key groups that may receive elements; watermarks go to each of them."""
        raise NotImplementedError


@dataclass(frozen=True)
class KeyGroupPartitioner(Partitioner):
    """An element goes to the key group of its key (Flink's ``KeyGroupStreamPartitioner``)."""

    keyed: ClassVar[bool] = True
    key_selector: Callable[[Any], Any]

    def groups(self, max_parallelism: int) -> Sequence[int]:
        return range(max_parallelism)


@dataclass(frozen=True)
class GlobalPartitioner(Partitioner):
    """All elements go to the first subtask (Flink's ``GlobalPartitioner``)."""

    def groups(self, max_parallelism: int) -> Sequence[int]:
        return (0,)


@dataclass(frozen=True)
class SingleKeyPartitioner(Partitioner):
    """All elements have one key, as on a non-keyed window (Flink's ``NullByteKeySelector``): one group sees all."""

    keyed: ClassVar[bool] = True
    key: Any = 0

    def groups(self, max_parallelism: int) -> Sequence[int]:
        return (key_group(self.key, max_parallelism),)
