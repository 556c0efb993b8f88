"""Configurations of the time to live."""

import datetime
import pickle

import pytest

from windrow.common import Duration, Time
from windrow.datastream.state import StateTtlConfig
from windrow.errors import ConfigurationError, ConfigurationTypeError

UpdateType = StateTtlConfig.UpdateType
StateVisibility = StateTtlConfig.StateVisibility
Strategies = StateTtlConfig.CleanupStrategies


def test_defaults_are_flinks():
    """Without further calls writes prolong life, expired values are not returned, and cleanup is on."""
    config = StateTtlConfig.new_builder(Time.seconds(1)).build()
    assert config.get_update_type() is UpdateType.OnCreateAndWrite
    assert config.get_state_visibility() is StateVisibility.NeverReturnExpired
    assert config.get_ttl_time_characteristic() is StateTtlConfig.TtlTimeCharacteristic.ProcessingTime
    assert config.get_ttl() == Time.seconds(1)
    assert config.is_enabled()
    cleanup = config.get_cleanup_strategies()
    assert cleanup.is_cleanup_in_background()
    assert not cleanup.in_full_snapshot()
    assert cleanup.get_incremental_cleanup_strategy().get_cleanup_size() == 5
    assert cleanup.get_incremental_cleanup_strategy().run_cleanup_for_every_record() is False
    compaction = cleanup.get_rocksdb_compact_filter_cleanup_strategy()
    assert compaction.get_query_time_after_num_entries() == 1000
    assert compaction.get_periodic_compaction_time() == Duration.of_days(30)


@pytest.mark.parametrize(
    ("call", "update_type", "visibility"),
    [
        (lambda builder: builder.update_ttl_on_read_and_write(), UpdateType.OnReadAndWrite, None),
        (lambda builder: builder.set_update_type(UpdateType.OnReadAndWrite), UpdateType.OnReadAndWrite, None),
        (
            lambda builder: builder.update_ttl_on_read_and_write().update_ttl_on_create_and_write(),
            *(UpdateType.OnCreateAndWrite, None),
        ),
        (
            lambda builder: builder.return_expired_if_not_cleaned_up(),
            *(None, StateVisibility.ReturnExpiredIfNotCleanedUp),
        ),
        (
            lambda builder: builder.return_expired_if_not_cleaned_up().never_return_expired(),
            *(None, StateVisibility.NeverReturnExpired),
        ),
        (
            lambda builder: builder.set_state_visibility(StateVisibility.ReturnExpiredIfNotCleanedUp),
            *(None, StateVisibility.ReturnExpiredIfNotCleanedUp),
        ),
        (lambda builder: builder.use_processing_time(), None, None),
    ],
)
def test_builder_methods_give_the_builder(call, update_type, visibility):
    """Each call sets one thing and can be followed by the next."""
    config = call(StateTtlConfig.new_builder(Time.seconds(1))).build()
    assert config.get_update_type() is (update_type or UpdateType.OnCreateAndWrite)
    assert config.get_state_visibility() is (visibility or StateVisibility.NeverReturnExpired)


def test_a_disabled_time_to_live_is_none():
    """With UpdateType.Disabled nothing expires."""
    assert not StateTtlConfig.new_builder(1).set_update_type(UpdateType.Disabled).build().is_enabled()
    assert not StateTtlConfig.DISABLED.is_enabled()


def test_cleanup_strategies():
    """What was asked for is kept; what was not has Flink's default, or none where the background is disabled."""
    builder = StateTtlConfig.new_builder(Time.seconds(1)).disable_cleanup_in_background()
    none = builder.build().get_cleanup_strategies()
    assert (none.is_cleanup_in_background(), none.has_any()) == (False, False)
    assert none.get_incremental_cleanup_strategy() is None
    assert none.get_rocksdb_compact_filter_cleanup_strategy() is None
    builder.cleanup_full_snapshot().cleanup_incrementally(10, True)
    builder.cleanup_in_rocksdb_compact_filter(50, Duration.of_days(1))
    cleanup = builder.build().get_cleanup_strategies()
    assert cleanup.in_full_snapshot()
    assert cleanup.has_any()
    assert cleanup.get_incremental_cleanup_strategy().get_cleanup_size() == 10
    assert cleanup.get_incremental_cleanup_strategy().run_cleanup_for_every_record() is True
    compaction = cleanup.get_rocksdb_compact_filter_cleanup_strategy()
    assert compaction.get_query_time_after_num_entries() == 50
    assert compaction.get_periodic_compaction_time() == Duration.of_days(1)
    assert not none.in_full_snapshot(), "a built configuration is not changed by its builder"


@pytest.mark.parametrize("ttl", [Duration.of_seconds(2), datetime.timedelta(seconds=2), 2000, Time.seconds(2)])
def test_any_span_of_time_will_do(ttl):
    """A Duration, a timedelta or milliseconds are as good as a Time."""
    assert StateTtlConfig.new_builder(ttl).build().get_ttl() == Time(2000)
    assert StateTtlConfig.new_builder(1).set_ttl(ttl).build().get_ttl() == Time(2000)


@pytest.mark.parametrize(
    ("call", "error", "said"),
    [
        (lambda: StateTtlConfig.new_builder(0), ConfigurationError, "at least 1; got 0"),
        (lambda: StateTtlConfig.new_builder(Time(-1)), ConfigurationError, "at least 1; got -1"),
        (lambda: StateTtlConfig.new_builder("1s"), ConfigurationTypeError, "the time to live takes a Time"),
        (lambda: StateTtlConfig.new_builder(1).set_update_type(1), ConfigurationTypeError, "UpdateType .*OnReadAndWri"),
        (lambda: StateTtlConfig.new_builder(1).set_state_visibility(None), ConfigurationTypeError, "got None"),
        (lambda: StateTtlConfig.new_builder(1).cleanup_incrementally(0, False), ConfigurationError, "cleanup_size"),
    ],
)
def test_wrong_values_are_refused(call, error, said):
    """What cannot work fails at the call, in words."""
    with pytest.raises(error, match=said):
        call()


def test_configurations_travel():
    """A configuration is pickled with the function whose descriptor has it."""
    config = StateTtlConfig.new_builder(Time.days(1)).cleanup_incrementally(1, False).build()
    copy = pickle.loads(pickle.dumps(config))
    assert (
        repr(copy)
        == repr(config)
        == "StateTtlConfig(Time(86400000), OnCreateAndWrite, NeverReturnExpired, ProcessingTime)"
    )
    assert copy.get_update_type() is UpdateType.OnCreateAndWrite
    assert copy.get_cleanup_strategies().get_incremental_cleanup_strategy().get_cleanup_size() == 1
