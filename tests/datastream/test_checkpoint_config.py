"""Checkpoint settings."""

import pytest

from windrow.common.time import Duration
from windrow.datastream.checkpoint_config import CheckpointConfig
from windrow.datastream.checkpointing_mode import CheckpointingMode
from windrow.datastream.externalized_checkpoint_retention import ExternalizedCheckpointRetention
from windrow.errors import ConfigurationError, ConfigurationTypeError


def test_defaults_are_flinks():
    """Checkpoints are off, exactly once when on."""
    config = CheckpointConfig()
    assert not config.is_checkpointing_enabled()
    assert config.get_checkpoint_interval() == -1
    assert config.get_checkpointing_mode() is CheckpointingMode.EXACTLY_ONCE
    assert config.get_checkpoint_timeout() == 600_000
    assert config.get_max_concurrent_checkpoints() == 1
    assert config.is_fail_on_checkpointing_errors()
    assert not config.is_externalized_checkpoints_enabled()


def test_settings_come_back():
    """Every setter chains, and its getter gives the value."""
    config = (
        CheckpointConfig()
        .set_checkpoint_interval(Duration.of_seconds(1))
        .set_checkpointing_mode(CheckpointingMode.AT_LEAST_ONCE)
        .set_checkpoint_timeout(5)
        .set_min_pause_between_checkpoints(6)
        .set_max_concurrent_checkpoints(7)
        .set_tolerable_checkpoint_failure_number(8)
        .set_externalized_checkpoint_retention(ExternalizedCheckpointRetention.RETAIN_ON_CANCELLATION)
        .enable_unaligned_checkpoints()
        .set_alignment_timeout(Duration.of_millis(9))
        .set_force_unaligned_checkpoints()
    )
    assert config.is_checkpointing_enabled()
    assert config.get_checkpoint_interval() == 1000
    assert config.get_checkpointing_mode() is CheckpointingMode.AT_LEAST_ONCE
    assert config.get_checkpoint_timeout() == 5
    assert config.get_min_pause_between_checkpoints() == 6
    assert config.get_max_concurrent_checkpoints() == 7
    assert config.get_tolerable_checkpoint_failure_number() == 8
    assert not config.is_fail_on_checkpointing_errors()
    assert config.is_externalized_checkpoints_enabled()
    assert config.is_unaligned_checkpoints_enabled()
    assert config.get_alignment_timeout() == config.get_aligned_checkpoint_timeout() == Duration.of_millis(9)
    assert config.is_force_unaligned_checkpoints()
    assert not config.disable_unaligned_checkpoints().is_unaligned_checkpoints_enabled()
    assert config.set_fail_on_checkpointing_errors(True).is_fail_on_checkpointing_errors()


@pytest.mark.parametrize(
    ("setter", "value"),
    [
        ("set_checkpoint_interval", 0),
        ("set_checkpoint_timeout", 0),
        ("set_min_pause_between_checkpoints", -1),
        ("set_max_concurrent_checkpoints", 0),
        ("set_tolerable_checkpoint_failure_number", -1),
    ],
)
def test_numbers_have_a_minimum(setter, value):
    """The error names the parameter and the minimum."""
    with pytest.raises(ConfigurationError, match=f"is at least .*; got {value}"):
        getattr(CheckpointConfig(), setter)(value)


def test_enums_are_checked():
    """A mode or retention as text is refused."""
    with pytest.raises(ConfigurationTypeError, match="CheckpointingMode"):
        CheckpointConfig().set_checkpointing_mode("EXACTLY_ONCE")
    with pytest.raises(ConfigurationTypeError, match="ExternalizedCheckpointRetention"):
        CheckpointConfig().set_externalized_checkpoint_retention("RETAIN")
    with pytest.raises(ConfigurationTypeError, match="takes an int"):
        CheckpointConfig().set_max_concurrent_checkpoints(1.5)
