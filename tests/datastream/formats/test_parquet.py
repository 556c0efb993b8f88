"""Parquet files of a job."""

from decimal import Decimal

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from windrow.common import Configuration, Row, Types, WatermarkStrategy
from windrow.connectors.discarding import DiscardingSink
from windrow.datastream.connectors.file_system import BucketAssigner, FileSink, FileSource
from windrow.datastream.formats.parquet import ParquetBulkWriters, ParquetColumnarRowInputFormat
from windrow.errors import ConfigurationError, ConfigurationTypeError
from windrow.table import DataTypes

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


def test_settings_of_hadoop_are_honoured_or_refused(env, tmp_path):
    """Three settings are the writer's; any other would do nothing, and is refused by name."""
    number = DataTypes.FIELD("n", DataTypes.DECIMAL(4, 1))
    row_type = DataTypes.ROW([DataTypes.FIELD("word", DataTypes.STRING()), number])
    config = Configuration().set_string("parquet.compression", "ZSTD").set_string("parquet.enable.dictionary", "false")
    factory = ParquetBulkWriters.for_row_type(row_type, hadoop_config=config, utc_timestamp=True)
    sink = FileSink.for_bulk_format(tmp_path, factory).with_bucket_assigner(BucketAssigner.base_path_bucket_assigner())
    env.set_parallelism(1).from_collection([("a", Decimal("1.25"))]).sink_to(sink.build())
    env.execute()
    column = pq.ParquetFile(next(tmp_path.glob("part-*"))).metadata.row_group(0).column(1)
    assert (column.compression, column.has_dictionary_page) == ("ZSTD", False)
    assert pq.read_table(tmp_path).to_pylist() == [{"word": "a", "n": Decimal("1.3")}]
    with pytest.raises(ConfigurationError, match=r"has 'fs\.s3a\.key', which does nothing here: honoured are p"):
        ParquetBulkWriters.for_row_type(row_type, Configuration().set_string("fs.s3a.key", "x"))
    with pytest.raises(ConfigurationError, match=r"'parquet\.enable\.dictionary' of .* is true or false; got 'yes'"):
        ParquetBulkWriters.for_row_type(row_type, Configuration().set_string("parquet.enable.dictionary", "yes"))
    with pytest.raises(ConfigurationTypeError, match="takes a Configuration; got 'zstd'"):
        ParquetBulkWriters.for_row_type(row_type, "zstd")
    with pytest.raises(ConfigurationError, match="honoured are none"):
        ParquetColumnarRowInputFormat(row_type, config)
