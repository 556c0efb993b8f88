"""The file of what was typed."""

import stat

import pytest
from prompt_toolkit.history import InMemoryHistory

from windrow.errors import ConfigurationError
from windrow.terminal.sql_client.history import StatementHistory, history_of


def kept(path):
    return list(StatementHistory(str(path)).load_history_strings())


def test_it_is_in_the_folder_for_state(tmp_path):
    """Its user alone can read it, and the next session finds what was typed."""
    history = history_of(None, {"XDG_STATE_HOME": str(tmp_path)})
    history.append_string("SELECT\n  1;")
    path = tmp_path / "windrow" / "sql_history"
    assert kept(path) == ["SELECT\n  1;"]
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_without_a_folder_for_state_it_is_at_home(tmp_path, monkeypatch):
    """In .local/state, as the convention says."""
    monkeypatch.setenv("HOME", str(tmp_path))
    history_of(None, {})
    assert (tmp_path / ".local" / "state" / "windrow" / "sql_history").exists()


def test_off_keeps_nothing():
    """Statements can be had again in the session alone."""
    assert isinstance(history_of("off"), InMemoryHistory)


def test_passwords_are_not_kept(tmp_path):
    """A statement with one can be had again in the session, and is not in the file."""
    history = history_of(str(tmp_path / "mine"))
    history.append_string("CREATE TABLE t (n INT) WITH ('connector' = 'jdbc', 'password' = 'pa55');")
    history.append_string("SELECT 1;")
    assert kept(tmp_path / "mine") == ["SELECT 1;"]
    assert len(history.get_strings()) == 2


def test_a_file_that_cannot_be_written(tmp_path):
    """It is said with its name, and what to do."""
    (tmp_path / "file").write_text("")
    with pytest.raises(ConfigurationError, match=r"file/history: .*; --history names another file"):
        history_of(str(tmp_path / "file" / "history"))


def test_a_home_that_cannot_be_written_is_no_reason_to_end(tmp_path, caplog):
    """Nobody has asked for a file there: it is said once, and statements are had again in the session alone."""
    (tmp_path / "file").write_text("")
    assert isinstance(history_of(None, {"XDG_STATE_HOME": str(tmp_path / "file")}), InMemoryHistory)
    assert "statements are not kept" in caplog.text
