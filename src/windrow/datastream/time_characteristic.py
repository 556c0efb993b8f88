"""The time that ``time_window`` means, kept for programs written for Flink 1.x."""

from enum import Enum


class TimeCharacteristic(Enum):
    """The time that a job is about, set with ``StreamExecutionEnvironment.set_stream_time_characteristic``."""

    ProcessingTime = 0  #: the clock of the machine that runs the operator
    IngestionTime = 1  #: the clock when the element came in at the source
    EventTime = 2  #: the timestamp of the element (the default)
