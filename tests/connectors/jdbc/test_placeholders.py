"""Question marks as placeholders."""

import pytest
import sqlalchemy
from sqlalchemy.dialects import postgresql, sqlite

from windrow.connectors.jdbc.placeholders import with_named_placeholders
from windrow.errors import ConfigurationError


@pytest.mark.parametrize(
    ("sql", "count"),
    [
        ("INSERT INTO t VALUES (?, ?)", 2),
        ("INSERT INTO t VALUES ('?', 'it''s ?', ?)", 1),
        ('UPDATE "a?b" SET x = ? WHERE `c?` = ?', 2),
        ("INSERT INTO t VALUES (?) -- really?", 1),
        ("INSERT INTO t /* ? */ VALUES (?)", 1),
        ("INSERT INTO t VALUES ($$?$$, $a$ $$ ? $a$, ?)", 1),
        ("DELETE FROM t", 0),
    ],
)
def test_question_marks_in_strings_names_and_comments_are_no_placeholders(sql, count):
    """As in JDBC drivers."""
    assert with_named_placeholders(sql)[1] == count


@pytest.mark.parametrize(
    "sql",
    [
        "INSERT INTO t VALUES (?::int, 'a:b', E'\\:x', '%', 'x::y', a[1:2], ':p0')",
        'INSERT INTO ":p0" VALUES (?) ON CONFLICT DO NOTHING -- :x ?',
    ],
)
def test_the_rest_of_a_statement_reaches_the_database_as_it_was(sql):
    """Casts, colons and percent signs in particular."""
    text = sqlalchemy.text(with_named_placeholders(sql)[0])
    assert str(text.compile(dialect=sqlite.dialect())) == sql
    compiled = str(text.compile(dialect=postgresql.dialect(paramstyle="pyformat")))
    assert compiled % {"p0": "?"} == sql


def test_two_question_marks_are_one():
    """As in PostgreSQL's JDBC driver, for operators that have some."""
    text, count = with_named_placeholders("UPDATE t SET a = ? WHERE document ?? 'key'")
    assert count == 1
    assert str(sqlalchemy.text(text).compile(dialect=sqlite.dialect())) == "UPDATE t SET a = ? WHERE document ? 'key'"


@pytest.mark.parametrize("placeholder", [":name", "%s", "%(name)s"])
def test_placeholders_of_python_drivers_are_refused(placeholder):
    """They would never be filled."""
    with pytest.raises(ConfigurationError, match="the placeholders of a statement are question marks, not"):
        with_named_placeholders(f"INSERT INTO t VALUES ({placeholder})")
