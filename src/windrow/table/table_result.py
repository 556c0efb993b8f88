"""The result of a statement."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Self

from windrow.absent.explained import ExplainsAbsentMethods
from windrow.common.types import Row, RowKind
from windrow.datastream.streams.closeable_iterator import CloseableIterator
from windrow.sql.plan import Column
from windrow.table.result_kind import ResultKind
from windrow.table.table_schema import TableSchema
from windrow.table.tableau import cells, fitted, tableau
from windrow.table.values import rows_of


class TableResult(ExplainsAbsentMethods):
    """The rows of a query, or what a statement says (PyFlink's class of the same name).

    Args:
        columns: What the rows are made of.
        start: Starts the job; gives its rows as tuples. None: the rows are there.
        lines: The rows of a statement that is no query, as text.
        job: The job's client, where one was started; None: there is none.
        changes: Whether the last field of tuples is the kind of the row.
        ends: Whether the rows have an end.
    """

    def __init__(
        self,
        columns: Sequence[Column],
        *,
        start: Callable[[], CloseableIterator] | None = None,
        lines: Sequence[Sequence[Any]] = (),
        job: Any = None,
        streaming: bool = True,
        widest: int = 30,
        time_zone: str = "UTC",
        plain: bool = False,
        changes: bool = False,
        ends: bool = True,
    ) -> None:
        self._columns = list(columns)
        self._start = start
        self._rows = lines
        self._job = job
        self._streaming = streaming
        self._widest = widest
        self._zone = time_zone
        self._plain = plain
        self._changes = changes
        #: Whether the rows have an end.
        self.ends = ends

    def get_job_client(self) -> Any:
        """The client of the job that was started; None where there is none."""
        return self._job

    def wait(self, timeout_ms: int | None = None) -> None:
        """Wait until the job that was started has ended; ``timeout_ms`` is PyFlink's, and all of it is waited for."""
        if self._job is not None:
            self._job.get_job_execution_result().result()

    def wait_or_cancel(self) -> None:
        """The same; Ctrl-C cancels the job, and is raised again."""
        try:
            self.wait()
        except KeyboardInterrupt:
            self._job.cancel().result()
            raise

    def get_result_kind(self) -> ResultKind:
        """Tell, as a kind, whether there are rows."""
        return ResultKind.SUCCESS if self._is_nothing() else ResultKind.SUCCESS_WITH_CONTENT

    def get_table_schema(self) -> TableSchema:
        """The names and types of the columns."""
        return TableSchema([column.name for column in self._columns], [column.type for column in self._columns])

    def get_schema(self) -> TableSchema:
        """The same as :meth:`get_table_schema`."""
        return self.get_table_schema()

    def collect(self) -> RowIterator:
        """The rows, one by one; close it where it is not read to its end."""
        return RowIterator(self)

    def print(self) -> None:
        """Print the rows as a table on standard output, as Flink does."""
        if self._is_nothing():
            print("OK")  # noqa: T201
            return
        for line in self.lines():
            sys.stdout.write(f"{line}\n")

    def lines(self) -> Iterator[str]:
        """The lines that :meth:`print` prints."""
        names, types = [column.name for column in self._columns], [column.type for column in self._columns]
        if self._plain:
            yield from (str(row[0]) for row in self._rows)
            return
        if self._start is None:
            yield from fitted([["<NULL>" if v is None else _shown(v) for v in row] for row in self._rows], names)
            return
        with self._start() as rows:
            yield from tableau(
                self._with_kinds(rows),
                names,
                types,
                widest=self._widest,
                time_zone=self._zone,
                with_kind=self._streaming,
            )

    @contextmanager
    def changes(self) -> Iterator[Iterator[tuple[str, list[str]]]]:
        """Start the job of a query: the kind of each row (``+I``) and its values as text, until the context is left."""
        write = cells([column.type for column in self._columns], self._zone)
        if self._start is None:
            yield (("+I", [_shown(value) for value in row]) for row in self._rows)
            return
        with self._start() as rows:
            yield ((kind, write(row)) for kind, row in self._with_kinds(rows))

    def _with_kinds(self, rows: Iterator[Any]) -> Iterator[tuple[str, Sequence[Any]]]:
        return ((str(RowKind(row[-1])), row[:-1]) if self._changes else ("+I", row) for row in rows)

    def _is_nothing(self) -> bool:
        return self._start is None and not self._columns

    def _tuples(self) -> Any:
        return iter(self._rows) if self._start is None else self._start()

    def _row(self, values: Sequence[Any]) -> Row:
        names, types = [column.name for column in self._columns], [column.type for column in self._columns]
        return rows_of([values], names, types, changes=self._changes)[0]


class RowIterator(Iterator[Row]):
    """The rows of a result; a context manager that closes it."""

    def __init__(self, result: TableResult) -> None:
        self._result = result
        self._tuples = result._tuples()

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> Row:
        return self._result._row(next(self._tuples))

    def close(self) -> None:
        """Stop the job, unless it has ended."""
        if hasattr(self._tuples, "close"):
            self._tuples.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _shown(value: Any) -> str:
    return ("TRUE" if value else "FALSE") if isinstance(value, bool) else str(value)
