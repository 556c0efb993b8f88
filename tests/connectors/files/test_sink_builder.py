"""What a program says about a sink of files."""

from datetime import timedelta

import pytest

from windrow.common import Duration, Encoder
from windrow.connectors.files.bulk_formats import JsonFactory
from windrow.connectors.files.part_files import RollingPolicy
from windrow.connectors.files.sink import FileSink
from windrow.errors import ConfigurationError, ConfigurationTypeError, UsageError

ENCODER = Encoder.simple_string_encoder()


@pytest.fixture
def rows(tmp_path):
    return FileSink.for_row_format(str(tmp_path), ENCODER)


@pytest.fixture
def bulk(tmp_path):
    return FileSink.for_bulk_format(f"file://{tmp_path}", JsonFactory(None))


def test_all_settings_can_be_chained(rows, tmp_path):
    """Every call gives the builder back."""
    policy = RollingPolicy.on_checkpoint_rolling_policy()
    sink = rows.with_rolling_policy(policy).with_bucket_check_interval(1000).disable_compact().build()
    assert sink.target() == f"{tmp_path}/**/part-*"


def test_a_path_of_a_file_system_that_nobody_knows_is_refused():
    """Where the user wrote it."""
    with pytest.raises(ConfigurationError, match=r"base_path of a FileSink: 'ark://bucket/out' is on .* no such"):
        FileSink.for_row_format("ark://bucket/out", ENCODER)


@pytest.mark.parametrize("encoder", [None, "UTF-8", Encoder])
def test_what_is_no_encoder_is_refused(tmp_path, encoder):
    """The error says what one is."""
    with pytest.raises(ConfigurationTypeError, match=r"Encoder\.simple_string_encoder\(\)"):
        FileSink.for_row_format(tmp_path, encoder)


def test_what_is_no_writer_factory_is_refused(tmp_path):
    """The error says what one is."""
    with pytest.raises(ConfigurationTypeError, match=r"ParquetBulkWriters\.for_row_type"):
        FileSink.for_bulk_format(tmp_path, ENCODER)


@pytest.mark.parametrize("call", ["with_output_file_config", "with_bucket_assigner", "with_rolling_policy"])
def test_settings_of_another_type_are_refused(rows, call):
    """The error names the call."""
    with pytest.raises(ConfigurationTypeError, match=f"{call} takes a"):
        getattr(rows, call)(object())


def test_bulk_formats_begin_new_files_with_batches_only(bulk):
    """As in Flink."""
    assert bulk.with_rolling_policy(RollingPolicy.on_checkpoint_rolling_policy()) is bulk
    with pytest.raises(ConfigurationError, match=r"takes RollingPolicy\.on_checkpoint_rolling_policy\(\)"):
        bulk.with_rolling_policy(RollingPolicy.default_rolling_policy())


def test_the_bucket_check_interval_is_checked(rows):
    """A positive span of time, in any form."""
    for interval in (1, Duration.of_millis(1), timedelta(seconds=1)):
        assert rows.with_bucket_check_interval(interval) is rows
    with pytest.raises(ConfigurationError, match="must be positive"):
        rows.with_bucket_check_interval(0)


def test_compaction_is_not_there_yet(rows):
    """With what to do instead."""
    with pytest.raises(UsageError, match=r"enable_compact is not there yet.*windrow\.trigger\.interval"):
        rows.enable_compact(None, None)
