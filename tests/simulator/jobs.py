"""A program as a whole job: scripted source, key_by, window, and sinks that record."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from tests.simulator.compare import Outcome
from tests.simulator.program import Element, Event, Program, Status, Watermark
from tests.simulator.translate import LATE, key_of, spec_of, timestamp_of, value_of
from windrow.connectors.interfaces import DriverSink, PlannedSource, SourceBatch, Split
from windrow.graph.job_graph import JobGraph
from windrow.graph.partitioners import KeyGroupPartitioner
from windrow.graph.planner import JobSettings, Planner
from windrow.graph.transformations import (
    OneInputTransformation,
    PartitionTransformation,
    SideOutputTransformation,
    SinkTransformation,
    SourceTransformation,
)
from windrow.operators.base import Operator
from windrow.operators.window.spec import build
from windrow.testing import Record

_IDLE, _ACTIVE = "becomes idle", "becomes active"


@dataclass
class ScriptedSplit(Split):
    batches: list[SourceBatch]

    def read(self) -> Iterator[SourceBatch]:
        return iter(self.batches)


@dataclass
class ScriptedSource(PlannedSource):
    """Gives exactly these splits, in one channel each list; watermarks stand where the script has them."""

    script: list[list[ScriptedSplit]]

    def plan(self, parallelism: int) -> list[list[Split]]:
        return [list(splits) for splits in self.script]


class ReadStatus(Operator):
    """Makes marks among the elements what a generator makes: a channel becomes idle or active."""

    def process_element(self, value: Any, timestamp: int) -> None:
        if isinstance(value, str):
            self.context.output.emit_status(idle=value == _IDLE)
        else:
            self.context.output.emit(value, timestamp)


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


def make_job(program: Program, script: list[list[ScriptedSplit]], parallelism: int = 3) -> Job:
    """The job over these channels."""
    source = SourceTransformation(1, "script", [], source=ScriptedSource(script))
    status = OneInputTransformation(2, "status", [source], factory=ReadStatus, stateless=True)
    keyed = PartitionTransformation(3, "key", [status], partitioner=KeyGroupPartitioner(key_of))
    window = OneInputTransformation(4, "window", [keyed], factory=partial(build, spec_of(program)), stateless=False)
    late = SideOutputTransformation(5, "late", [window], tag_id=LATE)
    sink = MainSink()
    sinks = [
        SinkTransformation(6, "main", [window], sink=sink),
        SinkTransformation(7, "late", [late], sink=LateSink(sink.outcome)),
    ]
    graph = Planner(JobSettings("simulated", parallelism, 8, batch_mode=False, job_parameters={})).plan(sinks)
    return Job(graph, sink.outcome)
