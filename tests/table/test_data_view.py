"""Lists and maps in accumulators."""

from windrow.datastream import StreamExecutionEnvironment
from windrow.table import AggregateFunction, DataTypes, ListView, MapView, StreamTableEnvironment
from windrow.table.udf import udaf


class Words(AggregateFunction):
    """All words in their order, and how many there are of the first one, as PyFlink's programs keep them."""

    def create_accumulator(self):
        return [ListView(), MapView()]

    def accumulate(self, accumulator, word):
        accumulator[0].add(word)
        accumulator[1][word] = (accumulator[1].get(word) or 0) + 1

    def retract(self, accumulator, word):
        kept = [each for each in accumulator[0] if each != word]
        accumulator[0].clear()
        accumulator[0].add_all(kept)
        del accumulator[1][word]

    def get_value(self, accumulator):
        first = next(iter(accumulator[0]), None)
        return f"{' '.join(accumulator[0])}: {accumulator[1][first]}"

    def get_accumulator_type(self):
        view = DataTypes.LIST_VIEW(DataTypes.STRING()), DataTypes.MAP_VIEW(DataTypes.STRING(), DataTypes.INT())
        return DataTypes.ROW([DataTypes.FIELD(f"f{place}", kind) for place, kind in enumerate(view)])

    def get_result_type(self):
        return DataTypes.STRING()


def test_views_are_in_accumulators():
    """They change with them, and are asked for in results."""
    tables = StreamTableEnvironment.create(StreamExecutionEnvironment.create_local_environment(parallelism=1))
    tables.create_temporary_function("words", udaf(Words(), accumulator_type=Words().get_accumulator_type()))
    query = "SELECT words(w) FROM (VALUES ('a'), ('b'), ('a')) AS t(w)"
    assert [row[0] for row in tables.execute_sql(query).collect()][-1] == "a b a: 2"


def test_a_list_is_equal_to_one_with_the_same_values():
    """And to nothing else."""
    one, other = ListView(), ListView()
    one.add(1)
    assert one != other
    other.add_all([1])
    assert one == other
    assert one != [1]


def test_a_map_has_what_was_put_into_it():
    """What is gone, or was never there, is None."""
    one, other = MapView(), MapView()
    one.put_all({"a": 1, "b": 2})
    one.remove("b")
    one.remove("c")
    other["a"] = 1
    assert one == other
    assert one != {"a": 1}
    assert (list(one), list(one.keys()), list(one.values())) == (["a"], ["a"], [1])
    assert one.contains("a")
    assert "b" not in one
    assert one["b"] is None
    one.clear()
    assert one.is_empty()
