"""Names of part files, and when the next one begins."""

import datetime

import pytest

from windrow.common import Duration, Time
from windrow.connectors.files.part_files import OutputFileConfig, RollingPolicy
from windrow.errors import ConfigurationError, ConfigurationTypeError


def test_names_are_made_of_prefix_batch_partition_and_number():
    """Without more, the prefix is Flink's ``part``."""
    assert OutputFileConfig.builder().build().name(12, 3, 0) == "part-12-3-0"
    config = OutputFileConfig.builder().with_part_prefix("late").with_part_suffix(".csv").build()
    assert config.name(0, 1, 2) == "late-0-1-2.csv"


@pytest.mark.parametrize("prefix", ["", ".late", "_late", "a/b"])
def test_a_prefix_must_not_hide_files_or_move_them(prefix):
    """Readers leave out names that begin with a dot or an underscore; folders are for bucket assigners."""
    with pytest.raises(ConfigurationError, match="prefix of part files must"):
        OutputFileConfig.builder().with_part_prefix(prefix)


def test_prefix_and_suffix_are_strings_without_slashes():
    """The error says which of them."""
    with pytest.raises(ConfigurationTypeError, match=r"prefix of part files takes a string; got 1 \(int\)"):
        OutputFileConfig.builder().with_part_prefix(1)
    with pytest.raises(ConfigurationError, match="suffix of part files must"):
        OutputFileConfig.builder().with_part_suffix("/csv")


def test_the_default_policy_is_flinks():
    """A file ends at 128 MiB."""
    assert RollingPolicy.default_rolling_policy().part_size == 128 * 1024 * 1024


@pytest.mark.parametrize("interval", [1000, Time.seconds(1), Duration.of_seconds(1), datetime.timedelta(seconds=1)])
def test_intervals_come_in_every_form(interval):
    """They are checked, though files end with their batch anyway."""
    assert RollingPolicy.default_rolling_policy(10, interval, interval).part_size == 10


def test_a_policy_takes_positive_numbers_only():
    """The error names the parameter."""
    with pytest.raises(ConfigurationError, match="part_size of a rolling policy must be positive; got 0"):
        RollingPolicy.default_rolling_policy(0)
    with pytest.raises(ConfigurationTypeError, match="part_size takes a number of bytes"):
        RollingPolicy.default_rolling_policy("1 MB")
    with pytest.raises(ConfigurationError, match="inactivity_interval of a rolling policy must be positive"):
        RollingPolicy.default_rolling_policy(1, 1, -1)
