"""The settings of an execution environment."""

from __future__ import annotations

import os
from typing import Any, Self

from windrow.absent.explained import ExplainsAbsentMethods
from windrow.common.configuration import Configuration
from windrow.common.execution_config import ExecutionConfig
from windrow.common.restart_strategy import RestartStrategies, RestartStrategyConfiguration
from windrow.common.time import Duration, Time
from windrow.datastream.checkpoint_config import CheckpointConfig
from windrow.datastream.checkpointing_mode import CheckpointingMode
from windrow.datastream.execution_mode import RuntimeExecutionMode
from windrow.datastream.slot_sharing_group import SlotSharingGroup
from windrow.datastream.state_backend import StateBackend
from windrow.datastream.streams.checks import instance_of, text
from windrow.datastream.streams.program import Program
from windrow.datastream.time_characteristic import TimeCharacteristic
from windrow.errors import ConfigurationError, UsageError

#: Configuration keys of the directory in which a job keeps its checkpoint; the first that is set counts.
CHECKPOINT_DIRECTORY = ("execution.checkpointing.dir", "state.checkpoints.dir")
#: The configuration key that says where savepoints are made if nothing else is said.
SAVEPOINT_DIRECTORY = "execution.checkpointing.savepoint-dir"
_MILLIS = {"ms": 1, "s": 1000, "sec": 1000, "m": 60_000, "min": 60_000, "h": 3_600_000, "d": 86_400_000}


class EnvironmentSettings(ExplainsAbsentMethods):
    """Setters and getters of PyFlink's ``StreamExecutionEnvironment``, those of Flink 1.x included.

    What has no meaning on Spark (slot sharing, buffers, jars) is accepted, so that programs that set it run.
    """

    def __init__(self, configuration: Configuration) -> None:
        self._program = Program()
        self._configuration = Configuration()
        self._config = ExecutionConfig()
        self._checkpoint_config = CheckpointConfig()
        self._runtime_mode = RuntimeExecutionMode.STREAMING
        self._time_characteristic = TimeCharacteristic.EventTime
        self._restart_strategy: RestartStrategyConfiguration = RestartStrategies.fall_back_restart()
        self._state_backend: StateBackend | None = None
        self._buffer_timeout = 100
        self._chaining = True
        self._changelog = False
        self._savepoint_directory: str | None = None
        self.configure(configuration)

    def get_config(self) -> ExecutionConfig:
        """Settings of how jobs are executed."""
        return self._config

    def configure(self, configuration: Configuration) -> Self:
        """Take settings over: Flink's ``parallelism.default``, ``execution.runtime-mode``, ... and ``windrow.*``.

        Raises:
            ConfigurationError: a setting has a value that it cannot have.
        """
        given = instance_of(configuration, Configuration, "configuration")
        self._configuration.add_all(given)
        if given.contains_key("parallelism.default"):
            self.set_parallelism(given.get_integer("parallelism.default", 1))
        if given.contains_key("pipeline.max-parallelism"):
            self.set_max_parallelism(given.get_integer("pipeline.max-parallelism", 128))
        if given.contains_key("pipeline.auto-watermark-interval"):
            self._config.set_auto_watermark_interval(_millis(given, "pipeline.auto-watermark-interval"))
        if given.contains_key("execution.checkpointing.interval"):
            self.enable_checkpointing(_millis(given, "execution.checkpointing.interval"))
        mode = given.get_string("execution.runtime-mode", None)
        if mode is not None:
            self.set_runtime_mode(_runtime_mode(mode))
        return self

    def get_configuration(self) -> Configuration:
        """A copy of the settings that :meth:`configure` was given."""
        return Configuration(self._configuration)

    # Parallelism and mode

    def set_parallelism(self, parallelism: int) -> Self:
        """Set how many subtasks operators have that do not say themselves."""
        self._config.set_parallelism(parallelism)
        return self

    def get_parallelism(self) -> int:
        """How many subtasks operators have that do not say themselves; by default one for each processor."""
        parallelism = self._config.get_parallelism()
        return parallelism if parallelism > 0 else self.get_default_local_parallelism()

    def get_default_local_parallelism(self) -> int:
        """The parallelism where none is set."""
        return self._configuration.get_integer("windrow.default-parallelism", os.cpu_count() or 1)

    def set_default_local_parallelism(self, parallelism: int) -> None:
        """Set the parallelism where none is set."""
        self._configuration.set_integer("windrow.default-parallelism", parallelism)

    def set_max_parallelism(self, max_parallelism: int) -> Self:
        """Set how many key groups jobs have, at most 32768. A job's checkpoint keeps the number it began with."""
        self._config.set_max_parallelism(max_parallelism)
        return self

    def get_max_parallelism(self) -> int:
        """How many key groups jobs have; -1 for the default: 128, or more where the parallelism is above 85."""
        return self._config.get_max_parallelism()

    def set_runtime_mode(self, execution_mode: RuntimeExecutionMode) -> Self:
        """Say whether jobs run as streams or as batches."""
        self._runtime_mode = instance_of(execution_mode, RuntimeExecutionMode, "execution_mode")
        return self

    def set_stream_time_characteristic(self, characteristic: TimeCharacteristic) -> Self:
        """Say which time ``time_window`` means, and whether sources stamp elements with the time they came in.

        Raises:
            UsageError: streams were described already, which would not follow.
        """
        instance_of(characteristic, TimeCharacteristic, "characteristic")
        if characteristic is not self._time_characteristic and not self._program.is_empty:
            msg = "set_stream_time_characteristic must be called before the first source"
            raise UsageError(msg)
        self._time_characteristic = characteristic
        return self

    def get_stream_time_characteristic(self) -> TimeCharacteristic:
        """Which time ``time_window`` means."""
        return self._time_characteristic

    # Checkpoints and state

    def get_checkpoint_config(self) -> CheckpointConfig:
        """Settings of checkpoints."""
        return self._checkpoint_config

    def enable_checkpointing(self, interval: int | Duration | Time, mode: CheckpointingMode | None = None) -> Self:
        """Let jobs keep a checkpoint, in the directory that ``execution.checkpointing.dir`` names.

        Args:
            interval: Milliseconds between two checkpoints; on Spark every batch is one.
            mode: The guarantee asked for; state is always exactly once.
        """
        self._checkpoint_config.set_checkpoint_interval(interval)
        if mode is not None:
            self._checkpoint_config.set_checkpointing_mode(mode)
        return self

    def get_checkpoint_interval(self) -> int:
        """Milliseconds between two checkpoints; -1 if there are none."""
        return self._checkpoint_config.get_checkpoint_interval()

    def get_checkpointing_mode(self) -> CheckpointingMode:
        """The guarantee asked for."""
        return self._checkpoint_config.get_checkpointing_mode()

    def get_checkpointing_consistency_mode(self) -> CheckpointingMode:
        """The guarantee asked for."""
        return self._checkpoint_config.get_checkpointing_mode()

    def is_unaligned_checkpoints_enabled(self) -> bool:
        return self._checkpoint_config.is_unaligned_checkpoints_enabled()

    def is_force_unaligned_checkpoints(self) -> bool:
        return self._checkpoint_config.is_force_unaligned_checkpoints()

    def set_state_backend(self, state_backend: StateBackend) -> Self:
        """Accepted: state is in Spark's RocksDB state store."""
        self._state_backend = instance_of(state_backend, StateBackend, "state_backend")
        return self

    def get_state_backend(self) -> StateBackend | None:
        return self._state_backend

    def enable_changelog_state_backend(self, enabled: bool) -> Self:
        """Accepted: Spark's state store keeps a change log."""
        self._changelog = bool(enabled)
        return self

    def is_changelog_state_backend_enabled(self) -> bool:
        return self._changelog

    def set_default_savepoint_directory(self, directory: str) -> Self:
        self._savepoint_directory = text(directory, "directory")
        return self

    def get_default_savepoint_directory(self) -> str | None:
        return self._savepoint_directory

    def set_restart_strategy(self, restart_strategy_configuration: RestartStrategyConfiguration) -> Self:
        """Accepted: Spark repeats tasks that fail; a job that fails for good is started again by its user."""
        kind = RestartStrategyConfiguration
        self._restart_strategy = instance_of(restart_strategy_configuration, kind, "restart_strategy_configuration")
        return self

    def get_restart_strategy(self) -> RestartStrategyConfiguration:
        return self._restart_strategy

    # What is accepted, and kept

    def set_buffer_timeout(self, timeout_millis: int) -> Self:
        """Accepted: on Spark a batch is what is buffered."""
        self._buffer_timeout = instance_of(timeout_millis, int, "timeout_millis")
        return self

    def get_buffer_timeout(self) -> int:
        return self._buffer_timeout

    def disable_operator_chaining(self) -> Self:
        """Accepted: chaining changes no result."""
        self._chaining = False
        return self

    def is_chaining_enabled(self) -> bool:
        return self._chaining

    def is_chaining_of_operators_with_different_max_parallelism_enabled(self) -> bool:
        return True

    def register_slot_sharing_group(self, slot_sharing_group: SlotSharingGroup) -> Self:
        """Accepted: Spark shares its executors among all operators."""
        instance_of(slot_sharing_group, SlotSharingGroup, "slot_sharing_group")
        return self

    def add_default_kryo_serializer(self, type_class_name: str, serializer_class_name: str) -> None:
        """Accepted, from Flink 1.x: elements are pickled."""

    def register_type_with_kryo_serializer(self, type_class_name: str, serializer_class_name: str) -> None:
        """Accepted, as :meth:`add_default_kryo_serializer`."""

    def register_type(self, type_class_name: str) -> None:
        """Accepted, as :meth:`add_default_kryo_serializer`."""

    def add_jars(self, *jars_path: str) -> None:
        """Remember jars; they are of use to Spark only if it is started with them."""
        self._append("pipeline.jars", jars_path, ";")

    def add_classpaths(self, *classpaths: str) -> None:
        """Remember class paths, as :meth:`add_jars`."""
        self._append("pipeline.classpaths", classpaths, ";")

    def add_python_file(self, file_path: str) -> None:
        """Remember a Python file that functions need."""
        self._append("python.files", (file_path,), ",")

    def add_python_archive(self, archive_path: str, target_dir: str | None = None) -> None:
        """Remember an archive of files that functions need."""
        self._append("python.archives", (archive_path if target_dir is None else f"{archive_path}#{target_dir}",), ",")

    def set_python_requirements(self, requirements_file_path: str, requirements_cache_dir: str | None = None) -> None:
        """Remember a requirements file."""
        cache = "" if requirements_cache_dir is None else f"#{requirements_cache_dir}"
        self._configuration.set_string("python.requirements", text(requirements_file_path, "path") + cache)

    def set_python_executable(self, python_exec: str) -> None:
        """Remember which Python runs the functions."""
        self._configuration.set_string("python.executable", text(python_exec, "python_exec"))

    def _append(self, key: str, values: tuple[Any, ...], separator: str) -> None:
        known = self._configuration.get_string(key, None)
        added = [text(value, key) for value in values]
        self._configuration.set_string(key, separator.join([*([known] if known else []), *added]))


def _millis(configuration: Configuration, key: str) -> int:
    """A span of time as Flink writes it: a number of milliseconds, or ``200 ms``, ``10 s``, ``5 min``, ``1 h``."""
    value = (configuration.get_string(key, None) or "").strip()
    number = value.rstrip("abcdefghijklmnopqrstuvwxyz ")
    unit = _MILLIS.get(value[len(number) :].strip() or "ms")
    if unit is None or not number.isdigit():
        msg = f"setting {key!r} is read as a span of time, such as 200 ms, 10 s or 5 min; it is {value!r}"
        raise ConfigurationError(msg)
    return int(number) * unit


def _runtime_mode(name: str) -> RuntimeExecutionMode:
    try:
        return RuntimeExecutionMode[name.upper()]
    except KeyError:
        names = ", ".join(mode.name for mode in RuntimeExecutionMode)
        msg = f"setting 'execution.runtime-mode' is one of {names}; it is {name!r}"
        raise ConfigurationError(msg) from None
