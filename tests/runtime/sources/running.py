"""Running one reader of a job batch by batch, as a runtime does, with batches that fail and are run again."""

from __future__ import annotations

import copy
from typing import Any

from windrow.common import Configuration, WatermarkStrategy
from windrow.connectors.interfaces import DriverSink
from windrow.datastream import StreamExecutionEnvironment
from windrow.graph.job_graph import JobGraph
from windrow.runtime.local.executor import LocalExecutor
from windrow.runtime.sources.host import SourceHost
from windrow.runtime.sources.messages import AddSplits, NoMoreSplits
from windrow.runtime.sources.read_record import ReadRecords
from windrow.runtime.sources.reading import ReadSettings
from windrow.state.page_store import MemoryPageStore
from windrow.storage.local_folder import LocalFolder

MONOTONOUS = WatermarkStrategy.for_monotonous_timestamps()


class Shown(DriverSink):
    """What arrives, in order: (value, timestamp), and watermarks as integers."""

    def __init__(self) -> None:
        self.events: list[Any] = []

    def deliver(self, values: Any, timestamps: Any) -> None:
        self.events += zip(values, map(int, timestamps), strict=True)

    def deliver_watermark(self, timestamp: int) -> None:
        self.events.append(timestamp)

    @property
    def values(self) -> list[Any]:
        return [event[0] for event in self.events if isinstance(event, tuple)]


def environment(parallelism: int = 1, **settings: Any) -> StreamExecutionEnvironment:
    """An environment of the local runtime; settings with "__" for "." and "_" for "-"."""
    names = {name.replace("__", ".").replace("_", "-"): str(value) for name, value in settings.items()}
    configuration = Configuration.from_dict({"windrow.runtime": "local", **names})
    return StreamExecutionEnvironment.get_execution_environment(configuration).set_parallelism(parallelism)


def job_of(source: Any, strategy: Any = MONOTONOUS, parallelism: int = 1, **settings: Any) -> tuple[JobGraph, Shown]:
    """The job that reads the source and shows what arrives."""
    env = environment(parallelism, **settings)
    shown = Shown()
    env.from_source(source, strategy, "scripted").sink_to(shown)
    return env._plan(env._program.sinks()), shown


def executor_of(source: Any, strategy: Any = MONOTONOUS, *, batch_size: int | None = None, **more: Any) -> Any:
    """A local run of that job, and what it shows."""
    clock = more.pop("clock", None)
    job, shown = job_of(source, strategy, **more)
    return LocalExecutor(job, batch_size, **({} if clock is None else {"clock": clock})), shown


class OneReader:
    """Reader 0 of the job's only source; what it emits, batch by batch.

    Args:
        source: The source.
        strategy: Its watermark strategy.
        directory: Where is written down what batches have read; None: nowhere.
        settings: How much a batch reads.
    """

    def __init__(self, source: Any, strategy: Any = MONOTONOUS, directory: Any = None, **settings: Any) -> None:
        configuration = settings.pop("configuration", {})
        self.job, _ = job_of(source, strategy, **configuration)
        self._settings = ReadSettings(**{"wait": 0, **settings})
        self._directory = directory
        self.store = MemoryPageStore()
        #: The tickets of the reader that it has woken with.
        self.woken: list[bytes] = []
        self.host = self._new_host()
        self.before: dict[str, bytes] = {}
        self.sent: list[Any] = []

    def run(self, *messages: Any, now: int = 0, end: bool = False) -> list[Any]:
        """A batch: the elements as (value, timestamp), and what stands between them."""
        self.before = copy.copy(self.store.pages)
        return self._run(messages, now, end=end)

    def again(
        self, *messages: Any, source: Any = None, now: int = 0, end: bool = False, keep: bool = False
    ) -> list[Any]:
        """The last batch once more, in another process; ``source``: what the source has become since.

        ``keep``: the process of before runs on.
        """
        self.remake(source, keep=keep)
        self.store = MemoryPageStore(copy.copy(self.before))
        return self._run(messages, now, end=end)

    def remake(self, source: Any = None, *, keep: bool = False) -> None:
        """Another process takes over; the one of before ends, unless it is kept."""
        if source is not None:
            self.job.levels[0][0].source = source
        if not keep:
            self.host.close()
        self.host = self._new_host()

    def _new_host(self) -> SourceHost:
        records = None if self._directory is None else ReadRecords(LocalFolder(self._directory))
        return SourceHost(self.job, self._settings, records, self.woken.append)

    def _run(self, messages: Any, now: int, *, end: bool) -> list[Any]:
        events: list[Any] = []
        for row in self.host.run_reader(0, messages, self.store, now, end=end):
            events += merged(row.chunk)
        self.sent = self.host.take_sent().get(self.job.levels[0][0].node.tag, {}).get(0, [])
        return events


def merged(chunk: Any) -> list[Any]:
    """A chunk's elements and control events in their order."""
    count = len(chunk.batch)
    cuts = [count] * len(chunk.controls) if chunk.cuts is None else chunk.cuts
    elements = list(zip(chunk.batch.elements, map(int, chunk.batch.timestamps), strict=True))
    events: list[Any] = []
    start = 0
    for cut, control in zip(cuts, chunk.controls, strict=True):
        events += [*elements[start:cut], control]
        start = cut
    return events + elements[start:]


def splits_for(source: Any, *splits: Any, more: bool = False) -> list[Any]:
    """The messages that bring splits to a reader, and unless ``more`` come that these are all."""
    serializer = source.get_split_serializer()
    added = AddSplits([serializer.serialize(split) for split in splits], serializer.get_version())
    return [added] if more else [added, NoMoreSplits()]
