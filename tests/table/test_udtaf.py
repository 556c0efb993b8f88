"""Functions that give several rows for each group."""

import pytest

from tests.datastream.streams.restarts import collect_with_restarts
from windrow.common import Row
from windrow.datastream import StreamExecutionEnvironment
from windrow.errors import ConfigurationError, ConfigurationTypeError, UsageError
from windrow.table import DataTypes, EnvironmentSettings, StreamTableEnvironment, TableAggregateFunction
from windrow.table.expressions import col
from windrow.table.udf import udf, udtaf

PLACED = DataTypes.ROW([DataTypes.FIELD("number", DataTypes.BIGINT()), DataTypes.FIELD("place", DataTypes.INT())])


class Top2(TableAggregateFunction):
    """The two greatest numbers, each with its place."""

    def create_accumulator(self):
        return []

    def accumulate(self, accumulator, number):
        accumulator.append(number)

    def retract(self, accumulator, number):
        accumulator.remove(number)

    def emit_value(self, accumulator):
        for place, number in enumerate(sorted(accumulator, reverse=True)[:2], 1):
            yield Row(number, place)

    def get_result_type(self):
        return PLACED


class Longest(TableAggregateFunction):
    """The longest words, of whole rows."""

    def create_accumulator(self):
        return []

    def accumulate(self, accumulator, row):
        accumulator.append(row.k * row.n)

    def emit_value(self, accumulator):
        yield max(accumulator, key=len)


def table_of(env, settings=None):
    tables = StreamTableEnvironment.create(env, settings)
    return tables.from_elements([("a", 1), ("b", 5), ("a", 3), ("a", 2)], ["k", "n"])


def changes(table):
    return [(str(row.get_row_kind()), *row) for row in table.execute().collect()]


@pytest.fixture
def table():
    return table_of(StreamExecutionEnvironment.create_local_environment(parallelism=1))


def test_rows_of_groups_take_the_place_of_those_before(table):
    """As Flink has it: those are deleted, the new ones inserted."""
    top = table.group_by(col("k")).flat_aggregate(udtaf(Top2())(col("n"))).select(col("k"), col("number"), col("place"))
    assert changes(top) == [
        ("+I", "a", 1, 1),
        ("+I", "b", 5, 1),
        ("-D", "a", 1, 1),
        ("+I", "a", 3, 1),
        ("+I", "a", 1, 2),
        ("-D", "a", 3, 1),
        ("-D", "a", 1, 2),
        ("+I", "a", 3, 1),
        ("+I", "a", 2, 2),
    ]


def test_it_is_the_same_on_both_runtimes(env):
    """With parallelism 2; columns have the names behind alias."""
    top = table_of(env).group_by(col("k")).flat_aggregate(udtaf(Top2())(col("n")).alias("a", "b"))
    left = top.select(col("a"), col("b"), col("k")).to_pandas()
    assert sorted(zip(left["k"], left["a"], left["b"], strict=True)) == [("a", 2, 2), ("a", 3, 1), ("b", 5, 1)]


def test_it_is_the_same_where_all_operators_are_made_anew(table):
    """Behind each row: accumulators, and the rows that were given, are state."""
    top = table.group_by(col("k")).flat_aggregate(udtaf(Top2())(col("n"))).select(col("k"), col("number"), col("place"))
    rows = collect_with_restarts(table._environment.to_changelog_stream(top))
    assert [(str(row.get_row_kind()), *row) for row in rows] == changes(top)


def test_tables_that_end_give_their_rows_once():
    """In batch mode."""
    env = StreamExecutionEnvironment.create_local_environment(parallelism=1)
    top = table_of(env, EnvironmentSettings.in_batch_mode()).flat_aggregate(udtaf(Top2())(col("n")))
    assert changes(top.select(col("number"))) == [("+I", 5), ("+I", 3)]


def test_rows_are_taken_back(table):
    """By retract, which is needed where an input changes."""
    counts = table.group_by(col("k")).select(col("k"), col("n").count.alias("c"))
    top = counts.flat_aggregate(udtaf(Top2())(col("c"))).select(col("number")).to_pandas()
    assert sorted(top["number"]) == [1, 3]
    words = udtaf(Longest(), result_type="STRING", name="longest")
    with pytest.raises(ConfigurationError, match="function longest has no retract"):
        counts.flat_aggregate(words(col("c"))).select(col("f0")).to_pandas()


def test_a_function_may_take_whole_rows(table):
    """Where it is not called with columns; one column is called f0."""
    words = udtaf(Longest(), result_type="STRING")
    assert list(table.flat_aggregate(words).select(col("f0")).to_pandas()["f0"]) == ["bbbbb"]


def test_what_is_no_such_function_is_refused(table):
    """With what is expected."""
    with pytest.raises(ConfigurationTypeError, match="flat_aggregate takes what udtaf gives"):
        table.flat_aggregate(udf(lambda n: n, result_type="INT")(col("n")))
    with pytest.raises(UsageError, match="udtaf takes a TableAggregateFunction"):
        udtaf(len)
