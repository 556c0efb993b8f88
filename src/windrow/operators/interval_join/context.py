"""Tells a join function of the pair it is called with."""

from __future__ import annotations

from windrow.common.limits import NO_TIMESTAMP
from windrow.datastream.functions import ProcessJoinFunction


class JoinContext(ProcessJoinFunction.Context):
    """One object for all pairs: the operator sets its timestamps before each call."""

    def __init__(self) -> None:
        self.left_timestamp = self.right_timestamp = self.timestamp = NO_TIMESTAMP

    def get_left_timestamp(self) -> int:
        return self.left_timestamp

    def get_right_timestamp(self) -> int:
        return self.right_timestamp

    def get_timestamp(self) -> int:
        return self.timestamp
