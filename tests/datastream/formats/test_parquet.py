"""Parquet files of a job."""

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from windrow.common import Row, Types, WatermarkStrategy
from windrow.connectors.discarding import DiscardingSink
from windrow.datastream.connectors.file_system import BucketAssigner, FileSink, FileSource
from windrow.datastream.formats.parquet import ParquetBulkWriters, ParquetColumnarRowInputFormat
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


def parquet_rows(env, tmp_path):
    table = pa.table({"word": list("abcdefgh"), "n": list(range(8))})
    pq.write_table(table, tmp_path / "in.parquet", row_group_size=2)
    source = FileSource.for_bulk_file_format(ParquetColumnarRowInputFormat(ROW), str(tmp_path)).build()
    return env.from_source(source, WatermarkStrategy.no_watermarks(), "words")


def test_a_job_reads_parquet(env, tmp_path):
    """Rows come as columns, and are rows to whoever looks: a function, an exchange, a key, the program."""
    rows = parquet_rows(env, tmp_path)
    mapped = rows.map(lambda row: (row.word, row.n))
    moved = rows.rebalance().filter(lambda row: row.n % 2).map(lambda row: (row.word, row.n))
    keyed = rows.key_by(lambda row: row.n % 2).reduce(lambda a, b: b).map(lambda row: (row.word, row.n))
    results = mapped.union(moved, keyed).execute_and_collect()
    expected = [(word, n) for n, word in enumerate("abcdefgh")]
    assert sorted(results) == sorted(expected + expected[1::2] + expected)


def test_rows_that_no_function_saw_reach_sinks(env, tmp_path):
    """The program gets them, and one that drops them does not mind."""
    rows = parquet_rows(env, tmp_path)
    rows.sink_to(DiscardingSink())
    assert sorted(rows.execute_and_collect(), key=lambda row: row.n) == [
        Row(word=word, n=n) for n, word in enumerate("abcdefgh")
    ]
