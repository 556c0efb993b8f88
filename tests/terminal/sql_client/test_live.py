"""Results without end, as they change on a terminal."""

import io
import threading

import pytest
from rich.console import Console

from windrow.errors import WindrowError
from windrow.table import EnvironmentSettings, TableEnvironment
from windrow.terminal.sql_client import live
from windrow.terminal.sql_client.live import Changelog, Materialized, show_live


@pytest.fixture
def tables():
    made = TableEnvironment.create(EnvironmentSettings.in_streaming_mode())
    made.get_config().set("windrow.runtime", "local")
    made.execute_sql("CREATE TABLE endless (n BIGINT) WITH ('connector' = 'datagen', 'rows-per-second' = '1000')")
    return made


def terminal():
    return Console(file=io.StringIO(), force_terminal=True, width=60, height=20, color_system=None)


def jobs():
    return [each for each in threading.enumerate() if "windrow-Flink" in each.name and each.is_alive()]


def test_a_row_that_was_taken_back_is_gone():
    """The newest rows are shown, in the order in which they came."""
    shown = Materialized()
    for kind, row in (("+I", "a"), ("+I", "b"), ("-D", "a"), ("+I", "c"), ("+I", "b"), ("-U", "b"), ("+U", "d")):
        shown.add(kind, [row])
    assert shown.last(2) == [("c",), ("d",)]
    assert (shown.last(9), shown.told()) == ([("b",), ("c",), ("d",)], "3 rows")


def test_the_oldest_rows_go_where_there_are_too_many():
    """What takes back a row that has gone changes nothing."""
    shown = Materialized(most=2)
    for kind, row in (("+I", "a"), ("+I", "b"), ("+I", "c"), ("-D", "a")):
        shown.add(kind, [row])
    assert shown.last(9) == [("b",), ("c",)]


def test_changes_are_counted_and_the_newest_are_kept():
    """With their kinds."""
    shown = Changelog()
    for number in range(2000):
        shown.add("+I", [str(number)])
    assert shown.last(2) == [("+I", "1998"), ("+I", "1999")]
    assert shown.told() == "2,000 changes"


@pytest.mark.parametrize("changelog", [False, True])
def test_an_interrupt_leaves_no_job(tables, monkeypatch, changelog):
    """What there is stays on the terminal, and the interrupt is the caller's."""
    seen = []

    def add(self, kind, cells):
        seen.append(cells)
        kept(self, kind, cells)
        if len(seen) == 3:
            raise KeyboardInterrupt

    kind = Changelog if changelog else Materialized
    kept = kind.add
    monkeypatch.setattr(kind, "add", add)
    console = terminal()
    with pytest.raises(KeyboardInterrupt):
        show_live(tables.execute_sql("SELECT n, n - n AS zero FROM endless"), console, changelog=changelog)
    printed = console.file.getvalue()
    assert "Ctrl-C ends the query" in printed
    assert ("op" in printed) is changelog
    assert ("3 changes" if changelog else "3 rows") in printed
    assert jobs() == []


def test_counts_without_a_window_are_brought_up_to_date(tables, monkeypatch):
    """A group has one row however often it changes."""
    monkeypatch.setattr(live, "Materialized", Recorded)
    with pytest.raises(KeyboardInterrupt):
        show_live(
            tables.execute_sql("SELECT n - n AS z, COUNT(*) FROM endless GROUP BY n - n"), terminal(), changelog=False
        )
    assert Recorded.at_the_end == [("0", "4")]


class Recorded(Materialized):
    """Interrupts at the fourth change of a count."""

    at_the_end = None

    def add(self, kind, cells):
        super().add(kind, cells)
        if cells[1] == "4":
            Recorded.at_the_end = self.last(9)
            raise KeyboardInterrupt


def test_a_job_that_fails_is_an_error(tables):
    """Behind the rows that came before it."""
    with pytest.raises(WindrowError, match="Division"):
        show_live(tables.execute_sql("SELECT 1 / (n - n) FROM endless"), terminal(), changelog=False)
    assert jobs() == []
