"""Says if a source ends."""

from __future__ import annotations

from enum import Enum


class Boundedness(Enum):
    """Flink's ``org.apache.flink.api.connector.source.Boundedness``."""

    #: The source ends when all of its splits have been read.
    BOUNDED = "bounded"
    #: The source has no end.
    CONTINUOUS_UNBOUNDED = "continuous_unbounded"
