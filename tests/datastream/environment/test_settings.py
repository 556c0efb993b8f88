import os

import pytest

from windrow.common import Configuration, RestartStrategies
from windrow.datastream import (
    CheckpointingMode,
    HashMapStateBackend,
    RuntimeExecutionMode,
    SlotSharingGroup,
    StreamExecutionEnvironment,
)
from windrow.errors import ConfigurationError, ConfigurationTypeError


@pytest.fixture
def environment():
    """An environment with no settings."""
    return StreamExecutionEnvironment.get_execution_environment()


def test_settings_of_flinks_configuration_are_taken_over():
    """Flink's keys set parallelism, mode, watermark interval and checkpointing."""
    settings = {
        "parallelism.default": "3",
        "pipeline.max-parallelism": "64",
        "execution.runtime-mode": "batch",
        "pipeline.auto-watermark-interval": "2 s",
        "execution.checkpointing.interval": "5min",
        "execution.checkpointing.dir": "/checkpoints",
    }
    env = StreamExecutionEnvironment.get_execution_environment(Configuration.from_dict(settings))
    assert (env.get_parallelism(), env.get_max_parallelism(), env._runtime_mode) == (3, 64, RuntimeExecutionMode.BATCH)
    assert env.get_config().get_auto_watermark_interval() == 2000
    assert env._submit_settings().configuration.get_integer("pipeline.auto-watermark-interval", 0) == 2000
    assert env.get_checkpoint_interval() == 300_000
    assert env._submit_settings().checkpoint_dir == "/checkpoints"


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("execution.runtime-mode", "fast", "STREAMING, BATCH, AUTOMATIC; it is 'fast'"),
        ("pipeline.auto-watermark-interval", "2 weeks", "a span of time"),
        ("parallelism.default", "two", "read as a whole number from 1; it is 'two'"),
        ("parallelism.default", "0", "a whole number from 1; it is '0'"),
    ],
)
def test_a_setting_with_a_wrong_value_is_refused(key, value, said):
    """A value that cannot be read names its key."""
    with pytest.raises(ConfigurationError, match=said):
        StreamExecutionEnvironment.get_execution_environment(Configuration.from_dict({key: value}))


def test_the_older_key_of_the_checkpoint_directory_works_too(environment):
    """state.checkpoints.dir names the directory where the newer key does not."""
    environment.configure(Configuration.from_dict({"state.checkpoints.dir": "/old"}))
    assert environment._submit_settings().checkpoint_dir == "/old"


def test_newer_names_count_before_older_ones(environment):
    """Where a setting is made under two of its names, the newest one counts."""
    settings = {"execution.checkpointing.dir": "/new", "state.checkpoints.dir": "/old"}
    environment.configure(Configuration.from_dict(settings))
    assert environment._submit_settings().checkpoint_dir == "/new"


def test_a_configuration_with_a_fault_changes_nothing(environment):
    """Where one setting is refused, none of the configuration is taken over."""
    before = environment.get_parallelism()
    settings = Configuration.from_dict({"parallelism.default": "97", "pipeline.max-parallelism": "many"})
    with pytest.raises(ConfigurationError):
        environment.configure(settings)
    assert environment.get_parallelism() == before
    assert environment.get_configuration().to_dict() == {}


def test_checkpoints_without_a_directory_are_said_once(caplog):
    """Exactly-once state needs a directory that outlives the program: without one a job that starts says so."""
    env = StreamExecutionEnvironment.create_local_environment().enable_checkpointing(1000)
    for _ in range(2):
        env.from_collection([1]).execute_and_collect(limit=1)
    (said,) = [record.getMessage() for record in caplog.records if record.name == "windrow"]
    assert said.startswith("checkpointing is enabled, and no directory is named: state goes when the program ends")


def test_the_local_runtime_says_that_it_keeps_no_checkpoints(caplog):
    """A directory is of no use to it, and a job that is to start from a savepoint cannot."""
    settings = {"execution.checkpointing.dir": "/checkpoints"}
    env = StreamExecutionEnvironment.create_local_environment(configuration=Configuration.from_dict(settings))
    env.from_collection([1]).execute_and_collect(limit=1)
    assert "execution.checkpointing.dir has no effect: the local runtime keeps no checkpoints" in caplog.text
    env.configure(Configuration.from_dict({"execution.savepoint.path": "/savepoint"}))
    with pytest.raises(ConfigurationError, match="'/savepoint', and the local runtime starts from no savepoint"):
        env.from_collection([1]).execute_and_collect(limit=1)


def test_without_made_up_uids_every_operator_with_state_has_one():
    """disable_auto_generated_uids refuses a program that leaves a source, an operator with state or a sink without."""
    env = StreamExecutionEnvironment.create_local_environment()
    env.get_config().disable_auto_generated_uids()
    source = env.from_collection([1, 2]).uid("numbers")
    summed = source.map(lambda n: n + 1).key_by(lambda n: n).reduce(lambda a, b: a + b).name("sums")
    sink = summed.print()
    with pytest.raises(ConfigurationError, match=r"auto-generated uids are disabled, and '.*' has none"):
        env.get_execution_plan()
    sink.uid("printed")
    with pytest.raises(ConfigurationError, match="'sums' has none; give it one with uid"):
        env.get_execution_plan()
    summed.uid("sums")
    assert "sums" in env.get_execution_plan()


def test_parallelism_is_by_default_that_of_the_machine(environment):
    """Without a setting there is a subtask for each processor."""
    assert environment.get_parallelism() == (os.cpu_count() or 1)
    environment.set_default_local_parallelism(7)
    assert environment.get_parallelism() == 7
    assert environment.set_parallelism(2).get_parallelism() == 2


def test_setters_chain_and_getters_give_back(environment):
    """Flink's setters, those of 1.x included, are accepted and remembered."""
    strategy, backend = RestartStrategies.no_restart(), HashMapStateBackend()
    chained = (
        environment.set_restart_strategy(strategy)
        .set_state_backend(backend)
        .enable_checkpointing(500, CheckpointingMode.AT_LEAST_ONCE)
        .set_buffer_timeout(10)
        .disable_operator_chaining()
        .enable_changelog_state_backend(True)
        .set_default_savepoint_directory("/savepoints")
        .register_slot_sharing_group(SlotSharingGroup.builder("g").build())
        .set_runtime_mode(RuntimeExecutionMode.STREAMING)
    )
    assert chained is environment
    assert environment.get_restart_strategy() is strategy
    assert environment.get_state_backend() is backend
    assert environment.get_checkpoint_interval() == 500
    assert environment.get_checkpointing_mode() is CheckpointingMode.AT_LEAST_ONCE
    assert environment.get_checkpointing_consistency_mode() is CheckpointingMode.AT_LEAST_ONCE
    assert environment.get_buffer_timeout() == 10
    assert not environment.is_chaining_enabled()
    assert environment.is_changelog_state_backend_enabled()
    assert environment.get_default_savepoint_directory() == "/savepoints"
    assert not environment.is_unaligned_checkpoints_enabled()
    assert not environment.is_force_unaligned_checkpoints()


def test_files_and_jars_are_remembered(environment):
    """What a job needs besides its code is kept in the configuration under Flink's keys."""
    environment.add_jars("a.jar", "b.jar")
    environment.add_jars("c.jar")
    environment.add_classpaths("d")
    environment.add_python_file("e.py")
    environment.add_python_archive("f.zip", "data")
    environment.set_python_requirements("r.txt")
    environment.set_python_executable("python3")
    settings = environment._configuration.to_dict()
    assert settings["pipeline.jars"] == "a.jar;b.jar;c.jar"
    assert settings["pipeline.classpaths"] == "d"
    assert settings["python.files"] == "e.py"
    assert settings["python.archives"] == "f.zip#data"
    assert (settings["python.requirements"], settings["python.executable"]) == ("r.txt", "python3")


@pytest.mark.parametrize(
    "call",
    [
        lambda env: env.set_runtime_mode("BATCH"),
        lambda env: env.set_state_backend("rocksdb"),
        lambda env: env.set_restart_strategy(None),
        lambda env: env.set_parallelism("2"),
        lambda env: env.register_slot_sharing_group("g"),
        lambda env: env.configure({}),
        lambda env: env.add_jars(5),
    ],
)
def test_values_of_another_type_are_refused(environment, call):
    """A setter that is given something else says what it takes."""
    with pytest.raises(ConfigurationTypeError):
        call(environment)


def test_object_reuse_may_be_set_in_two_ways():
    """Flink's key and the method of the ExecutionConfig are one setting."""
    reuse = Configuration.from_dict({"pipeline.object-reuse": "true"})
    env = StreamExecutionEnvironment.get_execution_environment(reuse)
    assert env.get_config().is_object_reuse_enabled()
    env.configure(Configuration.from_dict({"pipeline.object-reuse": "false"}))
    assert not env.get_config().is_object_reuse_enabled()
