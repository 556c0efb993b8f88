"""Looks at a stream: its first elements, all of them as a table, the graph that leads to it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from html import escape
from threading import Event, Timer
from typing import TYPE_CHECKING, Any, cast

from windrow.common.checks import positive
from windrow.connectors.collect import CollectSink
from windrow.datastream.streams.alone import alone, sink_alone
from windrow.datastream.streams.closeable_iterator import CloseableIterator
from windrow.datastream.streams.text_table import text_table
from windrow.errors import ConfigurationError, UsageError, WindrowError
from windrow.runtime.submit import submit

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl
    import pyarrow as pa

    from windrow.datastream.streams.data_stream import DataStream

#: For so many seconds, and so many elements, a stream without end is looked at where nobody says how long.
DEFAULT_SECONDS, DEFAULT_ELEMENTS = 10.0, 10_000
_NONE = object()


class Inspection:
    """Methods of a stream that show what is in it, as a notebook or a prompt wants it; Flink has none of them.

    They run what leads to the stream, on the environment's runtime, and nothing else: the program's sinks are not
    executed, and its checkpoint is not touched. When they return, or are interrupted, the job is over.

    A bounded stream is read to its end, or until there are as many elements as were asked for. Of a stream without end
    they read until there are so many elements or so many seconds have passed (10, if nobody says), and say so on
    standard error.
    """

    def take(self, n: int, *, seconds: float | None = None) -> list[Any]:
        """Give the first elements as a list.

        Args:
            n: How many, at most.
            seconds: How long to wait for them; None: to the end of a bounded stream, else 10 seconds.

        Raises:
            ConfigurationError: ``n`` or ``seconds`` is not positive.
            UserFunctionError: a function of the program raised.

        Example:
            >>> from windrow.datastream import StreamExecutionEnvironment
            >>> env = StreamExecutionEnvironment.create_local_environment(parallelism=1)
            >>> env.from_collection(range(100)).map(lambda n: n * n).take(3)
            [0, 1, 4]
        """
        return _elements(self._stream(), positive(n, "n"), seconds)[0]

    def show(self, n: int = 20, *, seconds: float | None = None) -> None:
        """Print the first elements as a table; arguments and errors are those of :meth:`take`.

        Example:
            >>> from windrow.datastream import StreamExecutionEnvironment
            >>> env = StreamExecutionEnvironment.create_local_environment(parallelism=1)
            >>> env.from_collection([("harbour", 3), ("airport", 5), ("station", 8)]).show(2)
            f0       f1
            harbour   3
            airport   5
            the first 2 elements
        """
        stream = self._stream()
        elements, is_all = _elements(stream, positive(n, "n"), seconds, one_more=True)
        lines = text_table(elements)
        count = f"{len(elements)} element{'' if len(elements) == 1 else 's'}"
        lines.append(count if is_all else f"the first {count}")
        sys.stdout.write("".join(f"{line}\n" for line in lines))

    def to_arrow(self, limit: int | None = None, *, seconds: float | None = None) -> pa.Table:
        """Give the elements as a ``pyarrow.Table``: a column for each field, by its name, or ``f0``, ``f1``, ...

        Args:
            limit: How many elements, at most; None: all of a bounded stream, else 10,000.
            seconds: How long to wait for them; None: to the end of a bounded stream, else 10 seconds.

        Raises:
            ConfigurationError: ``limit`` or ``seconds`` is not positive.
            ElementError: the elements are not all of one form.
            UserFunctionError: a function of the program raised.

        Example:
            >>> from windrow.datastream import StreamExecutionEnvironment
            >>> env = StreamExecutionEnvironment.create_local_environment(parallelism=1)
            >>> env.from_collection([("harbour", 3), ("airport", 5)]).to_arrow().to_pydict()
            {'f0': ['harbour', 'airport'], 'f1': [3, 5]}
        """
        from windrow.elements.to_table import Tables

        stream = self._stream()
        wanted = None if limit is None else positive(limit, "limit")
        return Tables(stream.get_type()).table(_elements(stream, wanted, seconds)[0])

    def to_pandas(self, limit: int | None = None, *, seconds: float | None = None) -> pd.DataFrame:
        """Give the elements as a frame of pandas; arguments and errors are those of :meth:`to_arrow`."""
        return self.to_arrow(limit, seconds=seconds).to_pandas()

    def to_polars(self, limit: int | None = None, *, seconds: float | None = None) -> pl.DataFrame:
        """Give the elements as a frame of Polars; arguments and errors are those of :meth:`to_arrow`.

        Raises:
            UsageError: Polars is not installed.
        """
        try:
            import polars as pl
        except ImportError as error:
            msg = "to_polars needs Polars, which is not there: pip install polars, or take to_pandas() or to_arrow()"
            raise UsageError(msg) from error
        frame: pl.DataFrame = pl.from_arrow(self.to_arrow(limit, seconds=seconds))
        return frame

    def __repr__(self) -> str:
        stream = self._stream()
        return f"<{type(self).__name__} {stream.get_name()!r} of {stream.get_type()!r}>"

    def _repr_html_(self) -> str:
        stream = self._stream()
        try:
            sinks = [sink_alone(stream, "Collect", CollectSink())]
            return stream.get_execution_environment()._graph_html(sinks, with_sinks=False)
        except WindrowError as error:  # a program that cannot be run: it says so when it is
            return escape(f"{self!r}: {error}")

    def _stream(self) -> DataStream:
        return cast("DataStream", self)  # it is a part of that class


def _elements(
    stream: DataStream, limit: int | None, seconds: float | None, *, one_more: bool = False
) -> tuple[list[Any], bool]:
    """The first elements, and whether that is all of the stream.

    With ``one_more`` it is known of a bounded stream that has just as many as were asked for, too.
    """
    sink = CollectSink()
    job, settings = alone(stream, "Collect", sink)
    if job.unbounded:
        limit = DEFAULT_ELEMENTS if limit is None else limit
        seconds = DEFAULT_SECONDS if seconds is None else seconds
    if seconds is not None and not (isinstance(seconds, int | float) and seconds > 0):
        msg = f"seconds must be a number above 0; got {seconds!r}"
        raise ConfigurationError(msg)
    if job.unbounded:
        words = f"{stream.get_name()!r} has no end: it is read until there are {limit:,} elements, or for {seconds:g} s"
        sys.stderr.write(f"{words}\n")
    most = None if limit is None else limit + one_more
    elements: list[Any] = []
    with CloseableIterator(sink, submit(job, settings)) as iterator, _ended_after(seconds, sink) as over_time:
        while (most is None or len(elements) < most) and (element := next(iterator, _NONE)) is not _NONE:
            elements.append(element)
        reached_end = most is None or len(elements) < most
    return elements[:limit], reached_end and not over_time.is_set() and not job.unbounded


@contextmanager
def _ended_after(seconds: float | None, sink: CollectSink) -> Iterator[Event]:
    """After so many seconds no more elements come; tells whether that has happened."""
    over = Event()
    if seconds is None:
        yield over
        return

    def end() -> None:
        over.set()
        sink.end()

    timer = Timer(seconds, end)
    timer.daemon = True
    timer.start()
    try:
        yield over
    finally:
        timer.cancel()
        timer.join()
