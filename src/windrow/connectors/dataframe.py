"""A Spark DataFrame as a source, whose rows become Rows with the columns' names, and as what a stream leaves as."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from windrow.connectors.interfaces import Sink, Source
from windrow.errors import ConfigurationError, ConfigurationTypeError

#: The column that a reader of files adds beside a corrupt column: where a row came from.
FILE_COLUMN = "_windrow_file"


@dataclass
class DataFrameSource(Source):
    """Any Spark DataFrame, streaming or batch.

    A DataFrame is one channel, with one watermark: where Spark puts its rows says nothing about time. A DataFrame
    whose rows carry their split (a Kafka partition, say) names that column and how many splits there are.

    Args:
        dataframe: The DataFrame.
        split: The column whose value, an integer from 0, is the row's channel; None for a single channel.
        splits: How many channels ``split`` tells apart.
        timestamp_column: The column with the rows' timestamps; None: they have none.
        found_splits: A column whose values are splits that share the one channel; None: splits are not told apart.
    """

    dataframe: Any
    split: str | None = None
    splits: int = 1
    timestamp_column: str | None = None
    found_splits: str | None = None
    #: The column that holds a line which could not be parsed; None where malformed lines are not looked for.
    corrupt_column: str | None = None
    #: The side output that takes malformed lines; None makes one an error.
    dead_letter: str | None = None

    def __post_init__(self) -> None:
        self.bounded = not self.dataframe.isStreaming
        #: Whether a streaming query can read the source.
        self.streamable = bool(self.dataframe.isStreaming)

    def channels(self, parallelism: int) -> int:
        return self.splits

    def frame(self, spark: Any, *, streaming: bool) -> Any:
        """The DataFrame to read in a batch or a streaming query."""
        return self.dataframe


class DataFrameSink(Sink):
    """Marks where a stream leaves as a DataFrame."""

    def __init__(self, name: str, schema: Any) -> None:
        self.name = name
        self.schema = schema


def dataframe_source(
    dataframe: Any, split_column: str | None, timestamp_column: str | None, splits: int | None
) -> DataFrameSource:
    """The source for a DataFrame and what ``from_dataframe`` was told of it.

    Raises:
        ConfigurationError: there is no such column, or ``splits`` is given without ``split_column`` or not positive.
        ConfigurationTypeError: a column has a type that does not serve.
    """
    if split_column is not None:
        kind = _column_type(dataframe, split_column, "split_column")
        if splits is None and kind.startswith(("array", "map", "struct", "float", "double", "variant")):
            msg = f"split_column {split_column!r} of from_dataframe must hold a name or number of a split; it is {kind}"
            raise ConfigurationTypeError(msg)
    if timestamp_column is not None:
        kind = _column_type(dataframe, timestamp_column, "timestamp_column")
        if kind not in ("timestamp", "timestamp_ntz", "bigint", "int"):
            msg = (
                f"timestamp_column {timestamp_column!r} of from_dataframe must be a timestamp, or milliseconds as a "
                f"bigint; it is {kind}"
            )
            raise ConfigurationTypeError(msg)
    if splits is None:
        return DataFrameSource(dataframe, timestamp_column=timestamp_column, found_splits=split_column)
    if isinstance(splits, bool) or not isinstance(splits, int):
        msg = f"splits of from_dataframe must be an int; got {splits!r} ({type(splits).__name__})"
        raise ConfigurationTypeError(msg)
    if splits < 1 or split_column is None:
        msg = f"splits of from_dataframe is how many splits split_column tells apart, at least 1; got {splits}"
        raise ConfigurationError(msg)
    return DataFrameSource(dataframe, split_column, splits, timestamp_column)


def _column_type(dataframe: Any, column: str, parameter: str) -> str:
    types = dict(dataframe.dtypes)
    if column not in types:
        msg = f"{parameter} of from_dataframe: the DataFrame has no column {column!r}; it has {', '.join(types)}"
        raise ConfigurationError(msg)
    kind: str = types[column]
    return kind
