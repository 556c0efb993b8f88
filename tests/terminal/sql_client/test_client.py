"""Statements one behind the other, and those that are the client's own."""

import pytest

from windrow.errors import ConfigurationError, SqlError
from windrow.table import EnvironmentSettings, TableEnvironment
from windrow.terminal.sql_client.client import SqlClient


@pytest.fixture
def client():
    tables = TableEnvironment.create(EnvironmentSettings.in_streaming_mode())
    tables.get_config().set("windrow.runtime", "local")
    return SqlClient(tables)


@pytest.mark.parametrize("word", ["QUIT", "exit"])
def test_nothing_is_run_behind_the_end(client, word, capsys):
    """QUIT and EXIT end the text, in upper or lower case."""
    assert client.run(f"SHOW CATALOGS; {word}; SELECT nope") is False
    assert "default_catalog" in capsys.readouterr().out


def test_help_names_what_the_client_does_itself(client, capsys):
    """Each of its own statements, and the setting of how results are shown."""
    assert client.run("HELP;")
    printed = capsys.readouterr().out
    for word in ("QUIT", "EXIT", "CLEAR", "'sql-client.execution.result-mode'"):
        assert word in printed


def test_clear_prints_nothing_where_there_is_no_terminal(client, capsys):
    """A file may have it, as in Flink."""
    assert client.run("CLEAR;")
    assert capsys.readouterr().out == ""


def test_the_error_has_the_place_in_the_whole_text(client):
    """Lines are counted from the begin of the text, not of the statement."""
    with pytest.raises(SqlError, match=r"line 3:\n  SELECT nope"):
        client.run("SHOW CATALOGS;\n\nSELECT nope;")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("SHOW MODULES; SELECT nope", ["line 1:", "  SHOW MODULES; SELECT nope", "                       ^"]),
        ("SHOW MODULES;\tSELECT nope", ["line 1:", "  SHOW MODULES;\tSELECT nope", "               \t       ^"]),
        ("SHOW MODULES; SELECT 1 AS a,\n nope", ["line 2:", "   nope", "   ^"]),
        ("SHOW MODULES; SELECT ,", ["line 1:", "  SHOW MODULES; SELECT ,", "                       ^"]),
        ("SHOW MODULES; SELECT\f nope", ["line 1:", "  SHOW MODULES; SELECT\f nope", "                        ^"]),
        ("SHOW MODULES;\r\nSELECT '日', nope", ["line 2:", "  SELECT '日', nope", "               ^"]),
    ],
)
def test_the_line_of_an_error_is_the_one_that_was_typed(client, text, shown):
    """With the statements before it on the line, and the caret below the place, whatever characters stand before it."""
    with pytest.raises(SqlError) as raised:
        client.run(text)
    assert str(raised.value).split("\n")[1:] == shown


def test_a_secret_of_a_statement_on_the_line_is_not_shown(client):
    """The caret stands where the line with stars has the place."""
    with pytest.raises(SqlError) as raised:
        client.run("SET 'my.password' = 'pa55'; SELECT nope")
    assert str(raised.value).split("\n")[2:] == [
        "  SET 'my.password' = ******; SELECT nope",
        "                                     ^",
    ]


def test_a_result_mode_that_there_is_not(client):
    """It is said where it is set, with those that there are."""
    with pytest.raises(ConfigurationError, match="is table, changelog or tableau; got 'tables'"):
        client.run("SET 'sql-client.execution.result-mode' = 'tables'")
    assert client.run("SET 'sql-client.execution.result-mode' = 'TABLEAU'")


def test_the_job_of_an_insert_ends_with_the_interrupt(client, monkeypatch):
    """Ctrl-C while an INSERT INTO is waited for cancels its job, and is raised again."""
    stopped = []

    def interrupted(result, timeout_ms=None):
        stopped.append(result.get_job_client())
        raise KeyboardInterrupt

    client.run("CREATE TABLE numbers (n BIGINT) WITH ('connector' = 'datagen', 'rows-per-second' = '10')")
    client.run("CREATE TABLE nowhere (n BIGINT) WITH ('connector' = 'blackhole')")
    monkeypatch.setattr("windrow.table.table_result.TableResult.wait", interrupted)
    with pytest.raises(KeyboardInterrupt):
        client.run("INSERT INTO nowhere SELECT n FROM numbers")
    (job,) = stopped
    assert job.get_job_status().result().name == "CANCELED"
