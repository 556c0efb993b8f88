import pytest

from windrow.common import WatermarkStrategy
from windrow.connectors.dataframe import dataframe_source
from windrow.datastream import StreamExecutionEnvironment
from windrow.errors import ConfigurationError, ConfigurationTypeError


class Frame:
    """What is looked at of a DataFrame before a job runs."""

    isStreaming = True  # noqa: N815  (Spark's name)
    dtypes = (
        ("part", "string"),
        ("at", "timestamp"),
        ("ms", "bigint"),
        ("x", "double"),
        ("tags", "array<string>"),
    )


@pytest.mark.parametrize(
    ("split", "timestamp", "splits", "error", "said"),
    [
        ("no", None, None, ConfigurationError, "split_column .* has no column 'no'; it has part, at, ms, x, tags"),
        (None, "no", None, ConfigurationError, "timestamp_column .* has no column 'no'"),
        ("tags", None, None, ConfigurationTypeError, "must hold a name or number of a split; it is array<string>"),
        ("x", None, None, ConfigurationTypeError, "it is double"),
        (None, "part", None, ConfigurationTypeError, "must be a timestamp, or milliseconds .* it is string"),
        (None, None, 2, ConfigurationError, "splits .* is how many splits split_column tells apart"),
        ("part", None, 0, ConfigurationError, "at least 1; got 0"),
        ("part", None, "2", ConfigurationTypeError, "splits of from_dataframe must be an int; got '2'"),
    ],
)
def test_wrong_columns_are_refused(split, timestamp, splits, error, said):
    """The mistake shows at the call, with what there is instead."""
    with pytest.raises(error, match=said):
        dataframe_source(Frame(), split, timestamp, splits)


def test_channels():
    """Splits that are found as they come share a channel; a number of splits makes so many channels."""
    found = dataframe_source(Frame(), "part", "at", None)
    assert (found.channels(4), found.split, found.timestamp_column, found.bounded) == (1, None, "at", False)
    counted = dataframe_source(Frame(), "ms", None, 3)
    assert (counted.channels(4), counted.split) == (3, "ms")


def test_splits_need_a_strategy():
    """Without one nothing would be done for each split."""
    env = StreamExecutionEnvironment.create_local_environment()
    with pytest.raises(ConfigurationError, match="split_column needs a watermark_strategy"):
        env.from_dataframe(Frame(), split_column="part")
    with pytest.raises(ConfigurationTypeError, match="watermark_strategy must be an object of WatermarkStrategy"):
        env.from_dataframe(Frame(), WatermarkStrategy, "part")
