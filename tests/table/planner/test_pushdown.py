"""What is asked and taken of pairs, before they are pairs: results stay, and less goes through the join."""

import pytest

from windrow.datastream import StreamExecutionEnvironment
from windrow.expressions.logical_types import may_be_null
from windrow.sql.plan import Filter, IntervalJoin, Join, Project
from windrow.table import EnvironmentSettings, StreamTableEnvironment
from windrow.table.planner import lowering, pushdown

LEFT = "(1, 'a', 10, 5), (1, 'b', 20, 6), (2, 'c', 30, 7), (3, 'd', CAST(NULL AS INT), 8)"
RIGHT = "(1, 100, 'x'), (1, 200, 'y'), (2, 300, 'z'), (4, 400, 'w')"

QUERIES = [
    "SELECT name, n FROM a JOIN b ON k = j WHERE v > 10 AND t <> 'y'",
    "SELECT name, n FROM a JOIN b ON k = j AND v > 10 AND n < 300 WHERE v + n > 100",
    "SELECT n FROM a JOIN b ON k = j WHERE v IS NULL OR v > 15",
    "SELECT a.*, b.* FROM a JOIN b ON k = j AND w = 6",
    "SELECT COUNT(*) FROM a JOIN b ON k = j",
    "SELECT 1 FROM a CROSS JOIN b WHERE w > 6",
    "SELECT name, t FROM a LEFT JOIN b ON k = j AND n > 100",
    "SELECT name, t FROM a LEFT JOIN b ON k = j WHERE n IS NULL",
    "SELECT t FROM a RIGHT JOIN b ON k = j WHERE v IS NULL",
    "SELECT name, n FROM a FULL JOIN b ON k = j WHERE COALESCE(v, 0) < 15",
    "SELECT name FROM a WHERE k IN (SELECT j FROM b WHERE n > 100)",
    "SELECT name, n FROM a JOIN b ON k = j WHERE RAND() < 2 AND v > 10",
    "SELECT SUM(v), t FROM a JOIN b ON k = j WHERE w < 7 GROUP BY t",
    "SELECT x.name, y.n FROM pairs AS x JOIN pairs AS y ON x.k = y.k WHERE x.v > 10",
]


def environment():
    """Two tables that are read at once, and a view of their pairs."""
    env = StreamExecutionEnvironment.create_local_environment(parallelism=1)
    tables = StreamTableEnvironment.create(env, EnvironmentSettings.in_batch_mode())
    tables.execute_sql(f"CREATE TEMPORARY VIEW a AS SELECT * FROM (VALUES {LEFT}) AS q (k, name, v, w)")
    tables.execute_sql(f"CREATE TEMPORARY VIEW b AS SELECT * FROM (VALUES {RIGHT}) AS q (j, n, t)")
    tables.execute_sql("CREATE TEMPORARY VIEW pairs AS SELECT k, name, v, n FROM a JOIN b ON k = j")
    return tables


def rows(query):
    with environment().sql_query(query).execute().collect() as found:
        return sorted(map(str, found))


@pytest.mark.parametrize("query", QUERIES)
def test_results_are_those_without_it(query, monkeypatch):
    """Of inner and outer joins, conditions of one side and of both, NULL among them."""
    found = rows(query)
    monkeypatch.setattr(lowering, "before_pairs", lambda calc: calc)
    assert found == rows(query)


def joins(monkeypatch, query):
    """The joins that a query becomes."""
    made = []

    def seen(of, relation):
        made.append(relation)
        return original(of, relation)

    original = lowering.joined
    monkeypatch.setattr(lowering, "joined", seen)
    rows(query)
    return made


def test_conditions_go_to_their_sides(monkeypatch):
    """Those of both stay; columns that nobody uses are not there any more."""
    (join,) = joins(monkeypatch, "SELECT name FROM a JOIN b ON k = j AND v < n WHERE w > 5 AND t <> 'y'")
    assert [column.name for column in join.columns] == ["k", "name", "v", "j", "n"]
    assert isinstance(join.left, Project)
    assert isinstance(join.left.input, Filter)
    assert isinstance(join.right.input, Filter)
    assert join.condition is not None
    assert (join.left_keys, join.right_keys) == ([0], [0])


def test_keys_that_are_null_stay_behind(monkeypatch):
    """They have no partner in an inner join, whose keys are not NULL any more."""
    (join,) = joins(monkeypatch, "SELECT v, n FROM a JOIN b ON v = n")
    assert isinstance(join.left.input, Filter)
    assert not any(may_be_null(side.columns[0].type) for side in join.inputs)


@pytest.mark.parametrize("kind", ["LEFT", "RIGHT", "FULL"])
def test_outer_joins_lose_columns_only(monkeypatch, kind):
    """A row without a partner is a result, so what is asked behind the join is not asked before it."""
    (join,) = joins(monkeypatch, f"SELECT name FROM a {kind} JOIN b ON k = j WHERE v > 10 AND n > 100")
    assert [column.name for column in join.columns] == ["k", "name", "v", "j", "n"]
    assert not any(isinstance(each, Filter) for side in join.inputs for each in (side, *side.inputs))


def test_pairs_that_are_read_twice_are_made_once(monkeypatch):
    """Each reader takes what it needs of one join, where it would have one of its own else."""
    made = joins(
        monkeypatch, "SELECT name FROM pairs WHERE v > 10 UNION ALL SELECT CAST(n AS STRING) FROM pairs WHERE n > 1"
    )
    assert len(made) == 1


def test_functions_that_draw_lots_stay_behind(monkeypatch):
    """They are called for each pair."""
    (join,) = joins(monkeypatch, "SELECT name FROM a JOIN b ON k = j WHERE v * RAND() >= 0")
    assert not isinstance(join.left.input, Filter)


@pytest.mark.parametrize("kind", ["INNER", "LEFT"])
def test_within_an_interval(kind):
    """The time of pairs is that of their rows, so the columns of the times may go; rows only where none stays alone."""
    tables = StreamTableEnvironment.create(StreamExecutionEnvironment.create_local_environment(parallelism=1))
    for name in ("one", "two"):
        tables.execute_sql(f"""CREATE TEMPORARY TABLE {name} (k INT, v INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts)
            WITH ('connector' = 'datagen', 'number-of-rows' = '1')""")
    on = "one.k = two.k AND one.ts BETWEEN two.ts AND two.ts"
    table = tables.sql_query(f"SELECT one.v FROM one {kind} JOIN two ON {on} WHERE one.k > 1")
    calc = pushdown.before_pairs(lowering.calc_of(table._relation))
    assert isinstance(calc.base, IntervalJoin)
    assert [column.name for column in calc.base.columns] == ["k", "v", "k"]
    assert pushdown.before_pairs(calc).base is calc.base
    assert any(isinstance(each, Filter) for each in calc.base.left.inputs) is (kind == "INNER")


def test_other_relations_are_left_alone():
    """A projection of a table has nothing to hand down."""
    calc = lowering.calc_of(environment().sql_query("SELECT k FROM a")._relation)
    assert not isinstance(calc.base, Join)
    assert pushdown.before_pairs(calc) is calc
