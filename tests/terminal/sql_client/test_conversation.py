"""A person types statements: what prompt_toolkit reads is a pipe here."""

import io

import pytest
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput
from rich.console import Console

from windrow.table import EnvironmentSettings, TableEnvironment
from windrow.terminal.sql_client.client import SqlClient
from windrow.terminal.sql_client.conversation import converse
from windrow.terminal.sql_client.history import StatementHistory

CTRL_C, CTRL_D, UP = "\x03", "\x04", "\x1b[A"


@pytest.fixture
def typed(capsys):
    """What is printed when somebody types a text, on standard output and standard error."""

    def run(text, history="off", console=None):
        tables = TableEnvironment.create(EnvironmentSettings.in_streaming_mode())
        tables.get_config().set("windrow.runtime", "local")
        with create_pipe_input() as pipe:
            pipe.send_text(text)
            converse(SqlClient(tables, live=True, console=console), history, input=pipe, output=DummyOutput())
        return capsys.readouterr()

    return run


def test_a_statement_may_have_lines(typed):
    """Enter runs it where it ends with a semicolon, and else begins a line."""
    printed = typed("SELECT 1 AS one_,\r2 AS two\r;\rQUIT;\r").out
    assert "| +I |           1 |           2 |" in printed
    assert printed.splitlines()[-1] == "1 row in set"


@pytest.mark.parametrize("end", ["QUIT\r", "exit;\r", CTRL_D])
def test_it_ends(typed, end):
    """With its own words, for which a semicolon is not needed, and with Ctrl-D."""
    assert typed(f"SHOW VIEWS;\r{end}").out.splitlines()[-1] == "Empty set"


def test_an_error_ends_nothing(typed):
    """It is shown with its place, and the next statement is run."""
    printed = typed("SELECT 1,\r nope;\rSELECT 2 AS two;\rQUIT\r")
    assert "Error: there is no column 'nope'" in printed.err
    assert "line 2:\n   nope;\n   ^\n" in printed.err
    assert "1 row in set" in printed.out


def test_an_error_that_is_no_ones_in_particular_ends_nothing(typed, monkeypatch):
    """It is shown with its traceback: the tables of the session are worth more than the end of it."""

    def broken(_):
        msg = "broken"
        raise ZeroDivisionError(msg)

    monkeypatch.setattr("windrow.table.table_result.TableResult.print", broken)
    printed = typed("SHOW VIEWS;\rHELP\rQUIT\r")
    assert "ZeroDivisionError: broken" in printed.err
    assert "this list" in printed.out


def test_ctrl_c_forgets_the_text(typed):
    """What was typed is not run, and the next statement is."""
    printed = typed(f"SELECT nope{CTRL_C}SELECT 2 AS two;\rQUIT\r")
    assert (printed.err, "1 row in set" in printed.out) == ("", True)


def test_semicolons_within_a_statement_set_end_no_statement(typed):
    """A set is run when its END has one."""
    printed = typed(
        "CREATE TABLE p (n INT) WITH ('connector' = 'print');\r"
        "EXECUTE STATEMENT SET BEGIN\rINSERT INTO p SELECT 1;\rINSERT INTO p SELECT 2;\rEND;\rQUIT\r"
    ).out
    assert {"+I[1]", "+I[2]"} <= set(printed.splitlines())


def test_what_was_typed_can_be_had_again(typed, tmp_path):
    """In the next session, from the file."""
    typed("SELECT 3 AS three;\rQUIT\r", str(tmp_path / "history"))
    assert "|           3 |" in typed(f"{UP}{UP}\rQUIT\r", str(tmp_path / "history")).out
    assert list(StatementHistory(str(tmp_path / "history")).load_history_strings())[-1] == "SELECT 3 AS three;"


def test_a_word_is_completed(typed):
    """Tab completes the only word that there is."""
    assert "Empty set" in typed("SHOW VIEWS;\rCREATE VIEW aardvarks AS SELECT 1 AS n;\rDESCRIBE aar\t;\rQUIT\r").out


def test_the_result_mode_says_how_endless_results_are_shown(typed, monkeypatch):
    """table, the default, and changelog are live; tableau prints rows as they come."""
    shown = []
    module = "windrow.terminal.sql_client.client"
    monkeypatch.setattr(f"{module}.show_live", lambda _, __, changelog: shown.append(changelog))
    monkeypatch.setattr("windrow.table.table_result.TableResult.print", lambda result: shown.append(result.ends))
    query = "SELECT n FROM numbers;\r"
    typed(
        f"CREATE TABLE numbers (n INT) WITH ('connector' = 'datagen');\r{query}"
        f"SET 'sql-client.execution.result-mode' = 'changelog';\r{query}"
        f"SET 'sql-client.execution.result-mode' = 'tableau';\r{query}SELECT 1;\rQUIT\r"
    )
    assert shown == [True, False, True, True, True, False, True]


def test_a_terminal_that_cannot_draw_has_rows_one_by_one(typed, monkeypatch):
    """Where TERM is dumb nothing on it can be written over."""
    shown = []
    monkeypatch.setattr("windrow.table.table_result.TableResult.print", lambda result: shown.append(result.ends))
    dumb = Console(file=io.StringIO(), force_terminal=True, _environ={"TERM": "dumb"})
    typed("CREATE TABLE numbers (n INT) WITH ('connector' = 'datagen');\rSELECT n FROM numbers;\rQUIT\r", console=dumb)
    assert shown == [True, False]


def test_ctrl_c_ends_a_query_and_not_the_session(typed, monkeypatch):
    """The next statement is asked for."""

    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("windrow.terminal.sql_client.client.show_live", interrupted)
    printed = typed(
        "CREATE TABLE numbers (n INT) WITH ('connector' = 'datagen');\rSELECT n FROM numbers;\rSHOW TABLES;\rQUIT\r"
    ).out
    assert printed.index("ended by Ctrl-C") < printed.index("1 row in set")
