"""Windrow prints what Flink's SQL has printed: tests/table/flink_sql, made by scripts/sql_compare.py."""

import pytest

from tests.table.flink_sql_cases import CASES, answer, compared, shown
from windrow.datastream import StreamExecutionEnvironment

#: Of these cases, some queries run on both runtimes, with several subtasks.
ON_BOTH = [
    ("group_aggregation", 4),
    ("over", 1),
    ("windows", 2),
    ("windows", 11),
    ("top_n", 0),
    ("joins", 3),
    ("joins", 20),
    ("processing_time", 35),
    ("regular_joins", 4),
    ("subqueries", 0),
    ("quantified", 8),
    ("qualify", 1),
    ("set_operations_all", 0),
    ("set_operations_all_batch", 1),
    ("multisets", 0),
    ("multisets", 5),
    ("everyday_batch", 69),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_queries_give_what_flink_gives(case, tmp_path):
    """Columns, types and what ``print`` shows are Flink's, in whatever order rows come; and whether it is an error.

    Where a query has ``differs``, with the reason, it does differ.
    """
    env = StreamExecutionEnvironment.create_local_environment(parallelism=1)
    tables = case.environment(env, tmp_path)
    differences = []
    for query in case.queries:
        given = answer(tables, query["sql"].replace("{folder}", str(tmp_path)))
        is_same = compared(given, folded=case.folded) == compared(query, folded=case.folded)
        if is_same is ("differs" in query):
            differences.append(f"{query['sql']}\nexpected {shown(query)}\ngot {shown(given)}")
    assert not differences, f"{len(differences)} of {len(case.queries)} differ\n\n" + "\n\n".join(differences)


@pytest.mark.parametrize(("name", "place"), ON_BOTH)
def test_queries_give_it_on_both_runtimes(name, place, env, tmp_path):
    """So they do on Spark, and with parallelism 2."""
    case = next(case for case in CASES if case.name == name)
    query = case.queries[place]
    given = answer(case.environment(env, tmp_path), query["sql"].replace("{folder}", str(tmp_path)))
    is_same = compared(given, folded=case.folded) == compared(query, folded=case.folded)
    assert is_same, f"expected {shown(query)}\ngot {shown(given)}"
