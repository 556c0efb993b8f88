"""Writes a savepoint that a job can begin with."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from windrow.common.checks import instance_of, positive, text
from windrow.connectors.discarding import DiscardingSink
from windrow.datastream import RuntimeExecutionMode, StreamExecutionEnvironment
from windrow.datastream.functions import KeyedProcessFunction
from windrow.datastream.streams.data_stream import DataStream
from windrow.datastream.streams.keyed_stream import KeyedStream
from windrow.datastream.streams.program import factory
from windrow.errors import ConfigurationError, ConfigurationTypeError, UsageError, shorten
from windrow.graph.job_graph import JobGraph
from windrow.operators.process import BootstrapOperator
from windrow.runtime.checkpoint_files import BOOTSTRAPPED, BOOTSTRAPPING, LAYOUT, RECOVERY
from windrow.runtime.submit import SubmitSettings, run
from windrow.state_processor.functions import KeyedStateBootstrapFunction
from windrow.storage.local_path import state_directory


class OperatorTransformation:
    """Begins to say what an operator of a savepoint has in its state (Flink's ``OperatorTransformation``)."""

    @staticmethod
    def bootstrap_with(stream: DataStream) -> OneInputStateTransformation:
        """State is made of the elements of a stream, which has to end.

        Raises:
            ConfigurationTypeError: it is no stream.
        """
        return OneInputStateTransformation(instance_of(stream, DataStream, "stream of bootstrap_with"))


class OneInputStateTransformation:
    """Elements of which state is to be made."""

    def __init__(self, stream: DataStream) -> None:
        self._stream = stream

    def key_by(self, key_selector: Any, *more: Any, key_type: Any = None) -> KeyedStateTransformation:
        """Give elements keys, as ``DataStream.key_by`` does: those that the operator has in the job."""
        return KeyedStateTransformation(self._stream.key_by(key_selector, *more, key_type=key_type))


class KeyedStateTransformation:
    """Elements with keys, of which state is to be made."""

    def __init__(self, keyed: KeyedStream) -> None:
        self._keyed = keyed

    def transform(self, function: KeyedStateBootstrapFunction) -> StateBootstrapTransformation:
        """Have the function make state of the elements.

        Raises:
            ConfigurationTypeError: it is another kind of function.
        """
        kind = KeyedStateBootstrapFunction
        return StateBootstrapTransformation(self._keyed, instance_of(function, kind, "function of transform"))


class StateBootstrapTransformation:
    """The state of an operator, for :meth:`SavepointWriter.with_operator`."""

    def __init__(self, keyed: KeyedStream, function: KeyedStateBootstrapFunction) -> None:
        self._keyed = keyed
        self._function = function

    def _apply(self, uid: str) -> None:
        make = factory(BootstrapOperator, _Bootstrapping(self._function))
        made = self._keyed._transform("Bootstrap", make, None, stateless=False)
        made.uid(uid).sink_to(DiscardingSink())


class SavepointWriter:
    """Writes a savepoint (Flink's ``SavepointWriter``): a job begins with it by ``execution.state-recovery.path``.

    State is made by a job of its own, on Spark. In it no time passes: timers are stored, and none fires.

    Args:
        env: The environment that the streams are of. Its parallelism is that of the job that makes the state; the one
            that begins with it may have any.
        max_parallelism: The number of key groups; that of the job that begins with it.
    """

    def __init__(self, env: StreamExecutionEnvironment, max_parallelism: int) -> None:
        self._env = env
        self._max_parallelism = max_parallelism
        self._operators: dict[str, StateBootstrapTransformation] = {}

    @staticmethod
    def new_savepoint(env: StreamExecutionEnvironment, max_parallelism: int = 128) -> SavepointWriter:
        """Begin a savepoint.

        Raises:
            ConfigurationTypeError: ``env`` is no environment, or ``max_parallelism`` no int.
            ConfigurationError: ``max_parallelism`` is below 1.
        """
        instance_of(env, StreamExecutionEnvironment, "env of new_savepoint")
        return SavepointWriter(env, positive(max_parallelism, "max_parallelism of new_savepoint"))

    def with_operator(self, uid: str, transformation: StateBootstrapTransformation) -> SavepointWriter:
        """Say what the operator with this ``uid`` has in its state.

        Raises:
            ConfigurationTypeError: ``transformation`` is something else, or ``uid`` no text.
            ConfigurationError: the operator has state already, or the stream is of another environment.
        """
        text(uid, "uid of with_operator")
        instance_of(transformation, StateBootstrapTransformation, "transformation of with_operator")
        if transformation._keyed._environment is not self._env:
            msg = f"the state of operator {uid!r} is made of a stream of another environment"
            raise ConfigurationError(msg)
        if uid in self._operators:
            msg = f"operator {uid!r} has its state already; give another uid"
            raise ConfigurationError(msg)
        self._operators[uid] = transformation
        return self

    def write(self, path: str) -> None:
        """Run the job that makes the state, and leave the savepoint in a directory.

        Args:
            path: A directory that is empty, or not there: a path, or a URI of a file system that Spark knows.

        Raises:
            UsageError: no operator has state, or the environment has sinks that were not executed.
            ConfigurationError: there is something in the directory, or the environment is not on Spark.
            UserFunctionError: a function has failed. What is in the directory then is no savepoint.
        """
        from windrow.runtime.spark.dependencies import session_for
        from windrow.runtime.spark.folders import folder_at

        location = state_directory(path, "the path of a savepoint")
        if not self._operators:
            msg = "a savepoint without operators would hold nothing: call with_operator"
            raise UsageError(msg)
        env = self._env
        if env._program.sinks():
            msg = "the environment has sinks of its own, which would run with the savepoint's job: execute them before"
            raise UsageError(msg)
        settings = replace(env._submit_settings(), checkpoint_dir=location)
        _check_runs(settings)
        folder = folder_at(session_for(settings.configuration, settings.spark_session), location)
        if folder.exists(LAYOUT):
            msg = f"there is a checkpoint or a savepoint at {location}: name another directory, or remove it"
            raise ConfigurationError(msg)
        for uid, transformation in self._operators.items():
            transformation._apply(uid)
        job = self._job()
        folder.write(BOOTSTRAPPING, b"")
        run(job, settings)
        # From here on it is one: what the job knows of its own sources and of time is nobody's.
        stored = json.loads(folder.read(LAYOUT))
        folder.write(LAYOUT, json.dumps({**stored, BOOTSTRAPPED: True}, indent=1).encode())
        folder.remove(BOOTSTRAPPING)

    def _job(self) -> JobGraph:
        """The job that makes the state; the environment's own settings stay as they are."""
        env = self._env
        mode, most = env._runtime_mode, env._config.get_max_parallelism()
        env.set_runtime_mode(RuntimeExecutionMode.STREAMING).set_max_parallelism(self._max_parallelism)
        try:
            return env._take_job("savepoint")
        finally:
            env.set_runtime_mode(mode)
            env._config._max_parallelism = most


def _check_runs(settings: SubmitSettings) -> None:
    if settings.runtime == "local":
        msg = "SavepointWriter works on Spark, and the local runtime has no checkpoints: leave windrow.runtime out"
        raise ConfigurationError(msg)
    if settings.configuration.get_string(RECOVERY, None) is not None:
        msg = f"{RECOVERY} is set, and a new savepoint begins with nothing: leave it out"
        raise ConfigurationError(msg)


class _Bootstrapping(KeyedProcessFunction):
    def __init__(self, function: KeyedStateBootstrapFunction) -> None:
        self._function = function

    def open(self, runtime_context: Any) -> None:
        self._function.open(runtime_context)

    def process_element(self, value: Any, ctx: Any) -> None:
        given: Any = self._function.process_element(value, ctx)
        if given is not None:
            msg = f"process_element of a KeyedStateBootstrapFunction gives nothing; it has given {shorten(given)}"
            raise ConfigurationTypeError(msg)

    def close(self) -> None:
        self._function.close()
