"""Rules by which what a subtask keeps beside its keys is dealt out again among another number of subtasks."""

from __future__ import annotations

from enum import Enum


class Redistribution(Enum):
    """The rule that goes into a checkpoint with what it is about; keyed state goes by key groups, always.

    Flink's list state is dealt out evenly, or given to all as a union; its broadcast state is the same in all subtasks.
    """

    #: It belongs to keys: each part goes where the key group of its key goes.
    KEY_GROUPS = "key groups"
    #: It is the same in all subtasks: each gets a copy of that of any one.
    BROADCAST = "broadcast"
    #: It belongs to splits, or to the channels that these are read in: each part goes where its split goes.
    SPLITS = "splits"
    #: Any subtask may go on from any of it, or begin anew.
    LOTS = "lots"
