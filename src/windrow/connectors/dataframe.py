"""A Spark DataFrame as a source: every row becomes a Row with the columns' names."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from windrow.connectors.interfaces import Source

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
    """

    dataframe: Any
    split: str | None = None
    splits: int = 1
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
