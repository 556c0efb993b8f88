"""Settings of a job's checkpoints."""

from __future__ import annotations

from windrow.common.settings.notices import Notices
from windrow.common.time import Duration, Time, to_millis
from windrow.datastream.checkpointing_mode import CheckpointingMode
from windrow.datastream.externalized_checkpoint_retention import ExternalizedCheckpointRetention
from windrow.errors import ConfigurationError, ConfigurationTypeError

#: The interval of a job that takes no checkpoints.
CHECKPOINTING_DISABLED = -1


class CheckpointConfig:
    """Settings of a job's checkpoints, from ``StreamExecutionEnvironment.get_checkpoint_config()``.

    On Spark every batch ends with a checkpoint, so they come at least as often as batches do, whatever the interval.
    The settings of Flink's barriers (alignment, pauses, concurrency, tolerated failures) are kept and given back; the
    program is told once that they have no effect, as ``docs/settings.md`` lists them. Times are milliseconds.

    Example:
        >>> CheckpointConfig().set_checkpoint_interval(1000).is_checkpointing_enabled()
        True
    """

    DEFAULT_MODE = CheckpointingMode.EXACTLY_ONCE
    DEFAULT_TIMEOUT = 600_000
    DEFAULT_MIN_PAUSE_BETWEEN_CHECKPOINTS = 0
    DEFAULT_MAX_CONCURRENT_CHECKPOINTS = 1

    def __init__(self, notices: Notices | None = None) -> None:
        self._notices = notices or Notices()
        self._mode = CheckpointingMode.EXACTLY_ONCE
        self._interval = CHECKPOINTING_DISABLED
        self._timeout = 600_000
        self._min_pause = 0
        self._max_concurrent = 1
        self._tolerable_failures = 0
        self._retention = ExternalizedCheckpointRetention.NO_EXTERNALIZED_CHECKPOINTS
        self._unaligned = False
        self._force_unaligned = False
        self._aligned_timeout = Duration.of_millis(0)

    def is_checkpointing_enabled(self) -> bool:
        return self._interval > 0

    def get_checkpointing_mode(self) -> CheckpointingMode:
        return self._mode

    def set_checkpointing_mode(self, checkpointing_mode: CheckpointingMode) -> CheckpointConfig:
        if not isinstance(checkpointing_mode, CheckpointingMode):
            msg = f"checkpointing_mode takes a CheckpointingMode; got {checkpointing_mode!r}"
            raise ConfigurationTypeError(msg)
        self._mode = checkpointing_mode
        self._notices.check("execution.checkpointing.mode", checkpointing_mode.name)
        return self

    def get_checkpoint_interval(self) -> int:
        """The interval; -1 if checkpoints are off."""
        return self._interval

    def set_checkpoint_interval(self, checkpoint_interval: int | Duration | Time) -> CheckpointConfig:
        self._interval = _at_least(1, to_millis(checkpoint_interval, "checkpoint_interval"), "checkpoint_interval")
        return self

    def get_checkpoint_timeout(self) -> int:
        return self._timeout

    def set_checkpoint_timeout(self, checkpoint_timeout: int | Duration | Time) -> CheckpointConfig:
        self._timeout = _at_least(1, to_millis(checkpoint_timeout, "checkpoint_timeout"), "checkpoint_timeout")
        self._notices.check("execution.checkpointing.timeout", self._timeout)
        return self

    def get_min_pause_between_checkpoints(self) -> int:
        return self._min_pause

    def set_min_pause_between_checkpoints(
        self, min_pause_between_checkpoints: int | Duration | Time
    ) -> CheckpointConfig:
        parameter = "min_pause_between_checkpoints"
        self._min_pause = _at_least(0, to_millis(min_pause_between_checkpoints, parameter), parameter)
        self._notices.check("execution.checkpointing.min-pause", self._min_pause)
        return self

    def get_max_concurrent_checkpoints(self) -> int:
        return self._max_concurrent

    def set_max_concurrent_checkpoints(self, max_concurrent_checkpoints: int) -> CheckpointConfig:
        self._max_concurrent = _at_least(1, max_concurrent_checkpoints, "max_concurrent_checkpoints")
        self._notices.check("execution.checkpointing.max-concurrent-checkpoints", self._max_concurrent)
        return self

    def is_fail_on_checkpointing_errors(self) -> bool:
        return self._tolerable_failures == 0

    def set_fail_on_checkpointing_errors(self, fail_on_checkpointing_errors: bool) -> CheckpointConfig:
        return self.set_tolerable_checkpoint_failure_number(0 if fail_on_checkpointing_errors else 2**31 - 1)

    def get_tolerable_checkpoint_failure_number(self) -> int:
        return self._tolerable_failures

    def set_tolerable_checkpoint_failure_number(self, tolerable_checkpoint_failure_number: int) -> CheckpointConfig:
        parameter = "tolerable_checkpoint_failure_number"
        self._tolerable_failures = _at_least(0, tolerable_checkpoint_failure_number, parameter)
        self._notices.check("execution.checkpointing.tolerable-failed-checkpoints", self._tolerable_failures)
        return self

    def set_externalized_checkpoint_retention(
        self, retention_mode: ExternalizedCheckpointRetention
    ) -> CheckpointConfig:
        if not isinstance(retention_mode, ExternalizedCheckpointRetention):
            msg = f"retention_mode takes an ExternalizedCheckpointRetention; got {retention_mode!r}"
            raise ConfigurationTypeError(msg)
        self._retention = retention_mode
        self._notices.check("execution.checkpointing.externalized-checkpoint-retention", retention_mode.name)
        return self

    def get_externalized_checkpoint_retention(self) -> ExternalizedCheckpointRetention:
        return self._retention

    def is_externalized_checkpoints_enabled(self) -> bool:
        return self._retention is not ExternalizedCheckpointRetention.NO_EXTERNALIZED_CHECKPOINTS

    def is_unaligned_checkpoints_enabled(self) -> bool:
        return self._unaligned

    def enable_unaligned_checkpoints(self, enabled: bool = True) -> CheckpointConfig:
        self._unaligned = enabled
        self._notices.check("execution.checkpointing.unaligned.enabled", enabled)
        return self

    def disable_unaligned_checkpoints(self) -> CheckpointConfig:
        return self.enable_unaligned_checkpoints(enabled=False)

    def set_aligned_checkpoint_timeout(self, alignment_timeout: Duration) -> CheckpointConfig:
        self._aligned_timeout = Duration.of_millis(to_millis(alignment_timeout, "alignment_timeout"))
        self._notices.check("execution.checkpointing.aligned-checkpoint-timeout", self._aligned_timeout)
        return self

    def get_aligned_checkpoint_timeout(self) -> Duration:
        return self._aligned_timeout

    def set_alignment_timeout(self, alignment_timeout: Duration) -> CheckpointConfig:
        """The older name of :meth:`set_aligned_checkpoint_timeout`."""
        return self.set_aligned_checkpoint_timeout(alignment_timeout)

    def get_alignment_timeout(self) -> Duration:
        """The older name of :meth:`get_aligned_checkpoint_timeout`."""
        return self._aligned_timeout

    def set_force_unaligned_checkpoints(self, force_unaligned_checkpoints: bool = True) -> CheckpointConfig:
        self._force_unaligned = force_unaligned_checkpoints
        self._notices.check("execution.checkpointing.unaligned.forced", force_unaligned_checkpoints)
        return self

    def is_force_unaligned_checkpoints(self) -> bool:
        return self._force_unaligned


def _at_least(minimum: int, value: int, parameter: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        msg = f"{parameter} takes an int; got {value!r} ({type(value).__name__})"
        raise ConfigurationTypeError(msg)
    if value < minimum:
        msg = f"{parameter} is at least {minimum}; got {value}"
        raise ConfigurationError(msg)
    return value
