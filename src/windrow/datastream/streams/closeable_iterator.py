"""The iterator that ``execute_and_collect`` returns."""

from __future__ import annotations

from collections.abc import Iterator
from types import TracebackType
from typing import Any, Self

from windrow.common.job_client import RunningJob
from windrow.connectors.collect import CollectSink
from windrow.errors import for_programs


class CloseableIterator(Iterator[Any]):
    """The elements of a stream, while the job that makes them runs.

    Close it, or use it in a ``with`` statement, to stop the job before the last element. An error that ends the job
    is raised behind the elements that came before it. Ctrl-C while it waits for an element stops the job, too.
    """

    def __init__(self, sink: CollectSink, job: RunningJob) -> None:
        self._sink = sink
        self._job = job
        self._taken: Iterator[Any] = iter(())
        self._closed = False
        job.result.add_done_callback(lambda _: sink.end())

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> Any:
        for element in self._taken:
            return element
        if self._closed:  # that the job was cancelled is no error: it was asked for
            raise StopIteration
        try:
            elements = self._sink.take()
        except KeyboardInterrupt:
            self.close()
            raise
        if not elements:
            error = self._job.result.exception() if self._job.result.done() else None
            if error is not None:
                raise for_programs(error)
            raise StopIteration
        self._taken = iter(elements)
        return next(self._taken)

    def next(self) -> Any:
        """The next element.

        Raises:
            StopIteration: there is none left.
        """
        return next(self)

    def close(self) -> None:
        """Stop the job if it still runs; no more elements come."""
        self._closed = True
        self._taken = iter(())
        self._sink.close()
        if not self._job.result.done():
            self._job.cancel()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()
