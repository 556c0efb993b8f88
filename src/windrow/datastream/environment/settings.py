"""The settings of an execution environment."""

from __future__ import annotations

import os
from typing import Self

from windrow.absent.explained import ExplainsAbsentMethods
from windrow.common.checks import instance_of
from windrow.common.configuration import Configuration
from windrow.common.execution_config import ExecutionConfig
from windrow.common.restart_strategy import (
    RestartStrategies,
    RestartStrategyConfiguration,
    restart_strategy_of,
)
from windrow.common.settings.table import text_of
from windrow.common.time import Duration, Time
from windrow.datastream.checkpoint_config import CheckpointConfig
from windrow.datastream.checkpointing_mode import CheckpointingMode
from windrow.datastream.environment.accepted import AcceptedSettings
from windrow.datastream.environment.configuring import configure
from windrow.datastream.environment.dependencies import DependencySettings
from windrow.datastream.execution_mode import RuntimeExecutionMode
from windrow.datastream.streams.program import Program
from windrow.datastream.time_characteristic import TimeCharacteristic
from windrow.errors import ConfigurationError, UsageError
from windrow.storage.local_path import state_directory

_DIRECTORY = "execution.checkpointing.dir"
_RECOVERY = "execution.state-recovery.path"


class EnvironmentSettings(AcceptedSettings, DependencySettings, ExplainsAbsentMethods):
    """Setters and getters of PyFlink's ``StreamExecutionEnvironment``, those of Flink 1.x included."""

    def __init__(self, configuration: Configuration) -> None:
        super().__init__()
        self._program = Program()
        self._configuration = Configuration()
        self._config = ExecutionConfig(self._notices)
        self._checkpoint_config = CheckpointConfig(self._notices)
        self._runtime_mode = RuntimeExecutionMode.STREAMING
        self._time_characteristic = TimeCharacteristic.EventTime
        self._restart_strategy: RestartStrategyConfiguration = RestartStrategies.fall_back_restart()
        self._savepoint_directory: str | None = None
        self.configure(configuration)

    def get_config(self) -> ExecutionConfig:
        """Settings of how jobs are executed."""
        return self._config

    def configure(self, configuration: Configuration) -> Self:
        """Take settings over: Flink's, Windrow's (``windrow.*``) and Spark's (``spark.*``).

        ``docs/settings.md`` lists them, and says what each does. A setting that has no effect here is said once, in a
        warning. Names of other kinds are the program's own, and are kept.

        Raises:
            ConfigurationError: a setting has a value that it cannot have, or is refused, or there is none of that name.
        """
        given = instance_of(configuration, Configuration, "configuration")
        configure(self, given, self._notices)
        self._configuration.add_all(given)
        if any(key.startswith("restart-strategy") for key in given.key_set()):
            self._restart_strategy = restart_strategy_of(self._configuration)
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
        """Give the number of subtasks of operators that do not say themselves; by default one for each processor."""
        parallelism = self._config.get_parallelism()
        return parallelism if parallelism > 0 else self.get_default_local_parallelism()

    def get_default_local_parallelism(self) -> int:
        """The parallelism where none is set."""
        return self._configuration.get_integer("windrow.default-parallelism", os.cpu_count() or 1)

    def set_default_local_parallelism(self, parallelism: int) -> None:
        """Set the parallelism where none is set."""
        checked = self._notices.check("windrow.default-parallelism", parallelism)
        self._configuration.set_integer("windrow.default-parallelism", checked)

    def set_max_parallelism(self, max_parallelism: int) -> Self:
        """Set how many key groups jobs have, at most 32768. A job's checkpoint keeps the number it began with."""
        self._config.set_max_parallelism(max_parallelism)
        return self

    def get_max_parallelism(self) -> int:
        """Give the number of key groups; -1 for the default: 128, or more where the parallelism is above 85."""
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
        """Give the time that ``time_window`` means."""
        return self._time_characteristic

    # Checkpoints and state

    def get_checkpoint_config(self) -> CheckpointConfig:
        """Settings of checkpoints."""
        return self._checkpoint_config

    def enable_checkpointing(self, interval: int | Duration | Time, mode: CheckpointingMode | None = None) -> Self:
        """Let jobs keep a checkpoint, in the directory that ``execution.checkpointing.dir`` names.

        If no directory is named, the program is told so in a warning when a job starts.

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

    def set_default_savepoint_directory(self, directory: str) -> Self:
        state_directory(directory, "directory of set_default_savepoint_directory")
        self._savepoint_directory = directory
        return self

    def get_default_savepoint_directory(self) -> str | None:
        return self._savepoint_directory

    def set_restart_strategy(self, restart_strategy_configuration: RestartStrategyConfiguration) -> Self:
        """Say how jobs that have failed are started again; without a word of it they stay failed.

        A job with a checkpoint goes on from it. One without begins anew: what it has printed comes again, and files
        that it has not committed are written again. Spark repeats tasks by itself before a job counts as failed.

        Example:
            >>> from windrow.datastream import StreamExecutionEnvironment
            >>> env = StreamExecutionEnvironment.get_execution_environment()
            >>> env.set_restart_strategy(RestartStrategies.fixed_delay_restart(3, 10_000)) is env
            True
        """
        kind = RestartStrategyConfiguration
        self._restart_strategy = instance_of(restart_strategy_configuration, kind, "restart_strategy_configuration")
        return self

    def get_restart_strategy(self) -> RestartStrategyConfiguration:
        return self._restart_strategy

    def _checkpoint_directory(self, *, local: bool) -> str | None:
        """The directory of a job's checkpoint; says it where there is none and somebody relies on one.

        Args:
            local: Whether jobs run without Spark, so that there are no checkpoints.

        Raises:
            ConfigurationError: a job is to start from a savepoint and cannot.
        """
        directory, recovery = text_of(self._configuration, _DIRECTORY), text_of(self._configuration, _RECOVERY)
        if local and recovery is not None:
            msg = f"{_RECOVERY} is {recovery!r}, and the local runtime starts from no savepoint; run the job on Spark"
            raise ConfigurationError(msg)
        for key in ("pipeline.jars", "pipeline.classpaths"):
            if local and text_of(self._configuration, key) is not None:
                self._notices.tell(key, f"{key} has no effect: the local runtime has no JVM")
        if local and directory is not None:
            words = f"{_DIRECTORY} has no effect: the local runtime keeps no checkpoints, and begins anew every time"
            self._notices.tell(_DIRECTORY, words)
        elif directory is None and self._checkpoint_config.is_checkpointing_enabled():
            words = (
                "checkpointing is enabled, and no directory is named: state goes when the program ends, and a program "
                f"that is started again begins anew; set {_DIRECTORY} to a directory that outlives it"
            )
            self._notices.tell(_DIRECTORY, words)
        return None if directory is None else state_directory(directory, _DIRECTORY)
