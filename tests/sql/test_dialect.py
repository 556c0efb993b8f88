"""Reading Flink's SQL."""

import pytest
from sqlglot import exp

from windrow.errors import SqlError
from windrow.sql import syntax as s
from windrow.sql.dialect import parse, statements_of, written


def first(text):
    return parse(text)[0]


@pytest.mark.parametrize(
    "arguments",
    [
        "TABLE t, DESCRIPTOR(ts), INTERVAL '10' MINUTES",
        "DATA => TABLE t, TIMECOL => DESCRIPTOR(ts), SIZE => INTERVAL '10' MINUTES",
    ],
)
@pytest.mark.parametrize("form", ["TABLE(TUMBLE({}))", "TUMBLE({})"])
def test_window_functions_stand_in_from(form, arguments):
    """With TABLE(...) around them or without it, with names or by place."""
    function = first(f"SELECT * FROM {form.format(arguments)}").args["from_"].this.this
    assert function.name == "TUMBLE"
    assert len(function.expressions) == 3


@pytest.mark.parametrize(("partition", "names"), [("a", ["a"]), ("a, b", ["a", "b"]), ("(a, b)", ["a", "b"])])
def test_sessions_are_partitioned(partition, names):
    """The comma behind a name may begin another one, or the next argument."""
    text = f"SELECT * FROM SESSION(TABLE t PARTITION BY {partition}, DESCRIPTOR(ts), INTERVAL '1' MINUTE)"
    function = first(text).args["from_"].this.this
    assert [each.name for each in function.expressions[0].args["partition"]] == names
    assert len(function.expressions) == 3


def test_a_table_has_columns_of_all_kinds():
    """Physical, computed and metadata columns, a watermark, a key, options."""
    table = first(
        "CREATE TEMPORARY TABLE IF NOT EXISTS t (a INT NOT NULL, b ROW<x INT, y ARRAY<STRING>>, c AS a + 1, "
        "d TIMESTAMP(3) METADATA FROM 'timestamp' VIRTUAL, WATERMARK FOR d AS d - INTERVAL '5' SECOND, "
        "PRIMARY KEY (a) NOT ENFORCED) WITH ('connector' = 'x', 'a.b' = 'it''s')"
    )
    assert isinstance(table, s.CreateTable)
    kinds = [type(each).__name__ for each in table.expressions]
    assert kinds == ["ColumnDef", "ColumnDef", "ColumnDef", "ColumnDef", "WatermarkDef", "PrimaryKeyDef"]
    options = {pair.expressions[0].name: pair.expressions[1].name for pair in table.args["options"]}
    assert options == {"connector": "x", "a.b": "it's"}


def test_a_statement_set_is_one_statement():
    """Its semicolons end its inserts."""
    both = parse("EXECUTE STATEMENT SET BEGIN INSERT INTO a SELECT 1; INSERT INTO b SELECT 2; END; SHOW TABLES")
    assert [type(each).__name__ for each in both] == ["StatementSet", "ShowStatement"]
    assert [each.this.name for each in both[0].expressions] == ["a", "b"]


def test_names_keep_their_case_and_functions_their_names():
    """Nothing is made of what was written."""
    assert written(first("SELECT Foo(`a b`) FROM t").expressions[0]) == "FOO(`a b`)"
    assert first("SELECT aB FROM t").expressions[0].name == "aB"


def test_the_place_of_what_is_wrong_is_shown():
    """The line, and a caret below the word."""
    with pytest.raises(SqlError) as caught:
        parse("SELECT a\nFROM t WHERE WHERE")
    assert "line 2:\n  FROM t WHERE WHERE\n" in str(caught.value)


def test_statements_keep_their_places():
    """Each begins where it does in the text, so errors name its line there."""
    texts = statements_of("SELECT 1;\n\n  SELECT 2 -- two; or so\n;")
    assert [text.strip() for text in texts] == ["SELECT 1", "SELECT 2"]
    assert texts[1] == "\n\n  SELECT 2"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("SELECT 'a", "a text that begins with an apostrophe does not end with one\nline 1:\n  SELECT 'a\n         ^"),
        ("SELECT 1,\n `b", "a name that begins with a backtick does not end with one\nline 2:\n   `b\n   ^"),
        ("SELECT 1 /* b", "a comment that begins with /* does not end with */\nline 1:\n  SELECT 1 /* b\n           ^"),
        ("SELECT x'0G'", "x'...' takes the digits 0 to 9 and A to F\nline 1:\n  SELECT x'0G'\n         ^"),
        ("SELECT 0x0A", "bytes are written x'...'\nline 1:\n  SELECT 0x0A\n         ^"),
        ("SELECT 1 FROM", "Expected table name but got the end\nline 1:\n  SELECT 1 FROM\n           ^"),
        ("SELECT 1 +", "something is missing here\nline 1:\n  SELECT 1 +\n           ^"),
        ("SELECT '{}' IS JSON WITH UNIQUE KEYS", "'WITH' is not expected here\nline 1:\n"),
        ("SELECT '{}' IS JSON OBJECT WITHOUT UNIQUE KEYS", "'UNIQUE' is not expected here\nline 1:\n"),
        ("SELECT 1 FROM t JOIN u FOR VERSION AS OF t.a ON t.a = u.a", "'FOR' is not expected here\nline 1:\n"),
        ("SELECT 1 FROM t JOIN u FOR SYSTEM_TIME t.a ON t.a = u.a", "AS OF is expected behind FOR SYSTEM_TIME\n"),
        ("INSERT t SELECT 1", "INSERT is followed by INTO or OVERWRITE, and a table\n"),
        ("CREATE VIEW v SELECT 1", "CREATE VIEW is written CREATE VIEW name AS query: AS is expected here\n"),
        ("EXECUTE STATEMENT SET BEGIN INSERT INTO t SELECT 1;", "END is expected behind the last INSERT INTO"),
        (
            "EXECUTE STATEMENT SET BEGIN INSERT INTO t SELECT 1 INSERT INTO u SELECT 2; END",
            "a semicolon is expected behind each INSERT INTO",
        ),
        ("EXECUTE STATEMENT SET BEGIN INSERT INTO t SELECT 1 END", "a semicolon is expected behind each INSERT INTO"),
        ("EXECUTE STATEMENT SET BEGIN END", "END is expected behind the last INSERT INTO"),
        ("EXECUTE STATEMENT SET INSERT INTO t SELECT 1; END", "BEGIN is expected behind STATEMENT SET\n"),
        ("STATEMENT SET BEGIN INSERT INTO t SELECT 1; END", "no statement begins with 'STATEMENT'"),
        ("CREATE OR REPLACE TEMPORARY TABLE t AS SELECT 1", "CREATE OR REPLACE TABLE ... AS takes no TEMPORARY"),
        ("SELECT CAST(1 AS INTERVAL DAY)", "INTERVAL is not supported as a type: write n * INTERVAL '1' DAY"),
        ("SELECT 1 END", "'END' is not expected here"),
        ("SELECT 1 ) 2", "')' is not expected here\nline 1:\n  SELECT 1 ) 2\n           ^"),
    ],
)
def test_what_cannot_be_read_is_said_in_words(text, told):
    """Not in those that the parser has for its own tokens."""
    with pytest.raises(SqlError) as caught:
        parse(text)
    assert str(caught.value).startswith(f"this is no SQL that Windrow reads: {told}")


def test_a_statement_set_may_begin_as_in_flinks_client():
    """BEGIN STATEMENT SET; ... END is the same set."""
    (found,) = parse("BEGIN STATEMENT SET; INSERT INTO a SELECT 1; INSERT INTO b SELECT 2; END;")
    assert [each.this.name for each in found.expressions] == ["a", "b"]


@pytest.mark.parametrize("name", ["glob", "isnull", "lock", "notnull", "regexp", "returning", "uncache", "xor"])
def test_words_of_other_dialects_are_names(name):
    """Flink knows nothing of them, so columns may be called so."""
    query = first(f"SELECT {name} + 1 AS b, t.{name} FROM t WHERE {name} = 1 GROUP BY {name}")
    assert [each.name for each in query.find_all(exp.Column)] == [name] * 4
