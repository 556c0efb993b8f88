"""Chunks as rows of a Spark DataFrame, and back."""

import itertools

import pyarrow as pa
import pytest

from windrow.elements.batch import Batch
from windrow.runtime.spark import rows as rows_module
from windrow.runtime.spark.rows import (
    ARROW_SCHEMA,
    END_EDGE,
    ROW_SCHEMA,
    TOTALS_LEVEL,
    SparkRow,
    decode,
    encode,
    from_batches,
    note,
    read_note,
    source_row,
    to_batch,
    to_batches,
)
from windrow.runtime.stage.chunk import Chunk, ChunkRow


def spark_row(sequence, payload=b""):
    return source_row(channel=1, sequence=sequence, now=5, payload=payload, place=3)


def test_a_chunk_comes_back_as_it_went():
    """Elements, timestamps, keys, cuts and control events, and where the chunk goes."""
    chunk = Chunk(Batch(["a", ("b", 1)], [1, 2**63 - 1], ["k", None]), [0, 1, 1], [7, "idle", "end"])
    row = ChunkRow(1, 2, 3, 2**40, 5, 6, 7, 8, chunk)
    sent = encode(row, place=9)
    assert sent.place == 9
    back = decode(sent)
    assert (back.order(), back.now) == (row.order(), row.now)
    assert repr(back.chunk.batch) == repr(chunk.batch)
    assert back.chunk.cuts == [0, 1, 1]
    assert back.chunk.controls == [7, "idle", "end"]


def test_spark_sorts_rows_as_chunks_are_sorted():
    """A row's order is that of its chunk."""
    row = ChunkRow(1, 2, 3, 4, 5, 6, 7, 8, Chunk())
    assert encode(row, 0).order() == row.order() == (1, 2, 3, 4, 5, 6, 7)


@pytest.mark.spark
def test_the_two_schemas_say_the_same(spark_session):
    """Spark's and Arrow's schema have the columns of SparkRow, in its order and with the same types."""
    from pyspark.sql.pandas.types import to_arrow_schema

    of_spark = to_arrow_schema(spark_session.createDataFrame([], ROW_SCHEMA).schema)
    assert tuple(ARROW_SCHEMA.names) == SparkRow._fields
    assert list(zip(of_spark.names, of_spark.types, strict=True)) == list(
        zip(ARROW_SCHEMA.names, ARROW_SCHEMA.types, strict=True)
    )


def test_rows_come_back_from_batches_as_they_went():
    """All of them, in order, large numbers included."""
    sent = [spark_row(2**63 - 1, b"x"), spark_row(-(2**63)), note(TOTALS_LEVEL, {"a": 1})]
    assert list(from_batches(to_batches(sent))) == sent


def test_batches_are_read_by_the_names_of_their_columns():
    """Spark may put columns in another order, or add one."""
    batch = to_batch([spark_row(1, b"x")])
    turned = pa.RecordBatch.from_arrays(
        [pa.array(["?"]), *reversed(batch.columns)], names=["more", *reversed(batch.schema.names)]
    )
    assert list(from_batches([turned])) == [spark_row(1, b"x")]


def test_batches_are_bounded_in_bytes(monkeypatch):
    """A batch is closed by the row that fills it; a row that is larger by itself has a batch of its own."""
    monkeypatch.setattr(rows_module, "_BYTES_PER_BATCH", 100)
    sent = [spark_row(number, b"x" * size) for number, size in enumerate((60, 60, 500, 99, 1, 1))]
    assert [batch.num_rows for batch in to_batches(sent)] == [2, 1, 2, 1]


def test_batches_are_bounded_in_rows_and_made_as_rows_come():
    """Many small rows too; the first batch does not wait for the last row."""
    made = to_batches(map(spark_row, itertools.count()))
    assert next(made).num_rows == next(made).num_rows == 1024


def test_no_rows_make_no_batch():
    """There is nothing to hand on; an empty batch has the schema all the same."""
    assert list(to_batches([])) == []
    assert to_batch([]).schema == ARROW_SCHEMA


def test_notes_carry_anything():
    """What operators counted or sinks have written, beside the elements."""
    sent = note(TOTALS_LEVEL, {"window": {"late": 2}})
    assert sent.level == TOTALS_LEVEL
    assert read_note(sent) == {"window": {"late": 2}}


def test_the_end_of_a_channel_is_a_row_of_its_own():
    """At level 0, told apart by its edge."""
    row = source_row(channel=4, sequence=9, now=1, payload=b"", place=2, edge=END_EDGE)
    assert (row.level, row.subtask, row.sequence, row.place, row.edge) == (0, 4, 9, 2, END_EDGE)
