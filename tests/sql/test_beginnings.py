"""How statements begin."""

import pytest

from windrow.errors import SqlError
from windrow.sql.dialect import parse


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("ANALYZE TABLE t COMPUTE STATISTICS", "ANALYZE is not supported: leave it out, as plans need no"),
        ("update t SET a = 1", "UPDATE is not supported: a table is written by INSERT INTO"),
        ("ADD JAR 'x.jar'", "ADD is not supported: functions and connectors are packages of Python"),
    ],
)
def test_statements_that_are_not_here_are_refused_by_name(text, told):
    """With what to do instead, and the place."""
    with pytest.raises(SqlError) as caught:
        parse(f"SHOW TABLES;\n{text}")
    assert str(caught.value).startswith(told)
    assert str(caught.value).endswith(f"line 2:\n  {text}\n  ^")


def test_a_word_that_begins_nothing():
    """The nearest one is named, and which there are."""
    with pytest.raises(SqlError, match="no statement begins with 'selec': did you mean 'SELECT'"):
        parse("selec 1")


@pytest.mark.parametrize(
    "text", ["(SELECT 1)", "(SELECT 1) UNION ALL (SELECT 2)", "WITH a AS (SELECT 1) (SELECT * FROM a)", "VALUES (1)"]
)
def test_a_query_may_stand_in_parentheses(text):
    """Alone, or as a side of a union."""
    assert len(parse(text)) == 1
