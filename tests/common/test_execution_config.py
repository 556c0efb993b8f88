"""Settings of how a job is executed."""

import pytest

from windrow.common.execution_config import ExecutionConfig
from windrow.common.time import Duration
from windrow.errors import ConfigurationError, ConfigurationTypeError


def test_defaults_are_flinks():
    """Parallelism is left open, watermarks come every 200 ms."""
    config = ExecutionConfig()
    assert (config.get_parallelism(), config.get_max_parallelism()) == (-1, -1)
    assert config.get_auto_watermark_interval() == 200
    assert config.is_closure_cleaner_enabled()
    assert config.has_auto_generated_uids_enabled()
    assert not config.has_generic_types_disabled()
    assert not config.is_object_reuse_enabled()


@pytest.mark.parametrize("value", [0, -2, 32769])
@pytest.mark.parametrize("setter", ["set_parallelism", "set_max_parallelism"])
def test_parallelism_has_bounds(setter, value):
    """Parallelism is from 1 to 32768, or -1."""
    with pytest.raises(ConfigurationError, match=f"parallelism is from 1 to 32768.*got {value}"):
        getattr(ExecutionConfig(), setter)(value)


def test_parallelism_is_a_whole_number():
    """A number as text is refused."""
    with pytest.raises(ConfigurationTypeError, match="parallelism takes an int"):
        ExecutionConfig().set_parallelism("4")


def test_setters_return_the_config():
    """Calls can be chained, and values come back."""
    config = ExecutionConfig().set_parallelism(4).set_max_parallelism(64)
    config.set_auto_watermark_interval(Duration.of_seconds(1)).set_latency_tracking_interval(5)
    config.set_task_cancellation_interval(6).set_task_cancellation_timeout(7)
    assert (config.get_parallelism(), config.get_max_parallelism()) == (4, 64)
    assert (config.get_auto_watermark_interval(), config.get_latency_tracking_interval()) == (1000, 5)
    assert (config.get_task_cancellation_interval(), config.get_task_cancellation_timeout()) == (6, 7)


def test_negative_intervals_are_refused():
    """An interval in the past is an error."""
    with pytest.raises(ConfigurationError, match="interval must not be negative; got -1 ms"):
        ExecutionConfig().set_auto_watermark_interval(-1)


@pytest.mark.parametrize(
    ("name", "query"),
    [
        ("closure_cleaner", "is_closure_cleaner_enabled"),
        ("force_kryo", "is_force_kryo_enabled"),
        ("force_avro", "is_force_avro_enabled"),
        ("object_reuse", "is_object_reuse_enabled"),
        ("auto_generated_uids", "has_auto_generated_uids_enabled"),
    ],
)
def test_switches(name, query):
    """What has no meaning on Spark is remembered all the same."""
    config = ExecutionConfig()
    assert getattr(getattr(config, f"enable_{name}")(), query)() is True
    assert getattr(getattr(config, f"disable_{name}")(), query)() is False


def test_job_parameters_are_text():
    """Global job parameters are copied and become text."""
    given = {"a": 1}
    config = ExecutionConfig().set_global_job_parameters(given)
    given["a"] = 2
    assert config.get_global_job_parameters() == {"a": "1"}
    with pytest.raises(ConfigurationTypeError, match="takes a dict"):
        config.set_global_job_parameters("a=1")


def test_equal_settings_are_equal():
    """Configs compare by their settings."""
    assert ExecutionConfig() == ExecutionConfig().enable_closure_cleaner()
    assert ExecutionConfig() != ExecutionConfig().set_parallelism(2)
    assert ExecutionConfig().disable_generic_types().has_generic_types_disabled()
    assert ExecutionConfig().set_use_snapshot_compression(True).is_use_snapshot_compression()


def test_equal_configs_have_one_hash():
    """As in Java: by their settings as they are now."""
    one, other = ExecutionConfig().set_global_job_parameters({"a": 1}), ExecutionConfig()
    assert hash(one) != hash(other)
    other.set_global_job_parameters({"a": "1"})
    assert (hash(one), one) == (hash(other), other)
    assert hash(one.enable_object_reuse()) != hash(other)


def test_constants_are_flinks():
    """What stands for a parallelism that is not set, and for one that is left as it is."""
    assert (ExecutionConfig.PARALLELISM_DEFAULT, ExecutionConfig.PARALLELISM_UNKNOWN) == (-1, -2)
