"""Every row of the table of settings does what it says, by whatever way a program sets it."""

from datetime import timedelta

import pytest

from windrow.common import Configuration, RestartStrategies
from windrow.common.settings.of_clusters import METHODS
from windrow.common.settings.setting import Effect
from windrow.common.settings.table import TABLE, text_of
from windrow.common.time import Duration, to_millis
from windrow.datastream import (
    CheckpointingMode,
    CustomStateBackend,
    ExternalizedCheckpointRetention,
    HashMapStateBackend,
    RuntimeExecutionMode,
    SlotSharingGroup,
    StreamExecutionEnvironment,
    TimeCharacteristic,
)
from windrow.datastream.environment.configuring import owner_of
from windrow.errors import ConfigurationError
from windrow.runtime.monitor.ui_settings import UiSettings
from windrow.runtime.sources.reading import ReadSettings
from windrow.runtime.spark.state_assignment.compatibility import IGNORE_UNCLAIMED
from windrow.runtime.spark.stream_settings import StreamSettings
from windrow.table import StreamTableEnvironment

IN_CONFIGURATIONS = [row for row in TABLE if row.example]
WITHOUT_EFFECT = [row for row in IN_CONFIGURATIONS if row.effect is Effect.WARNED]
REFUSED = [row for row in IN_CONFIGURATIONS if row.effect is Effect.REFUSED]
RETENTION = "execution.checkpointing.externalized-checkpoint-retention"
#: What getters give back where it is not the value as it was read.
GIVEN_BACK = {
    "pipeline.closure-cleaner-level": False,
    "pipeline.time-characteristic": TimeCharacteristic.IngestionTime,
    "restart-strategy.type": RestartStrategies.fixed_delay_restart(1, 1_000),
}


def _restarts(kind, **fields):
    def happens(env):
        env.configure(Configuration.from_dict({"restart-strategy.type": kind}))
        strategy = env.get_restart_strategy()
        return {name: getattr(strategy, name) for name in fields} == fields

    return happens


def _text(key):
    return lambda env: text_of(env._submit_settings().configuration, key) == ROWS[key].example


def _of_tables(key):
    return lambda env: StreamTableEnvironment.create(env).get_config().get(key, "") == ROWS[key].example


def _reads(**fields):
    return lambda env: {name: getattr(ReadSettings.of(env._configuration), name) for name in fields} == fields


def _shows(**fields):
    return lambda env: {name: getattr(UiSettings.of(env._configuration), name) for name in fields} == fields


def _streams(**fields):
    return lambda env: {name: getattr(StreamSettings.of(env._configuration), name) for name in fields} == fields


ROWS = {row.key: row for row in TABLE}
#: What a job does with a setting that no getter gives back.
HAPPENS = {
    "execution.checkpointing.dir": lambda env: env._submit_settings().checkpoint_dir == "/tmp/checkpoints",
    "execution.runtime-mode": lambda env: env._runtime_mode is RuntimeExecutionMode.BATCH,
    "execution.state-recovery.path": _text("execution.state-recovery.path"),
    IGNORE_UNCLAIMED: lambda env: env._plan(_sinks(env)).configuration.get_boolean(IGNORE_UNCLAIMED, False),
    "pipeline.name": lambda env: env._plan(_sinks(env)).name == "trips",
    "pipeline.watermark-alignment.allow-unaligned-source-splits": (
        lambda env: env._plan(_sinks(env)).configuration.get_boolean(
            "pipeline.watermark-alignment.allow-unaligned-source-splits", False
        )
    ),
    "restart-strategy.fixed-delay.attempts": _restarts("fixed-delay", restart_attempts=3),
    "restart-strategy.fixed-delay.delay": _restarts(
        "fixed-delay", delay_between_attempts_interval=timedelta(seconds=10)
    ),
    "restart-strategy.failure-rate.max-failures-per-interval": _restarts("failure-rate", max_failure_rate=2),
    "restart-strategy.failure-rate.failure-rate-interval": _restarts(
        "failure-rate", failure_interval=timedelta(minutes=5)
    ),
    "restart-strategy.failure-rate.delay": _restarts(
        "failure-rate", delay_between_attempts_interval=timedelta(seconds=10)
    ),
    "restart-strategy.exponential-delay.initial-backoff": _restarts(
        "exponential-delay", initial_backoff=timedelta(seconds=2)
    ),
    "restart-strategy.exponential-delay.max-backoff": _restarts("exponential-delay", max_backoff=timedelta(minutes=5)),
    "restart-strategy.exponential-delay.backoff-multiplier": _restarts("exponential-delay", backoff_multiplier=2.0),
    "restart-strategy.exponential-delay.reset-backoff-threshold": _restarts(
        "exponential-delay", reset_backoff_threshold=timedelta(minutes=30)
    ),
    "restart-strategy.exponential-delay.jitter-factor": _restarts("exponential-delay", jitter_factor=0.2),
    "restart-strategy.exponential-delay.attempts-before-reset-backoff": _restarts(
        "exponential-delay", attempts_before_reset_backoff=5
    ),
    **{
        key: _text(key)
        for key in (
            "python.files",
            "python.pythonpath",
            "python.archives",
            "python.requirements",
            "python.executable",
            "pipeline.jars",
            "pipeline.classpaths",
        )
    },
    **{
        key: _of_tables(key)
        for key in (
            "sql-client.execution.result-mode",
            "table.display.max-column-width",
            "table.dml-sync",
            "table.exec.emit.allow-lateness",
            "table.exec.emit.early-fire.delay",
            "table.exec.emit.early-fire.enabled",
            "table.exec.emit.late-fire.delay",
            "table.exec.emit.late-fire.enabled",
            "table.exec.source.idle-timeout",
            "table.exec.state.ttl",
            "table.local-time-zone",
        )
    },
    "windrow.runtime": lambda env: env._submit_settings().runtime == "local",
    "windrow.columns.enabled": lambda env: not env._plan(_sinks(env)).columns,
    "windrow.columns.float-sums-in-any-order": lambda env: env._plan(_sinks(env)).any_order,
    "windrow.columns.local-aggregation": lambda env: not env._plan(_sinks(env)).combines,
    "windrow.driver.port": _streams(driver_port=7070),
    "windrow.trigger.interval": _streams(trigger_interval=500),
    "windrow.trigger.available-now": _streams(available_now=True),
    "windrow.source.splits-per-batch": _streams(splits_per_batch=2),
    "windrow.source.elements-per-split": _streams(elements_per_split=100),
    "windrow.source.records-per-batch": _reads(records=1000),
    "windrow.source.bytes-per-batch": _reads(bytes=100_000),
    "windrow.source.wait": _reads(wait=10),
    "windrow.source.duration": _reads(duration=100),
    "windrow.ui.enabled": _shows(enabled=True),
    "windrow.ui.host": _shows(host="0.0.0.0"),
    "windrow.ui.port": _shows(port=8081),
    "windrow.ui.history": _shows(history=500),
    "windrow.ui.progress": _shows(progress=False),
}
#: What a program calls for a setting that has no name in a configuration.
CALLS = {
    "DataStream.disable_chaining": lambda env: env.from_collection([1]).disable_chaining(),
    "DataStream.set_buffer_timeout": lambda env: env.from_collection([1]).set_buffer_timeout(5),
    "DataStream.slot_sharing_group": lambda env: env.from_collection([1]).print().slot_sharing_group("a"),
    "DataStream.start_new_chain": lambda env: env.from_collection([1]).map(str).start_new_chain(),
    "StreamExecutionEnvironment.add_default_kryo_serializer": lambda env: env.add_default_kryo_serializer("a", "b"),
    "StreamExecutionEnvironment.register_slot_sharing_group": (
        lambda env: env.register_slot_sharing_group(SlotSharingGroup.builder("a").build())
    ),
    "StreamExecutionEnvironment.register_type": lambda env: env.register_type("a"),
    "StreamExecutionEnvironment.register_type_with_kryo_serializer": (
        lambda env: env.register_type_with_kryo_serializer("a", "b")
    ),
}


@pytest.fixture
def env():
    """An environment with no settings."""
    return StreamExecutionEnvironment.get_execution_environment()


def _sinks(env):
    return [env.from_collection([1]).print()._transformation]


def _name(row):
    return f"{row.key[:-1]}anything" if row.is_prefix else row.key


def _configured(env, row):
    return env.configure(Configuration.from_dict({_name(row): row.example}))


def _got(env, row):
    owner, _, getter = row.getter.partition(".")
    got = getattr(owner_of(env, owner), getter)()
    return to_millis(got, "got") if isinstance(got, Duration) else got


def _expected(row):
    if row.key in GIVEN_BACK:
        return GIVEN_BACK[row.key]
    read = row.kind.read(row.key, row.example)
    return to_millis(read, "read") if isinstance(read, Duration) else read


@pytest.mark.parametrize("row", IN_CONFIGURATIONS, ids=lambda row: row.key)
def test_a_setting_of_a_configuration_is_given_back(env, row):
    """What configure() takes over is what the getter of its row gives."""
    if row.effect is Effect.REFUSED:
        with pytest.raises(ConfigurationError):
            _configured(env, row)
    elif row.getter is None or row.key == "state.backend.type":
        assert _configured(env, row).get_configuration().to_dict() != {}
    else:
        assert _got(_configured(env, row), row) == _expected(row)


def test_every_honoured_setting_is_checked():
    """A row that says that it does something has a getter, or a check of what a job does."""
    honoured = {row.key for row in TABLE if row.effect is Effect.HONOURED and row.getter is None}
    assert honoured == set(HAPPENS)


@pytest.mark.parametrize("key", sorted(HAPPENS))
def test_a_setting_that_is_honoured_does_what_it_says(env, key):
    """What a job is run with follows from the setting, and would be otherwise without it."""
    assert not HAPPENS[key](env)
    assert HAPPENS[key](_configured(env, ROWS[key]))


@pytest.mark.parametrize("row", WITHOUT_EFFECT, ids=lambda row: row.key)
def test_a_setting_without_effect_is_said_once(env, row, caplog):
    """However often it is set, by a configuration or by its setter, there is one warning, and it says why."""
    _configured(env, row)
    _configured(env, row)
    if row.setter is not None:
        _call_setter(env, row)
    (said,) = caplog.messages
    assert said == f"{_name(row)} has no effect: {row.words}"


@pytest.mark.parametrize("row", [row for row in WITHOUT_EFFECT if row.setter], ids=lambda row: row.key)
def test_a_setter_without_effect_says_so(env, row, caplog):
    """The setter of a row warns as its name in a configuration does."""
    _call_setter(env, row)
    assert caplog.messages == [f"{row.key} has no effect: {row.words}"]


def _call_setter(env, row):
    owner, _, method = row.setter.partition(".")
    on, switch, off = method.partition("|")
    value = row.kind.read(row.key, row.example)
    if row.key == "pipeline.closure-cleaner-level":
        value = False
    if switch:
        getattr(owner_of(env, owner), on if value else off)()
        return
    taken = {
        "execution.checkpointing.mode": CheckpointingMode.AT_LEAST_ONCE,
        RETENTION: ExternalizedCheckpointRetention.DELETE_ON_CANCELLATION,
        "state.backend.type": HashMapStateBackend(),
    }
    getattr(owner_of(env, owner), on)(taken.get(row.key, value))


@pytest.mark.parametrize("row", WITHOUT_EFFECT, ids=lambda row: row.key)
def test_nothing_is_said_of_what_is_done_anyway(env, row, caplog):
    """A value that asks for no more than what Windrow does is taken without a word."""
    for same in row.same:
        env.configure(Configuration.from_dict({row.key: same}))
    assert caplog.messages == []


@pytest.mark.parametrize("row", REFUSED, ids=lambda row: row.key)
def test_a_setting_that_is_refused_is_an_error(env, row):
    """The error has the row's words."""
    with pytest.raises(ConfigurationError, match=f"setting '{row.key}' cannot be") as raised:
        _configured(env, row)
    assert row.words in str(raised.value)


def test_every_method_without_effect_is_called_here():
    """Rows that stand for methods and the calls of these tests are the same."""
    assert {row.key for row in METHODS} == set(CALLS)


@pytest.mark.parametrize("key", sorted(CALLS))
def test_a_method_without_effect_says_so_once(env, key, caplog):
    """What has no name in a configuration warns as well."""
    CALLS[key](env)
    CALLS[key](env)
    assert caplog.messages == [f"{key} has no effect: {ROWS[key].words}"]


def test_a_state_backend_of_a_configuration_is_given_back(env):
    """state.backend makes an object of the class that it names; one written in Java is refused, by either way."""
    env.configure(Configuration.from_dict({"state.backend": "jobmanager"}))
    assert isinstance(env.get_state_backend(), HashMapStateBackend)
    with pytest.raises(ConfigurationError, match=r"one of hashmap, .* it is 'com.example.Backend'"):
        env.set_state_backend(CustomStateBackend("com.example.Backend"))
    with pytest.raises(ConfigurationError, match=r"one of hashmap, .* it is 'com.example.Backend'"):
        env.configure(Configuration.from_dict({"state.backend.type": "com.example.Backend"}))


def test_names_of_the_programs_own_and_of_spark_are_kept(env, caplog):
    """They are in the configuration that a job gets, and nothing is said."""
    own = {"input": "/data", "spark.ui.port": "4050"}
    env.configure(Configuration.from_dict(own))
    assert env.get_configuration().to_dict() == own
    assert caplog.messages == []
