"""The result of a query without end, as a table that changes on the terminal until Ctrl-C."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from itertools import islice
from threading import Lock
from typing import Protocol

from rich import box
from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from windrow.table.table_result import TableResult

#: How many changes are kept to be shown, and how many rows of a result, as Flink's client does.
_CHANGES = 1000
_ROWS = 1_000_000
#: Lines around the rows: the name of the columns, rules, what is said below.
_FRAME = 6
_PER_SECOND = 4


class Shown(Protocol):
    """The rows of a query as the terminal shows them."""

    def add(self, kind: str, cells: Sequence[str]) -> None:
        """Take a row: its kind (``+I``), and the text of each of its columns."""

    def last(self, count: int) -> list[Sequence[str]]:
        """Give the newest rows, at most so many."""

    def told(self) -> str:
        """Say in words how many rows there are."""


class Changelog:
    """The newest changes, each with its kind.

    Example:
        >>> shown = Changelog()
        >>> shown.add("+I", ["a", "1"])
        >>> shown.last(9), shown.told()
        ([('+I', 'a', '1')], '1 change')
    """

    def __init__(self) -> None:
        self._rows: deque[Sequence[str]] = deque(maxlen=_CHANGES)
        self._count = 0

    def add(self, kind: str, cells: Sequence[str]) -> None:
        self._rows.append((kind, *cells))
        self._count += 1

    def last(self, count: int) -> list[Sequence[str]]:
        return list(self._rows)[-count:]

    def told(self) -> str:
        return f"{self._count:,} change{'' if self._count == 1 else 's'}"


class Materialized:
    """The rows that there are now: those that were taken back are gone.

    Rows that look alike are told apart by nothing, so it is no matter which of them is taken back.

    Args:
        most: How many are kept; behind that the oldest goes.

    Example:
        >>> shown = Materialized()
        >>> for kind, number in (("+I", "1"), ("-U", "1"), ("+U", "2")):
        ...     shown.add(kind, ["a", number])
        >>> shown.last(9), shown.told()
        ([('a', '2')], '1 row')
    """

    def __init__(self, most: int = _ROWS) -> None:
        self._most = most
        self._rows: dict[int, tuple[str, ...]] = {}
        self._places: dict[tuple[str, ...], list[int]] = {}
        self._next = 0

    def add(self, kind: str, cells: Sequence[str]) -> None:
        row = tuple(cells)
        if kind in ("-U", "-D"):
            if row in self._places:  # it may have been the oldest one, which is gone
                self._forget(self._places[row][-1])
            return
        self._rows[self._next] = row
        self._places.setdefault(row, []).append(self._next)
        self._next += 1
        if len(self._rows) > self._most:
            self._forget(next(iter(self._rows)))

    def _forget(self, number: int) -> None:
        row = self._rows.pop(number)
        places = self._places[row]
        places.remove(number)
        if not places:
            del self._places[row]

    def last(self, count: int) -> list[Sequence[str]]:
        newest: list[Sequence[str]] = list(islice(reversed(self._rows.values()), count))
        return newest[::-1]

    def told(self) -> str:
        count = len(self._rows)
        return f"{count:,} row{'' if count == 1 else 's'}"


class _View:
    """The view of a result that is drawn, several times a second, while rows are added."""

    def __init__(self, shown: Shown, names: Sequence[str], height: int) -> None:
        self._shown, self._names, self._height = shown, names, height
        self._lock = Lock()

    def add(self, kind: str, cells: Sequence[str]) -> None:
        with self._lock:
            self._shown.add(kind, cells)

    def told(self) -> str:
        with self._lock:
            return self._shown.told()

    def __call__(self) -> RenderableType:
        with self._lock:
            rows, told = self._shown.last(self._height), self._shown.told()
        table = Table(box=box.SIMPLE_HEAD)
        for name in self._names:
            table.add_column(Text(name), justify="right", no_wrap=True, overflow="ellipsis")
        for row in rows:
            table.add_row(*[Text(cell) for cell in row])
        return Group(table, Text(f"{told}, Ctrl-C ends the query", style="dim"))


def show_live(result: TableResult, console: Console, *, changelog: bool) -> None:
    """Show a query's result as it changes.

    Args:
        result: The query, whose job is started.
        console: The terminal.
        changelog: Whether each change is shown; else the rows that there are.

    Raises:
        KeyboardInterrupt: somebody has pressed Ctrl-C; the job is over then.
        WindrowError: the job has failed.
    """
    from rich.live import Live

    names = result.get_table_schema().get_field_names()
    shown: Shown = Changelog() if changelog else Materialized()
    view = _View(shown, ["op", *names] if changelog else names, max(console.height - _FRAME, 1))
    with (
        result.changes() as rows,
        Live(get_renderable=view, console=console, refresh_per_second=_PER_SECOND),
    ):
        for kind, cells in rows:
            view.add(kind, cells)
    console.print(f"{view.told()} at the end")
