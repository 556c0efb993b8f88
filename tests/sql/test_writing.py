"""How expressions are written again; tests/table/flink_sql/show_create_batch.json has what Flink writes."""

import pytest

from windrow.sql import dialect as d


def again(text):
    return d.written(d.parse(f"SELECT {text}")[0].expressions[0])


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("cast(a as varchar(3))", "CAST(`a` AS VARCHAR(3))"),
        ("CAST(a AS MAP<STRING, DECIMAL(10, 2) NOT NULL>)", "CAST(`a` AS MAP< STRING, DECIMAL(10, 2) NOT NULL >)"),
        ("JSON_QUERY(a, '$' WITH WRAPPER)", "JSON_QUERY(`a`, '$' WITH UNCONDITIONAL ARRAY WRAPPER)"),
        ("JSON_QUERY(a, '$' WITH CONDITIONAL WRAPPER)", "JSON_QUERY(`a`, '$' WITH CONDITIONAL ARRAY WRAPPER)"),
        ("JSON_EXISTS(a, '$' TRUE ON ERROR)", "JSON_EXISTS(`a`, '$' TRUE ON ERROR)"),
        ("JSON_ARRAY()", "JSON_ARRAY(ABSENT ON NULL)"),
        ("f(x => 1)", "F(x => 1)"),
        ("TRIM(LEADING a FROM b)", "TRIM(LEADING `a` FROM `b`)"),
        ("CEIL(a TO HOUR)", "CEIL(`a` TO HOUR)"),
        ("a NOT BETWEEN 1 AND 2", "`a` NOT BETWEEN ASYMMETRIC 1 AND 2"),
        ("a IS NOT DISTINCT FROM b", "`a` IS NOT DISTINCT FROM `b`"),
        ("NOT (a OR b)", "NOT (`a` OR `b`)"),
        ("INTERVAL '1-2' YEAR TO MONTH", "INTERVAL '1-2' YEAR TO MONTH"),
    ],
)
def test_what_is_written_reads_as_what_was_given(given, expected):
    """In Flink's form: words in upper case, names in backticks, the words that are left out."""
    assert again(given) == expected
    assert again(expected) == expected
