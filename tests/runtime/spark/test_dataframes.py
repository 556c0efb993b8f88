"""Spark DataFrames into streams, and streams into DataFrames."""

import json
import os
from collections import Counter

import pytest

from windrow.common import Row, Types, WatermarkStrategy
from windrow.common.watermark_strategy import Watermark, WatermarkGenerator
from windrow.datastream.window import TumblingEventTimeWindows
from windrow.errors import (
    ConfigurationError,
    ConfigurationTypeError,
    JobExecutionError,
    TypeConversionError,
    UserFunctionError,
)
from windrow.runtime.spark.failures import error_of

SCHEMA = "word string, n int"
WORDS = [("a", 1), ("b", 2), ("a", 3), ("c", 4)]


@pytest.fixture
def words(spark_session):
    """A batch DataFrame of the words."""
    return spark_session.createDataFrame(WORDS, SCHEMA).coalesce(1)


@pytest.fixture
def arriving(spark_session, tmp_path):
    """A streaming DataFrame of the words, a file of two in each batch."""
    folder = tmp_path / "in"
    folder.mkdir()
    for part in (0, 2):
        lines = [json.dumps({"word": word, "n": n}) for word, n in WORDS[part : part + 2]]
        (folder / f"{part}.json").write_text("\n".join(lines))
        os.utime(folder / f"{part}.json", (part, part))  # Spark reads the oldest first
    return spark_session.readStream.schema(SCHEMA).option("maxFilesPerTrigger", 1).json(str(folder))


@pytest.fixture
def calls(tmp_path):
    """Something to call in a worker, which counts what it was called with."""

    class Calls:
        def __init__(self, path):
            self.path = path

        def __call__(self, what):
            with open(self.path, "a", encoding="utf-8") as file:
                file.write(f"{what}\n")

        def counted(self):
            with open(self.path, encoding="utf-8") as file:
                return Counter(file.read().split())

    return Calls(str(tmp_path / "calls"))


def everything(frame, tmp_path, name):
    """All rows of a streaming DataFrame that is there now, by a plain writeStream."""
    writer = frame.writeStream.format("memory").queryName(name).trigger(availableNow=True)
    query = writer.option("checkpointLocation", str(tmp_path / "checkpoint")).start()
    assert query.awaitTermination(120)
    return [tuple(row) for row in frame.sparkSession.table(name).collect()]


def two_outputs(env, frame, calls):
    """Every word, and of each word the sum so far: two outputs behind one function."""

    def seen(row):
        calls(f"map-{row.word}{row.n}")
        return row.word, row.n

    def key(pair):
        calls(f"key-{pair[0]}{pair[1]}")
        return pair[0]

    def add(one, two):
        calls(f"add-{one[1]}+{two[1]}")
        return one[0], one[1] + two[1]

    words = env.from_dataframe(frame).map(seen, Types.TUPLE([Types.STRING(), Types.INT()]))
    sums = words.key_by(key).reduce(add)
    return env.to_dataframe({"words": words, "sums": (sums, "word string, total long")})


CALLED_ONCE = Counter([f"{what}-{word}{n}" for what in ("map", "key") for word, n in WORDS] + ["add-1+3"])
OUTPUTS = sorted(
    [("words", pair, None) for pair in WORDS]
    + [("sums", None, pair) for pair in [("a", 1), ("b", 2), ("a", 4), ("c", 4)]],
    key=repr,
)


@pytest.mark.spark
def test_rows_of_a_dataframe_are_elements(on_spark, words):
    """Each is a Row with the columns' names, in order."""
    with on_spark().from_dataframe(words).execute_and_collect() as rows:
        assert list(rows) == [Row(word=word, n=n) for word, n in WORDS]


@pytest.mark.spark
def test_a_batch_stream_is_a_dataframe(on_spark, words):
    """It has the schema's columns, and Spark does with it what it does with any."""
    stream = on_spark().from_dataframe(words).map(lambda row: (row.word, row.n * 10))
    frame = stream.key_by(lambda pair: pair[0]).sum(1).to_dataframe("word string, total long")
    assert frame.columns == ["word", "total"]
    assert not frame.isStreaming
    totals = frame.groupBy("word").max("total").orderBy("word").collect()
    assert [tuple(row) for row in totals] == [("a", 40), ("b", 20), ("c", 40)]


@pytest.mark.spark
def test_elements_of_any_form_become_columns(on_spark):
    """A dict by its names, what is missing null; a Row, list or tuple in order; a single value for a single column."""
    from pyspark.sql.types import LongType, StructField, StructType

    elements = [{"n": 1, "word": "a", "more": 0}, {"n": 2}, Row(word="b", n=3), ["c", 4], ("d", None)]
    frame = on_spark().from_collection(elements).to_dataframe(SCHEMA)
    assert [tuple(row) for row in frame.collect()] == [("a", 1), (None, 2), ("b", 3), ("c", 4), ("d", None)]
    numbers = on_spark().from_collection([1, None, 2**62])
    frame = numbers.to_dataframe(StructType([StructField("n", LongType())]))
    assert [row.n for row in frame.collect()] == [1, None, 2**62]


@pytest.mark.spark
def test_several_outputs_are_computed_in_one_pass(on_spark, words, calls):
    """A row says which output it is of and has its columns in that output's; each function runs once per element."""
    frame = two_outputs(on_spark(), words, calls)
    assert frame.columns == ["output", "words", "sums"]
    assert sorted(map(tuple, frame.collect()), key=repr) == OUTPUTS
    assert calls.counted() == CALLED_ONCE


@pytest.mark.spark
def test_several_outputs_of_a_streaming_query_run_every_function_once(on_spark, arriving, calls, tmp_path):
    """The user's own writeStream drives the query, over several batches with state in between."""
    frame = two_outputs(on_spark(), arriving, calls)
    assert frame.isStreaming
    assert sorted(everything(frame, tmp_path, "outputs"), key=repr) == OUTPUTS
    assert calls.counted() == CALLED_ONCE


@pytest.mark.spark
@pytest.mark.parametrize(
    ("elements", "schema", "said"),
    [
        ([("a", 1), ("b", "two")], SCHEMA, r"to_dataframe: column 'n' is int32, and \[1, 'two'\] does not fit"),
        ([("a", 2**40)], SCHEMA, "column 'n' is int32"),
        ([("a", 1, 2)], SCHEMA, r"element \('a', 1, 2\) has 3 fields, and the schema 2 \(\['word', 'n'\]\)"),
        (["a"], SCHEMA, "element 'a' has 1 fields, and the schema 2"),
    ],
    ids=["type", "range", "too many", "too few"],
)
def test_an_element_that_does_not_fit_the_schema_is_an_error(on_spark, elements, schema, said):
    """It names the column or the element, what came and what was expected."""
    from pyspark.errors import PySparkException

    frame = on_spark().from_collection(elements).to_dataframe(schema)
    with pytest.raises(PySparkException) as raised:
        frame.collect()
    with pytest.raises(TypeConversionError, match=said):
        raise error_of(raised.value)


@pytest.mark.spark
def test_a_failing_function_behind_a_dataframe_names_its_operator(on_spark, words):
    """Spark raises the user's error where the user collects."""
    from pyspark.errors import PySparkException

    frame = on_spark().from_dataframe(words).map(lambda row: 1 / (row.n - 3)).name("inverse").to_dataframe("x double")
    with pytest.raises(PySparkException, match="in operator 'inverse' on element Row") as raised:
        frame.collect()
    assert isinstance(error_of(raised.value), UserFunctionError)


@pytest.mark.spark
def test_a_schema_is_a_text_or_a_struct_type(on_spark):
    """Anything else is refused at the call."""
    with pytest.raises(ConfigurationTypeError, match=r"schema of to_dataframe must be .* got \['word'\] \(list\)"):
        on_spark().from_collection(["a"]).to_dataframe(["word"])


class OnEach(WatermarkGenerator):
    """Behind each element its watermark."""

    def on_event(self, event, event_timestamp, output):
        output.emit_watermark(Watermark(event_timestamp))

    def on_periodic_emit(self, output):
        """There is one behind each element."""


@pytest.mark.spark
def test_a_dataframe_has_a_watermark_for_each_split(on_spark, spark_session):
    """Elements are late only against their own split's watermark; without a split there is one for all."""
    rows = [(0, 100), (0, 200), (1, 1), (1, 2)]
    frame = spark_session.createDataFrame(rows, "split int, time long").coalesce(1)
    times = WatermarkStrategy.for_generator(OnEach).with_timestamp_assigner(lambda row, _: row.time)

    def sums(**splits):
        stream = on_spark().from_dataframe(frame, **splits).assign_timestamps_and_watermarks(times)
        windows = stream.map(lambda row: row.time).key_by(lambda time: 0).window(TumblingEventTimeWindows.of(10))
        with windows.reduce(lambda a, b: a + b).execute_and_collect() as results:
            return sorted(results)

    assert sums(split_column="split", splits=2) == [3, 100, 200]
    assert sums() == [100, 200]


@pytest.mark.spark
@pytest.mark.parametrize("wrong", [2, -1, None])
def test_a_split_that_does_not_exist_is_an_error(on_spark, spark_session, wrong):
    """It says which column, which values it may have, and what to pass."""
    frame = spark_session.createDataFrame([(wrong,)], "part int")
    env = on_spark()
    env.from_dataframe(frame, split_column="part", splits=2).print()
    with pytest.raises(JobExecutionError, match=rf"column 'part' must hold the split, .* from 0 to 1; got {wrong}"):
        env.execute()


@pytest.mark.spark
def test_a_split_column_must_be_there(on_spark, words):
    """Refused at the call, with the columns that are there."""
    with pytest.raises(ConfigurationError, match=r"no column 'part'; it has word, n"):
        on_spark().from_dataframe(words, split_column="part", splits=2)


@pytest.mark.spark
def test_a_batch_dataframe_cannot_be_read_by_a_streaming_query(on_spark, words, tmp_path):
    """With a checkpoint the job is one; the error says what to pass instead."""
    env = on_spark({"execution.checkpointing.dir": str(tmp_path), "execution.runtime-mode": "STREAMING"})
    env.from_dataframe(words).print()
    with pytest.raises(ConfigurationError, match=r"'Source: DataFrame' is a batch DataFrame, .*spark\.readStream"):
        env.execute()
