"""The states of a job."""

from enum import Enum


class JobStatus(Enum):
    """The state of a job (Flink's ``JobStatus``)."""

    CREATED = 0
    RUNNING = 1
    FAILING = 2
    FAILED = 3
    CANCELLING = 4
    CANCELED = 5
    FINISHED = 6
    RESTARTING = 7
    SUSPENDED = 8
    RECONCILING = 9

    def is_globally_terminal_state(self) -> bool:
        """Tell whether the job is over for good: finished, failed or cancelled."""
        return self in (JobStatus.FAILED, JobStatus.CANCELED, JobStatus.FINISHED)

    def is_terminal_state(self) -> bool:
        """Tell whether the job is not running any more here: the same, or suspended."""
        return self.is_globally_terminal_state() or self is JobStatus.SUSPENDED
