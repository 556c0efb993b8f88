"""Brings a job to the workers: once as bytes, kept there per process."""

from __future__ import annotations

import dataclasses
import logging
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from typing import Any, TypeVar, cast

from windrow.connectors.collection import CollectionSource, CollectionSplit
from windrow.connectors.interfaces import WriterSink
from windrow.connectors.iterator_source import IteratorSource, Parts, SplitPart
from windrow.connectors.source import Source as SplitSource
from windrow.elements.codec import dumps_with_code, loads
from windrow.elements.program_classes import dumps_with_classes, use_classes
from windrow.errors import ConfigurationError, WindrowError
from windrow.graph.job_graph import Edge, Entry, JobGraph
from windrow.runtime.spark.captured import unpicklable_element_error, unpicklable_error
from windrow.runtime.spark.dependencies import Shipped
from windrow.runtime.spark.rows import SparkRow, encode
from windrow.runtime.spark.served_files import ServedFiles
from windrow.runtime.stage.chunk import ChunkRow

T = TypeVar("T")
_log = logging.getLogger("windrow")

_RUNS_KEPT = 8
#: What this worker process keeps of the runs it works for.
_KEPT: dict[tuple[str, Any], Any] = {}


@dataclass(frozen=True)
class ShippedJob:
    """A job graph on its way to the workers."""

    run: str
    data: bytes = field(repr=False)  # there may be passwords in it
    partitions: int
    #: What functions need besides their own code.
    needed: Shipped | None = None
    #: The socket of the program that shows what functions print; None: they print into a log of Spark's.
    prints: str | None = None
    #: Where workers write down what batches have read; None: no batch is ever run again.
    files: ServedFiles | None = None

    @staticmethod
    def of(
        job: JobGraph,
        run: str,
        partitions: int,
        needed: Shipped | None = None,
        prints: str | None = None,
    ) -> ShippedJob:
        """Leave behind what only the program's own process needs: sources' data and sinks that write there.

        Raises:
            UsageError: a function holds something that cannot go to another process; it names operator and variable.
        ConfigurationError: a secret cannot be had.
        """
        levels = [[_without_data(entry) for entry in level] for level in job.levels]
        sinks = [
            sink if isinstance(sink.sink, WriterSink) else dataclasses.replace(sink, sink=None)  # type: ignore[arg-type]
            for sink in job.sinks
        ]
        shipped = dataclasses.replace(job, levels=levels, sinks=sinks)
        given = [source.sample() for _, source in job.sources() if isinstance(source, CollectionSource)]
        return ShippedJob(run, _dumps(shipped, given), partitions, needed, prints)

    def at_work(self, *, in_folder: bool = True) -> AbstractContextManager[None]:
        """Let functions find what they need while they work in this process."""
        return nullcontext() if self.needed is None else self.needed.at_work(in_folder=in_folder)

    def use_classes(self) -> None:
        """Read and write state with the classes that came with the job, from now on: at the beginning of a task."""
        self.job()

    def job(self) -> JobGraph:
        """The job graph, read once per process; state is read with the classes that came with it."""
        job, classes = self.keep("job", lambda: loads(self.data))
        use_classes(classes)
        return cast("JobGraph", job)

    def dump_part(self, entry: Entry, part: SplitPart) -> bytes:
        """A part of a split on its way to the workers.

        Raises:
            UsageError: an element in it cannot be pickled.
        """
        try:
            return dumps_with_code(part)
        except Exception as error:
            values = part.values if isinstance(part, CollectionSplit) else ()
            raise unpicklable_element_error(f"source {entry.node.name!r}", values) or error from None

    def encode(self, row: ChunkRow, place: int) -> SparkRow:
        """A chunk's row as Spark's, to be put at ``place``.

        Raises:
            UsageError: an element in it cannot be pickled; it names the operator that has made it.
        """
        try:
            return encode(row, place)
        except Exception as error:
            who = f"operator {_producer(self.job(), row.edge)!r}"
            raise unpicklable_element_error(who, row.chunk.batch.elements) or error from None

    def keep(self, name: Any, make: Callable[[], T]) -> T:
        """Give what ``make`` makes when this process first asks for ``name`` in this run, and the same from then on."""
        key = (self.run, name)
        if key not in _KEPT:
            _KEPT[key] = make()
            _forget_old_runs()
        kept: T = _KEPT[key]
        return kept

    def forget(self, name: Any) -> None:
        """Keep it no longer; close it, if it can be closed."""
        _forget((self.run, name))


def _producer(job: JobGraph, edge: int) -> str:
    """The name of the operator that an edge comes from."""
    for node in job.nodes():
        if any(isinstance(taker, Edge) and taker.id == edge for _, taker in node.takers):
            return node.name
    return "unknown"


def _dumps(job: JobGraph, given: Any) -> bytes:
    try:
        return dumps_with_classes(job, given)
    except ConfigurationError:
        raise  # a secret that is not there
    except Exception as error:  # whatever the __reduce__ of a user's class raises
        raise unpicklable_error(job) or error from None


def _forget(key: tuple[str, Any]) -> None:
    kept = _KEPT.pop(key, None)
    if hasattr(kept, "close"):
        kept.close()


def _without_data(entry: Entry) -> Entry:
    source = entry.source
    if isinstance(source, IteratorSource):
        return dataclasses.replace(entry, source=source.for_readers())
    # The rows of a DataFrame come in parts as well.
    return entry if isinstance(source, SplitSource) else dataclasses.replace(entry, source=Parts())


def _forget_old_runs() -> None:
    """A worker process is used again for other runs; a few may be under way at the same time."""
    runs = list(dict.fromkeys(run for run, _ in _KEPT))
    for old in runs[:-_RUNS_KEPT]:
        for key in [key for key in _KEPT if key[0] == old]:
            try:
                _forget(key)
            except WindrowError:  # a function's own error in close(): no failure of the run that goes on here
                _log.warning("a run that is over could not be closed in a worker", exc_info=True)
