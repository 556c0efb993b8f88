"""Settings of how a job is executed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from windrow.common.settings.notices import Notices
from windrow.common.time import Duration, Time, to_millis
from windrow.errors import ConfigurationError, ConfigurationTypeError

#: Parallelism and maximum parallelism that are not set.
PARALLELISM_DEFAULT = -1
MAX_PARALLELISM_LIMIT = 1 << 15

#: The name in a configuration of what is on or off, and what off and on are called there where it is not true or false.
_SWITCHES = {
    "auto_generated_uids": ("pipeline.auto-generate-uids", None),
    "closure_cleaner": ("pipeline.closure-cleaner-level", ("NONE", "RECURSIVE")),
    "force_avro": ("pipeline.force-avro", None),
    "force_kryo": ("pipeline.force-kryo", None),
    "generic_types": ("pipeline.generic-types", None),
    "object_reuse": ("pipeline.object-reuse", None),
    "snapshot_compression": ("execution.checkpointing.snapshot-compression", None),
}


class ExecutionConfig:
    """Settings of how a job is executed, from ``StreamExecutionEnvironment.get_config()``.

    What has no meaning on Spark (closure cleaner, Kryo, Avro, latency markers, task cancellation) is kept and given
    back; the program is told once that it has no effect, as ``docs/settings.md`` lists it.

    Example:
        >>> ExecutionConfig().set_auto_watermark_interval(50).get_auto_watermark_interval()
        50
    """

    #: Parallelism that is not set.
    PARALLELISM_DEFAULT = PARALLELISM_DEFAULT
    #: Parallelism that is left as it is.
    PARALLELISM_UNKNOWN = -2

    def __init__(self, notices: Notices | None = None) -> None:
        self._notices = notices or Notices()
        self._parallelism = PARALLELISM_DEFAULT
        self._max_parallelism = PARALLELISM_DEFAULT
        self._auto_watermark_interval = 200
        self._latency_tracking_interval = 0
        self._task_cancellation_interval = 30_000
        self._task_cancellation_timeout = 180_000
        self._job_parameters: dict[str, str] = {}
        self._switches = {"closure_cleaner": True, "generic_types": True, "auto_generated_uids": True}

    def set_auto_watermark_interval(self, interval: int | Duration | Time) -> ExecutionConfig:
        """Set the milliseconds after which generators are asked for a watermark again; 0 for never."""
        self._auto_watermark_interval = _not_negative(interval, "interval")
        return self

    def get_auto_watermark_interval(self) -> int:
        return self._auto_watermark_interval

    def set_latency_tracking_interval(self, interval: int | Duration | Time) -> ExecutionConfig:
        self._latency_tracking_interval = to_millis(interval, "interval")
        self._notices.check("metrics.latency.interval", max(0, self._latency_tracking_interval))
        return self

    def get_latency_tracking_interval(self) -> int:
        return self._latency_tracking_interval

    def get_parallelism(self) -> int:
        """Give the number of subtasks of operators that do not say themselves; -1 leaves it to the runtime."""
        return self._parallelism

    def set_parallelism(self, parallelism: int) -> ExecutionConfig:
        """Set the parallelism of operators that do not say themselves; -1 leaves it to the runtime."""
        self._parallelism = check_parallelism(parallelism, "parallelism")
        return self

    def get_max_parallelism(self) -> int:
        """Give the number of key groups; -1 for the default of 128."""
        return self._max_parallelism

    def set_max_parallelism(self, max_parallelism: int) -> ExecutionConfig:
        """Set how many key groups there are, at most 32768. It is fixed once a job has a checkpoint."""
        self._max_parallelism = check_parallelism(max_parallelism, "max_parallelism")
        return self

    def get_task_cancellation_interval(self) -> int:
        return self._task_cancellation_interval

    def set_task_cancellation_interval(self, interval: int | Duration | Time) -> ExecutionConfig:
        self._task_cancellation_interval = to_millis(interval, "interval")
        self._notices.check("task.cancellation.interval", max(0, self._task_cancellation_interval))
        return self

    def get_task_cancellation_timeout(self) -> int:
        return self._task_cancellation_timeout

    def set_task_cancellation_timeout(self, timeout: int | Duration | Time) -> ExecutionConfig:
        self._task_cancellation_timeout = _not_negative(timeout, "timeout")
        self._notices.check("task.cancellation.timeout", self._task_cancellation_timeout)
        return self

    def get_global_job_parameters(self) -> dict[str, str]:
        """Give what ``RuntimeContext.get_job_parameter`` shows to functions."""
        return dict(self._job_parameters)

    def set_global_job_parameters(self, global_job_parameters_dict: Mapping[str, Any]) -> ExecutionConfig:
        """Set what ``RuntimeContext.get_job_parameter`` gives to functions; values become text."""
        if not isinstance(global_job_parameters_dict, Mapping):
            msg = f"global_job_parameters_dict takes a dict; got {global_job_parameters_dict!r}"
            raise ConfigurationTypeError(msg)
        self._job_parameters = {str(key): str(value) for key, value in global_job_parameters_dict.items()}
        return self

    def enable_closure_cleaner(self) -> ExecutionConfig:
        return self._switch("closure_cleaner", on=True)

    def disable_closure_cleaner(self) -> ExecutionConfig:
        return self._switch("closure_cleaner", on=False)

    def is_closure_cleaner_enabled(self) -> bool:
        return self._is_on("closure_cleaner")

    def enable_force_kryo(self) -> ExecutionConfig:
        return self._switch("force_kryo", on=True)

    def disable_force_kryo(self) -> ExecutionConfig:
        return self._switch("force_kryo", on=False)

    def is_force_kryo_enabled(self) -> bool:
        return self._is_on("force_kryo")

    def enable_force_avro(self) -> ExecutionConfig:
        return self._switch("force_avro", on=True)

    def disable_force_avro(self) -> ExecutionConfig:
        return self._switch("force_avro", on=False)

    def is_force_avro_enabled(self) -> bool:
        return self._is_on("force_avro")

    def enable_generic_types(self) -> ExecutionConfig:
        return self._switch("generic_types", on=True)

    def disable_generic_types(self) -> ExecutionConfig:
        return self._switch("generic_types", on=False)

    def has_generic_types_disabled(self) -> bool:
        return not self._is_on("generic_types")

    def enable_auto_generated_uids(self) -> ExecutionConfig:
        return self._switch("auto_generated_uids", on=True)

    def disable_auto_generated_uids(self) -> ExecutionConfig:
        """Demand that every operator with state is given a uid."""
        return self._switch("auto_generated_uids", on=False)

    def has_auto_generated_uids_enabled(self) -> bool:
        return self._is_on("auto_generated_uids")

    def enable_object_reuse(self) -> ExecutionConfig:
        """Copy nothing that functions are given and give; ``pipeline.object-reuse`` in a Configuration.

        Then no function of the job may change an element after it has given it away, nor one that it is given, nor
        what it reads from state: others may have the same object.
        """
        return self._switch("object_reuse", on=True)

    def disable_object_reuse(self) -> ExecutionConfig:
        return self._switch("object_reuse", on=False)

    def is_object_reuse_enabled(self) -> bool:
        return self._is_on("object_reuse")

    def is_use_snapshot_compression(self) -> bool:
        return self._is_on("snapshot_compression")

    def set_use_snapshot_compression(self, use_snapshot_compression: bool) -> ExecutionConfig:
        return self._switch("snapshot_compression", on=use_snapshot_compression)

    def get_default_kryo_serializer_classes(self) -> dict[str, str]:
        """Always empty: there is no Kryo here."""
        return {}

    def get_registered_kryo_types(self) -> list[str]:
        """Always empty: there is no Kryo here."""
        return []

    def get_registered_pojo_types(self) -> list[str]:
        """Always empty: there are no Java objects here."""
        return []

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ExecutionConfig) and self._settings() == other._settings()

    def __hash__(self) -> int:
        """As in Java it follows from the settings as they are now: do not change a configuration that is a key."""
        return hash(self._settings())

    def _settings(self) -> tuple[Any, ...]:
        switches = frozenset(name for name in _SWITCHES if self._is_on(name))
        parameters = frozenset(self._job_parameters.items())
        numbers = (each for each in vars(self).values() if isinstance(each, int))
        return (*numbers, switches, parameters)

    def _switch(self, name: str, *, on: bool) -> ExecutionConfig:
        self._switches[name] = bool(on)
        key, value = _SWITCHES[name]
        self._notices.check(key, on if value is None else value[bool(on)])
        return self

    def _is_on(self, name: str) -> bool:
        return self._switches.get(name, False)


def check_parallelism(value: Any, parameter: str) -> int:
    """A parallelism a user gave: -1, or from 1 to 32768 as in Flink.

    Raises:
        ConfigurationError: it is neither.
    """
    if isinstance(value, bool) or not isinstance(value, int):
        msg = f"{parameter} takes an int; got {value!r} ({type(value).__name__})"
        raise ConfigurationTypeError(msg)
    if value != PARALLELISM_DEFAULT and not 1 <= value <= MAX_PARALLELISM_LIMIT:
        msg = f"{parameter} is from 1 to {MAX_PARALLELISM_LIMIT}, or -1 for the default; got {value}"
        raise ConfigurationError(msg)
    return value


def _not_negative(value: int | Duration | Time, parameter: str) -> int:
    millis = to_millis(value, parameter)
    if millis < 0:
        msg = f"{parameter} must not be negative; got {millis} ms"
        raise ConfigurationError(msg)
    return millis
