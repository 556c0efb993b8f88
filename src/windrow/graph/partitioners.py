"""Choose the subtasks of the next operator that an element goes to."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar


@dataclass(frozen=True)
class Partitioner:
    """Says how elements cross an exchange. Watermarks go to every subtask behind it."""

    #: What an execution plan calls it.
    ship_strategy: ClassVar[str]
    #: Whether elements get a key on the way.
    keyed: ClassVar[bool] = False
    #: Whether the operator behind it has one subtask only.
    single: ClassVar[bool] = False


@dataclass(frozen=True)
class KeyGroupPartitioner(Partitioner):
    """An element goes to the subtask of its key's key group (Flink's ``KeyGroupStreamPartitioner``)."""

    ship_strategy: ClassVar[str] = "HASH"
    keyed: ClassVar[bool] = True
    key_selector: Callable[[Any], Any]


@dataclass(frozen=True)
class SingleKeyPartitioner(Partitioner):
    """All elements have one key, as on a non-keyed window (Flink's ``NullByteKeySelector``)."""

    ship_strategy: ClassVar[str] = "HASH"
    keyed: ClassVar[bool] = True
    single: ClassVar[bool] = True
    key: Any = 0


@dataclass(frozen=True)
class SinglePartitioner(Partitioner):
    """The operator behind it needs one view of the stream, so it has one subtask, and that gets all elements."""

    ship_strategy: ClassVar[str] = "GLOBAL"
    single: ClassVar[bool] = True


@dataclass(frozen=True)
class GlobalPartitioner(Partitioner):
    """All elements go to the first of the subtasks (Flink's ``GlobalPartitioner``)."""

    ship_strategy: ClassVar[str] = "GLOBAL"


@dataclass(frozen=True)
class RebalancePartitioner(Partitioner):
    """Elements go to all subtasks in turn (Flink's ``RebalancePartitioner``)."""

    ship_strategy: ClassVar[str] = "REBALANCE"


@dataclass(frozen=True)
class RescalePartitioner(Partitioner):
    """Elements go in turn to those subtasks that belong to the sending subtask (Flink's ``RescalePartitioner``)."""

    ship_strategy: ClassVar[str] = "RESCALE"


@dataclass(frozen=True)
class ShufflePartitioner(Partitioner):
    """Elements go to subtasks as if drawn by lot (Flink's ``ShufflePartitioner``)."""

    ship_strategy: ClassVar[str] = "SHUFFLE"


@dataclass(frozen=True)
class ForwardPartitioner(Partitioner):
    """Elements stay in the subtask of the same number (Flink's ``ForwardPartitioner``)."""

    ship_strategy: ClassVar[str] = "FORWARD"


@dataclass(frozen=True)
class BroadcastPartitioner(Partitioner):
    """Every element goes to every subtask (Flink's ``BroadcastPartitioner``)."""

    ship_strategy: ClassVar[str] = "BROADCAST"


@dataclass(frozen=True)
class CustomPartitioner(Partitioner):
    """The user says which subtask an element goes to (Flink's ``CustomPartitionerWrapper``)."""

    ship_strategy: ClassVar[str] = "CUSTOM"
    #: From a key and the number of subtasks to the number of one.
    partition: Callable[[Any, int], int]
    key_selector: Callable[[Any], Any]
