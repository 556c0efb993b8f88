"""The modes of a job: a stream or a batch."""

from enum import Enum


class RuntimeExecutionMode(Enum):
    """The way a job is executed.

    ``STREAMING`` keeps watermark generators and lateness, also on bounded input. ``BATCH`` has bounded input only: no
    generators, nothing is late, one final watermark. ``AUTOMATIC`` is ``BATCH`` if all sources are bounded.
    """

    STREAMING = 0
    BATCH = 1
    AUTOMATIC = 2
