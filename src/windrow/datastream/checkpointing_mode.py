"""The guarantee that checkpoints give."""

from enum import Enum


class CheckpointingMode(Enum):
    """The number of times that an element may show in state after a failure.

    State in Spark's checkpoints is always exactly once, so ``AT_LEAST_ONCE`` is kept and asks for less than it gets.
    """

    EXACTLY_ONCE = 0
    AT_LEAST_ONCE = 1
