"""Files read by Spark's readers."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from windrow.common import Configuration, WatermarkStrategy
from windrow.connectors.spark_files import SparkFileSource
from windrow.datastream import OutputTag, StreamExecutionEnvironment
from windrow.errors import (
    ConfigurationError,
    ConfigurationTypeError,
    JobExecutionError,
    MalformedInputError,
    UsageError,
)

SCHEMA = "word string, n int"
BAD = OutputTag("bad lines")
#: By format: good and bad lines of a file, and how it is read.
CSV = (["a,1", "b,two", '"c \\"d\\"",3', "e", "f,4,5"], ["b,two", "e", "f,4,5"], SparkFileSource.csv)
JSON = (
    ['{"word":"a","n":1}', '{"word":"b"', '{"word":"c \\"d\\"","n":3}', '{"word":"e","n":"two"}'],
    ['{"word":"b"', '{"word":"e","n":"two"}'],
    SparkFileSource.json,
)
Make = Callable[..., SparkFileSource]


@pytest.fixture
def on_spark(spark_session) -> Callable[..., StreamExecutionEnvironment]:
    """Makes an environment on the tests' session, with settings."""

    def make(settings: dict[str, str] | None = None) -> StreamExecutionEnvironment:
        configuration = Configuration.from_dict({"windrow.runtime": "spark", **(settings or {})})
        return StreamExecutionEnvironment.get_execution_environment(configuration, spark_session).set_parallelism(2)

    return make


def collected(env: StreamExecutionEnvironment, source: SparkFileSource, tag: OutputTag | None = None) -> list[Any]:
    rows = env.from_source(source, WatermarkStrategy.no_watermarks(), "words")
    both = rows.map(tuple) if tag is None else rows.map(tuple).union(rows.get_side_output(tag))
    with both.execute_and_collect() as elements:
        return list(elements)


@pytest.mark.spark
@pytest.mark.parametrize(("lines", "bad", "read"), [CSV, JSON], ids=["csv", "json"])
def test_malformed_lines_go_to_the_dead_letter_output(on_spark, tmp_path, lines, bad, read: Make):
    """Every line is either a row or, with its file's name, in the side output: none is lost, none comes twice."""
    for name in ("1", "2"):
        (tmp_path / name).write_text("\n".join(lines))
    elements = collected(on_spark(), read(tmp_path, SCHEMA, dead_letter=BAD), BAD)
    dead = [(f"file:{tmp_path}/{name}", line) for name in ("1", "2") for line in bad]
    assert sorted(elements) == sorted([("a", 1), ('c "d"', 3)] * 2 + dead)


@pytest.mark.spark
@pytest.mark.parametrize(("lines", "bad", "read"), [CSV, JSON], ids=["csv", "json"])
def test_a_malformed_line_ends_the_job(on_spark, tmp_path, lines, bad, read: Make):
    """Without a dead-letter output; the error names the source, the file and the line's text."""
    (tmp_path / "words").write_text("\n".join(lines))
    with pytest.raises(MalformedInputError, match="'words' cannot parse a line") as raised:
        collected(on_spark(), read(tmp_path, SCHEMA))
    assert raised.value.file == f"file:{tmp_path}/words"
    assert raised.value.line == repr(bad[0])


@pytest.mark.spark
def test_many_rows_come_in_order(on_spark, tmp_path):
    """One file is one channel, and its rows keep their order."""
    (tmp_path / "a.csv").write_text("word,n\n" + "".join(f"w{number % 7},{number}\n" for number in range(100_000)))
    rows = on_spark().from_source(
        SparkFileSource.csv(tmp_path / "a.csv", SCHEMA, header=True), WatermarkStrategy.no_watermarks(), "words"
    )
    with rows.map(lambda row: row.n).execute_and_collect() as numbers:
        assert list(numbers) == list(range(100_000))


@pytest.mark.spark
def test_a_streaming_query_reads_all_files_and_ends(on_spark, tmp_path):
    """With a checkpoint too the source is bounded; a batch reads as many files as the option says."""
    folder = tmp_path / "in"
    folder.mkdir()
    for name in range(2):
        (folder / f"{name}.json").write_text(json.dumps({"word": "w", "n": name}) + "\nbroken\n")
    env = on_spark({"execution.checkpointing.dir": str(tmp_path / "checkpoint"), "execution.runtime-mode": "STREAMING"})
    source = SparkFileSource.json(folder, SCHEMA, dead_letter=BAD, maxFilesPerTrigger=1)
    elements = collected(env, source, BAD)
    assert sorted(elements) == sorted(
        [("w", name) for name in range(2)] + [(f"file:{folder}/{name}.json", "broken") for name in range(2)]
    )


@pytest.mark.spark
def test_beside_a_source_without_end_the_files_would_have_none(on_spark, spark_session, tmp_path):
    """Refused, with what to do instead."""
    (tmp_path / "a.csv").write_text("a,1\n")
    env = on_spark()
    endless = env.from_dataframe(spark_session.readStream.format("rate").load())
    files = env.from_source(SparkFileSource.csv(tmp_path, SCHEMA), WatermarkStrategy.no_watermarks(), "words")
    files.union(endless).print()
    with pytest.raises(ConfigurationError, match=r"'Source: words' ends, and another source .* does not"):
        env.execute()


@pytest.mark.spark
def test_text_parquet_and_paths_that_lead_nowhere(on_spark, spark_session, tmp_path):
    """Lines are rows with one string; a Parquet schema may leave columns out; a missing path is named."""
    spark_session.createDataFrame([("a", 1)], SCHEMA).write.parquet(str(tmp_path / "p"))
    assert collected(on_spark(), SparkFileSource.parquet(tmp_path / "p", "n int")) == [(1,)]
    (tmp_path / "t").write_text("a,1\nb\n")
    assert collected(on_spark(), SparkFileSource.text(tmp_path / "t")) == [("a,1",), ("b",)]
    with pytest.raises(JobExecutionError, match="nowhere"):
        collected(on_spark(), SparkFileSource.text(Path("/nowhere")))


def test_wrong_arguments_are_refused():
    """At the user's call."""
    with pytest.raises(ConfigurationTypeError, match=r"path of SparkFileSource\.csv takes a path"):
        SparkFileSource.csv(["a", "b"], SCHEMA)
    with pytest.raises(ConfigurationTypeError, match=r"schema of SparkFileSource\.json takes DDL text"):
        SparkFileSource.json("in", None)
    with pytest.raises(ConfigurationTypeError, match=r"dead_letter of .* takes an OutputTag"):
        SparkFileSource.csv("in", SCHEMA, dead_letter="bad lines")
    with pytest.raises(ConfigurationError, match="sets the option 'MODE' itself"):
        SparkFileSource.csv("in", SCHEMA, MODE="DROPMALFORMED")


def test_the_local_runtime_says_that_spark_is_needed():
    """There is no reader without Spark."""
    local = Configuration().set_string("windrow.runtime", "local")
    env = StreamExecutionEnvironment.get_execution_environment(local)
    env.from_source(SparkFileSource.text("in"), WatermarkStrategy.no_watermarks(), "words").print()
    with pytest.raises(UsageError, match=r"'Source: words'.* needs Spark"):
        env.execute()


@pytest.mark.parametrize(
    ("given", "path"),
    [
        ("file://localhost/a%20b/*.csv", "file:/a b/*.csv"),
        ("file:///a", "file:/a"),
        ("/a%20b", "/a%20b"),
        ("a", "a"),
        ("s3a://bucket/a%20b", "s3a://bucket/a%20b"),
    ],
)
def test_a_file_uri_is_read_as_everywhere(given, path):
    """Spark takes neither its escapes nor its host; all other paths are Spark's own affair."""
    assert repr(SparkFileSource.text(given)) == f"SparkFileSource.text({path!r}, 'value string')"
