"""A program as a whole job: scripted source, key_by, window, and sinks that record."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple

from tests.simulator.compare import Outcome
from tests.simulator.program import Element, Event, Program, Status, Watermark
from tests.simulator.translate import LATE, key_of, spec_of, timestamp_of, value_of
from windrow.common.time import Duration
from windrow.common.watermark_strategy import WatermarkStrategy
from windrow.connectors.interfaces import DriverSink
from windrow.connectors.iterator_source import IteratorSource, SourceBatch, SplitPart
from windrow.datastream.functions import WindowFunction
from windrow.datastream.window import TumblingEventTimeWindows
from windrow.graph.job_graph import JobGraph
from windrow.graph.partitioners import KeyGroupPartitioner
from windrow.graph.planner import JobSettings, Planner
from windrow.graph.transformations import (
    OneInputTransformation,
    PartitionTransformation,
    SideOutputTransformation,
    SinkTransformation,
    SourceTransformation,
    Transformation,
)
from windrow.operators.base import Operator
from windrow.operators.watermarks.timestamps_and_watermarks import TimestampsAndWatermarksOperator
from windrow.operators.window.spec import WindowSpec, build
from windrow.testing import Record

_IDLE, _ACTIVE = "becomes idle", "becomes active"


@dataclass
class ScriptedSplit(SplitPart):
    batches: list[SourceBatch]

    def read(self) -> Iterator[SourceBatch]:
        return iter(self.batches)


@dataclass
class ScriptedSource(IteratorSource):
    """Gives exactly these splits, in one channel each list; watermarks stand where the script has them."""

    script: list[list[ScriptedSplit]]

    def plan(self, parallelism: int) -> list[list[SplitPart]]:
        return [list(splits) for splits in self.script]


class ReadStatus(Operator):
    """Makes marks among the elements what a generator makes: a channel becomes idle or active."""

    def process_element(self, value: Any, timestamp: int) -> None:
        if isinstance(value, str):
            self.context.output.emit_status(idle=value == _IDLE)
        else:
            self.context.output.emit(value, timestamp)


class BoundedDisorder(NamedTuple):
    """A watermark generator that is asked after ``every`` elements of a channel."""

    bound: int
    every: int

    def operator(self) -> Operator:
        strategy = WatermarkStrategy.for_bounded_out_of_orderness(Duration.of_millis(self.bound))
        return TimestampsAndWatermarksOperator(strategy, emit_every=self.every)


@dataclass
class MainSink(DriverSink):
    outcome: Outcome = field(default_factory=Outcome)

    def deliver(self, values: Sequence[Any], timestamps: Sequence[int]) -> None:
        for value, timestamp in zip(values, timestamps, strict=True):
            self.outcome.record(value, int(timestamp))

    def deliver_watermark(self, timestamp: int) -> None:
        self.outcome.watermark()


@dataclass
class LateSink(DriverSink):
    outcome: Outcome

    def deliver(self, values: Sequence[Any], timestamps: Sequence[int]) -> None:
        self.outcome.late += map(Record, values, map(int, timestamps))


@dataclass
class Job:
    graph: JobGraph
    #: What has reached the sinks; counters are what the runtime says.
    outcome: Outcome

    def counted(self, counters: Any) -> Outcome:
        """The outcome with what the operators counted."""
        for counter in counters.values():
            self.outcome.counters.update(counter)
        return self.outcome


def source_batches(events: Sequence[Event], *, merged: bool) -> list[SourceBatch]:
    """Events as a source gives them: each alone, or ``merged``, runs of elements with the watermark behind them."""
    batches: list[SourceBatch] = []
    for event in events:
        match event:
            case Element():
                batch = SourceBatch([value_of(event)], [timestamp_of(event)])
            case Watermark(time):
                batch = SourceBatch((), (), watermark=time)
            case Status(idle):
                batch = SourceBatch([_IDLE if idle else _ACTIVE], [0])
        if merged and batches and batches[-1].watermark is None:
            last = batches.pop()
            batch = SourceBatch([*last.values, *batch.values], [*last.timestamps, *batch.timestamps], batch.watermark)
        batches.append(batch)
    return batches


#: The size of the windows of a job's second window operation.
SECOND_SIZE = 20


def second_key(value: Any) -> int:
    """The key of a first window's result in the second window operation."""
    return len(repr(value)) % 5


class Gather(WindowFunction):
    """All results in a window, in an order of their own: of different keys they come in any order."""

    def apply(self, key: Any, window: Any, inputs: Iterable[Any]) -> Iterable[Any]:
        yield "gathered", key, tuple(sorted(inputs, key=repr))


def make_job(
    program: Program,
    script: list[list[ScriptedSplit]],
    parallelism: int = 3,
    *,
    consecutive: bool = False,
    generator: BoundedDisorder | None = None,
    outcome: Outcome | None = None,
) -> Job:
    """The job over these channels.

    ``consecutive``: with a second window operation on the results of the first. ``generator``: makes watermarks.
    ``outcome``: where results go that are added to those of another run; None: to a new one.
    """
    source = SourceTransformation(1, "script", [], source=ScriptedSource(script))
    status = OneInputTransformation(2, "status", [source], factory=ReadStatus, stateless=True)
    timed: Transformation = status
    if generator is not None:
        timed = OneInputTransformation(10, "watermarks", [status], factory=generator.operator, stateless=False)
    keyed = PartitionTransformation(3, "key", [timed], partitioner=KeyGroupPartitioner(key_of))
    window = OneInputTransformation(4, "window", [keyed], factory=partial(build, spec_of(program)), stateless=False)
    late = SideOutputTransformation(5, "late", [window], tag_id=LATE)
    sink = MainSink(outcome or Outcome())
    results: Transformation = window
    if consecutive:
        spec = WindowSpec(TumblingEventTimeWindows.of(SECOND_SIZE), function=Gather())
        again = PartitionTransformation(8, "key", [window], partitioner=KeyGroupPartitioner(second_key))
        results = OneInputTransformation(9, "second", [again], factory=partial(build, spec), stateless=False)
    sinks = [
        SinkTransformation(6, "main", [results], sink=sink),
        SinkTransformation(7, "late", [late], sink=LateSink(sink.outcome)),
    ]
    graph = Planner(JobSettings("simulated", parallelism, 8, batch_mode=False, job_parameters={})).plan(sinks)
    return Job(graph, sink.outcome)
