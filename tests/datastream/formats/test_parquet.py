"""Parquet files of a job."""

import pyarrow.parquet as pq
import pytest

from windrow.common import Types
from windrow.datastream.connectors.file_system import BucketAssigner, FileSink
from windrow.datastream.formats.parquet import ParquetBulkWriters
from windrow.errors import ConfigurationError, ConfigurationTypeError

ROW = Types.ROW_NAMED(["word", "n"], [Types.STRING(), Types.INT()])


def test_a_job_writes_parquet(env, tmp_path):
    """Arrow reads the folder as one table."""
    sink = FileSink.for_bulk_format(tmp_path, ParquetBulkWriters.for_row_type(ROW))
    rows = [("a", 1), ("b", 2), ("c", 3)]
    env.from_collection(rows).sink_to(sink.with_bucket_assigner(BucketAssigner.base_path_bucket_assigner()).build())
    env.execute()
    assert pq.read_table(tmp_path).sort_by("n").to_pylist() == [{"word": word, "n": n} for word, n in rows]


def test_wrong_arguments_are_refused():
    """The error names the call."""
    with pytest.raises(ConfigurationTypeError, match=r"ParquetBulkWriters\.for_row_type takes a row type"):
        ParquetBulkWriters.for_row_type(["word"])
    with pytest.raises(ConfigurationError, match=r"compression of .* is one of snappy, zstd"):
        ParquetBulkWriters.for_row_type(ROW, compression="zip")
