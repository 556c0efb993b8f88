"""Looking at a stream runs what leads to it, and leaves nothing behind."""

import sys
import threading
import time
import types

import pytest

from windrow.common import Configuration, Row, Types, WatermarkStrategy
from windrow.datastream import StreamExecutionEnvironment
from windrow.datastream.connectors.datagen import DataGeneratorSource
from windrow.errors import ConfigurationError, ConfigurationTypeError, UsageError, UserFunctionError


@pytest.fixture
def local():
    return StreamExecutionEnvironment.create_local_environment(parallelism=1)


def numbers(environment):
    """A stream without end."""
    source = DataGeneratorSource(lambda number: number)
    return environment.from_source(source, WatermarkStrategy.no_watermarks(), "numbers")


def running_jobs():
    jobs = (each for each in threading.enumerate() if each.name == "windrow-Flink Streaming Job")
    return [each for each in jobs if each.is_alive()]


def test_take(local):
    """The first elements, or all if there are fewer."""
    stream = local.from_collection(range(5))
    assert stream.take(3) == [0, 1, 2]
    assert stream.take(9) == [0, 1, 2, 3, 4]


@pytest.mark.parametrize(("count", "last"), [(2, "the first 2 elements"), (3, "3 elements"), (9, "3 elements")])
def test_show_says_whether_that_is_all(local, capsys, count, last):
    """The last line tells whether there is more."""
    local.from_collection([("a", 1), ("b", 2), ("c", 3)]).show(count)
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "f0  f1"
    assert lines[-1] == last
    assert len(lines) == 2 + min(count, 3)


def test_tables(local):
    """Columns have the names of fields, and the declared types."""
    row_type = Types.ROW_NAMED(["name", "count"], [Types.STRING(), Types.INT()])
    stream = local.from_collection([Row(name="a", count=1), Row(name="b", count=2)], row_type)
    assert stream.to_arrow().schema.types == ["string", "int32"]
    assert stream.to_arrow(limit=1).to_pylist() == [{"name": "a", "count": 1}]
    assert stream.to_pandas().to_dict("list") == {"name": ["a", "b"], "count": [1, 2]}
    assert stream.filter(lambda row: False).to_arrow().column_names == ["name", "count"]


def test_polars(local, monkeypatch):
    """Polars is given the Arrow table; without Polars the error says what else there is."""
    stream = local.from_collection([(1, 2)])
    monkeypatch.setitem(sys.modules, "polars", None)
    with pytest.raises(UsageError, match="to_arrow"):
        stream.to_polars()
    monkeypatch.setitem(sys.modules, "polars", types.SimpleNamespace(from_arrow=lambda table: table.to_pydict()))
    assert stream.to_polars() == {"f0": [1], "f1": [2]}


def test_a_keyed_stream_shows_its_elements(local):
    """As everywhere, the elements of a keyed stream are its values."""
    assert local.from_collection([("a", 1)]).key_by(lambda pair: pair[0]).take(1) == [("a", 1)]


def test_the_programs_sinks_are_not_executed(local):
    """Looking at a stream runs nothing else of the program, and leaves it what it was."""
    stream = local.from_collection([1, 2])
    seen = []
    stream.add_sink(seen.append)
    plan = local.get_execution_plan()
    assert stream.take(5) == [1, 2]
    assert (seen, local.get_execution_plan()) == ([], plan)
    local.execute()
    assert seen == [1, 2]


def test_the_programs_checkpoint_is_not_touched(tmp_path):
    """A job that looks at a stream begins anew and keeps nothing, though the program's own does."""
    settings = {"windrow.runtime": "local", "execution.checkpointing.dir": str(tmp_path / "checkpoint")}
    environment = StreamExecutionEnvironment.get_execution_environment(Configuration.from_dict(settings))
    assert environment.from_collection([1]).take(1) == [1]
    assert list(tmp_path.iterdir()) == []


def test_a_stream_without_end_is_read_until_there_are_so_many(local, capsys):
    """It says until when it reads; the job is over then."""
    assert numbers(local).take(3) == [0, 1, 2]
    assert capsys.readouterr().err == (
        "'Source: numbers' has no end: it is read until there are 3 elements, or for 10 s\n"
    )
    assert running_jobs() == []


def test_a_stream_without_end_is_read_for_so_long(local, capsys):
    """Behind the last second the elements that came are what there is."""
    stream = numbers(local).map(lambda number: time.sleep(0.001) or number)
    table = stream.to_arrow(seconds=0.4)
    assert table.num_rows < 10_000
    assert "10,000 elements, or for 0.4 s" in capsys.readouterr().err
    stream.show(100_000, seconds=0.2)
    assert capsys.readouterr().out.splitlines()[-1].startswith("the first ")
    assert running_jobs() == []


@pytest.mark.parametrize("wrong", [0, -1])
def test_wrong_arguments(local, wrong):
    """Wrong use fails at the call."""
    stream = local.from_collection([1])
    for call in (stream.take, stream.show, stream.to_arrow):
        with pytest.raises(ConfigurationError):
            call(wrong)
    with pytest.raises(ConfigurationError, match="seconds must be a number above 0"):
        stream.take(1, seconds=wrong)
    with pytest.raises(ConfigurationTypeError):
        stream.take("1")


def test_a_function_that_fails(local):
    """Its error is raised, as by execute."""
    with pytest.raises(UserFunctionError, match="ZeroDivisionError"):
        local.from_collection([0]).map(lambda number: 1 / number).take(1)


@pytest.mark.spark
def test_on_spark(spark_session):
    """On Spark a stream without end is read by a query, which is stopped then."""
    environment = StreamExecutionEnvironment.get_execution_environment(spark_session).set_parallelism(1)
    assert len(numbers(environment).take(2, seconds=60)) == 2
    assert spark_session.streams.active == []
