"""map, flat_map, aggregate and join_lateral with functions of whole rows."""

import pytest

from windrow.common import Row
from windrow.datastream import StreamExecutionEnvironment
from windrow.errors import ConfigurationTypeError
from windrow.table import AggregateFunction, DataTypes, StreamTableEnvironment
from windrow.table.expressions import col
from windrow.table.udf import udaf, udf, udtf

PAIR = DataTypes.ROW([DataTypes.FIELD("id", DataTypes.BIGINT()), DataTypes.FIELD("size", DataTypes.INT())])


@udf(result_type=PAIR)
def sized(row):
    return Row(row.id, len(row.word))


@udf(result_type="BIGINT")
def twice(row):
    return row[0] * 2


@udtf(result_types=["BIGINT", "STRING"])
def letters(row):
    for letter in row.word:
        yield row.id, letter


class CountAndSum(AggregateFunction):
    """How many rows there are, and the sum of their numbers."""

    def create_accumulator(self):
        return [0, 0]

    def accumulate(self, accumulator, row):
        accumulator[0] += 1
        accumulator[1] += row.id

    def get_value(self, accumulator):
        return Row(*accumulator)

    def get_result_type(self):
        fields = [DataTypes.FIELD("count", DataTypes.BIGINT()), DataTypes.FIELD("sum", DataTypes.BIGINT())]
        return DataTypes.ROW(fields)


@pytest.fixture
def words():
    tables = StreamTableEnvironment.create(StreamExecutionEnvironment.create_local_environment(parallelism=1))
    return tables.from_elements([(1, "ab"), (2, "c"), (3, "d")], ["id", "word"])


def rows(table):
    return [tuple(row) for row in table.execute().collect()]


def names(table):
    return table.get_schema().get_field_names()


def test_map_gives_the_fields_of_a_row_as_columns(words):
    """With the names of the row's type, or those behind ``alias``."""
    assert (names(words.map(sized)), rows(words.map(sized))) == (["id", "size"], [(1, 2), (2, 1), (3, 1)])
    assert names(words.map(sized.alias("a", "b"))) == ["a", "b"]


def test_map_gives_a_value_as_a_column(words):
    """A function may be called with columns as well."""
    assert (names(words.map(twice)), rows(words.map(twice))) == (["_c0"], [(2,), (4,), (6,)])
    upper = udf(lambda word: word.upper(), result_type="STRING")
    assert rows(words.map(upper(col("word")).alias("w"))) == [("AB",), ("C",), ("D",)]


def test_rows_of_a_table_function_stand_alone_or_beside_the_row(words):
    """flat_map and join_lateral."""
    assert rows(words.flat_map(letters)) == [(1, "a"), (1, "b"), (2, "c"), (3, "d")]
    beside = words.join_lateral(letters.alias("same", "letter"))
    assert (names(beside), rows(beside)[1]) == (["id", "word", "same", "letter"], (1, "ab", 1, "b"))


def test_aggregate_gives_the_fields_of_its_result_as_columns(words):
    """For all rows, and for each group beside its keys."""
    count_sum = udaf(CountAndSum())
    sums = words.aggregate(count_sum.alias("n", "s")).select(col("s"), (col("n") + 1).alias("more"))
    assert (names(sums), rows(sums)[-1]) == (["s", "more"], (6, 4))
    of_groups = words.group_by(col("word") == "ab").aggregate(count_sum).select(col("sum"))
    assert rows(of_groups)[0] == (1,)
    by_word = words.group_by(col("word")).aggregate(count_sum).select(col("word"), col("*"))
    assert names(by_word) == ["word", "word0", "count", "sum"]


def test_a_function_without_arguments_is_refused_elsewhere(words):
    """Where no whole row is taken; and so is what is no function."""
    with pytest.raises(Exception, match="without arguments stands in map"):
        words.select(twice.alias("a"))
    with pytest.raises(ConfigurationTypeError, match="takes a function"):
        words.flat_map("letters")
