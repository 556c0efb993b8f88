"""Errors about tables have their place in the statement."""

import re

import pytest

from windrow.datastream import StreamExecutionEnvironment
from windrow.errors import SqlError
from windrow.table import StreamTableEnvironment

#: A statement with a sign before what is wrong, and what is said of it.
WRONG = [
    ("CREATE TABLE t (n INT) WITH (\n  'connector' = 'datagen',\n  @'rows-per-secnd' = '1'\n)", "did you mean"),
    ("CREATE TABLE t (n INT) WITH (\n  'connector' = 'datagen',\n  'rows-per-second' = @'x'\n)", "whole number"),
    ("CREATE TABLE t (n INT) WITH (\n  'connector' = @'printt')", "did you mean 'print'?"),
    ("CREATE TABLE t (n INT) WITH (\n  @'conector' = 'print')", "'conector' is none"),
    ("CREATE TABLE\n  @t (n INT) WITH ('connector' = 'filesystem', 'format' = 'csv')", "needs the option 'path'"),
    ("CREATE TABLE\n  @t (n INT) WITH ('format' = 'csv')", "needs the option 'connector'"),
    ("CREATE TABLE t (n INT) WITH ('connector' = 'filesystem', 'path' = '/x', @'fromat' = 'csv')", "'fromat' is none"),
    (
        "CREATE TABLE t (n INT) WITH ('connector' = 'filesystem', 'path' = '/x', 'format' = @'cvs')",
        "did you mean 'csv'",
    ),
    ("CREATE TABLE t (\n  n INT,\n  @m STRING METADATA\n) WITH ('connector' = 'datagen')", "has no metadata 'm'"),
    ("CREATE TABLE @t WITH ('connector' = 'print') LIKE g", "'number-of-rows' that nobody knows"),
    ("CREATE TABLE t WITH ('connector' = 'print', @'nope' = '1') LIKE g (EXCLUDING ALL)", "'nope' that nobody knows"),
    ("CREATE TABLE t WITH ('connector' = 'print', @'nope' = '1') AS SELECT 1 AS a", "'nope' that nobody knows"),
    ("CREATE TABLE t (n INT) WITH ('connector' = 'print', 'a' = '1',\n  @'a' = '2')", "is written twice"),
    ("ALTER TABLE g SET (\n  @'nope' = '1')", "'nope' that nobody knows"),
    ("ALTER TABLE @g RESET ('connector')", "needs the option 'connector'"),
    ("SELECT n\nFROM @g /*+ OPTIONS('nope' = '1') */", "'nope' that nobody knows"),
    ("INSERT INTO @g SELECT 1", "cannot be written"),
    ("SET @'table.local-time-zonee' = 'UTC'", "did you mean 'table.local-time-zone'"),
    ("SET @'table.local-time-zone' = 'Mars'", "takes a time zone"),
]


@pytest.fixture
def tables():
    """A table ``g`` in this process."""
    made = StreamTableEnvironment.create(StreamExecutionEnvironment.create_local_environment(parallelism=1))
    made.execute_sql("CREATE TABLE g (n INT) WITH ('connector' = 'datagen', 'number-of-rows' = '1')")
    return made


@pytest.mark.parametrize(("marked", "said"), WRONG)
def test_an_error_has_the_place_of_what_is_wrong(tables, marked, said):
    """Of the option's name or value, of the column, or of the table where something is missing."""
    before, after = marked.split("@")
    with pytest.raises(SqlError) as raised:
        tables.execute_sql(before + after)
    line, column = before.count("\n") + 1, len(before.rpartition("\n")[2]) + 1
    text = (before + after).split("\n")[line - 1]
    text = re.sub(r"('nope'|'conector'|'fromat'|'rows-per-secnd') = '\w+'", r"\1 = ******", text)
    assert said in str(raised.value)
    assert raised.value.place == (line, column)
    assert str(raised.value).splitlines()[-3:] == [f"line {line}:", f"  {text}", " " * (column + 1) + "^"]


@pytest.mark.parametrize(
    "options",
    ["'pasword' = 'pa''55', 'table-name' = 't'", "'url' = 'jdbc:sqlite:x', 'pw' = 'pa''55', 'table-name' = 't'"],
)
def test_the_value_of_a_misspelt_password_is_not_shown(tables, options):
    """Neither where the error is about it, nor where it is about another option, nor in a hint."""
    with pytest.raises(SqlError) as raised:
        tables.execute_sql(f"CREATE TABLE t (n INT) WITH ('connector' = 'jdbc', {options})")
    assert "= ******, 'table-name' = 't')" in str(raised.value)
    with pytest.raises(SqlError) as raised:
        tables.execute_sql("SELECT * FROM g /*+ OPTIONS('pw' = 'pa''55') */")
    assert "OPTIONS('pw' = ******)" in str(raised.value)


def test_a_table_that_the_program_names_has_no_place(tables):
    """The message is the same."""
    with pytest.raises(SqlError) as raised:
        tables.sql_query("SELECT 1 AS n").execute_insert("g")
    assert str(raised.value) == "table 'g' cannot be written: 'datagen' is a connector that reads"
    assert raised.value.place is None
