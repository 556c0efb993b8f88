"""The fate of a checkpoint when its job is cancelled."""

from enum import Enum


class ExternalizedCheckpointRetention(Enum):
    """Says if the checkpoint of a cancelled job is deleted or kept."""

    DELETE_ON_CANCELLATION = 0
    RETAIN_ON_CANCELLATION = 1
    NO_EXTERNALIZED_CHECKPOINTS = 2
