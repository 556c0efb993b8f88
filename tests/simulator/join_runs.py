"""Runs an interval join as a job, locally or on Spark, and compares what it gives with what the oracle expects."""

from __future__ import annotations

import sys
import uuid
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import cloudpickle

from tests.simulator import join_oracle, join_program
from tests.simulator.jobs import ReadStatus, ScriptedSource, ScriptedSplit, source_batches
from tests.simulator.join_oracle import JoinOracle, Pair
from tests.simulator.join_program import JoinProgram
from tests.simulator.program import Event
from tests.simulator.spark_run import shipped_by_value
from tests.simulator.translate import key_of
from windrow.common.configuration import Configuration
from windrow.connectors.interfaces import DriverSink
from windrow.datastream.functions import ProcessJoinFunction
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
    TwoInputTransformation,
)
from windrow.operators.base import LATE_RECORDS
from windrow.operators.interval_join import Interval, interval_join_operator
from windrow.runtime.local.executor import LocalExecutor
from windrow.storage.local_folder import LocalFolder

_LATE = "late left", "late right"
_PARALLELISM = 2


@dataclass
class JoinOutcome:
    """What a run gave."""

    segments: list[list[Pair]] = field(default_factory=lambda: [[]])
    #: The ids and timestamps of late elements, by side output.
    late: dict[str, list[tuple[int, int]]] = field(default_factory=lambda: {tag: [] for tag in _LATE})
    dropped: int = 0
    #: How many pages hold keys when the input has ended.
    pages_left: int = 0


class ShowPair(ProcessJoinFunction):
    """What was joined, as a plain tuple, and the times that the context tells."""

    def process_element(self, left: Any, right: Any, ctx: Any) -> Iterable[Any]:
        yield left[0], left[1][0], right[1][0], ctx.get_left_timestamp(), ctx.get_right_timestamp(), ctx.get_timestamp()


@dataclass
class _PairSink(DriverSink):
    outcome: JoinOutcome

    def deliver(self, values: Sequence[Any], timestamps: Sequence[int]) -> None:
        for value, timestamp in zip(values, timestamps, strict=True):
            assert value[5] == timestamp
            self.outcome.segments[-1].append(Pair(*value))

    def deliver_watermark(self, timestamp: int) -> None:
        self.outcome.segments.append([])


@dataclass
class _LateSink(DriverSink):
    outcome: JoinOutcome
    tag: str

    def deliver(self, values: Sequence[Any], timestamps: Sequence[int]) -> None:
        self.outcome.late[self.tag] += [
            (value[1][0], int(time)) for value, time in zip(values, timestamps, strict=True)
        ]


def make_job(program: JoinProgram, script: Sequence[list[ScriptedSplit]]) -> tuple[JobGraph, JoinOutcome]:
    """The job over these channels, and where its results will be."""
    outcome = JoinOutcome()
    first = _stream(1, list(script[: program.left_channels]))
    second = _stream(11, list(script[program.left_channels :]))
    tags = _LATE if program.side_output else (None, None)
    make = partial(interval_join_operator, ShowPair(), Interval(program.lower, program.upper), *tags)
    join = TwoInputTransformation(20, "join", [first, second], factory=make)
    sinks = [SinkTransformation(21, "pairs", [join], sink=_PairSink(outcome))]
    for number, tag in enumerate(_LATE):
        side = SideOutputTransformation(30 + number, tag, [join], tag_id=tag)
        sinks.append(SinkTransformation(40 + number, tag, [side], sink=_LateSink(outcome, tag)))
    settings = JobSettings("join", _PARALLELISM, 8, batch_mode=False, job_parameters={})
    return Planner(settings).plan(sinks), outcome


def _stream(first_id: int, script: list[list[ScriptedSplit]]) -> Transformation:
    source = SourceTransformation(first_id, "script", [], source=ScriptedSource(script))
    status = OneInputTransformation(first_id + 1, "status", [source], factory=ReadStatus, stateless=True)
    return PartitionTransformation(first_id + 2, "key", [status], partitioner=KeyGroupPartitioner(key_of))


def run_locally(
    program: JoinProgram,
    channels: Sequence[Sequence[Event]],
    batch_size: int | None = None,
    restarts: frozenset[int] = frozenset(),
) -> JoinOutcome:
    """``restarts`` are numbers of batches behind which all operators are made anew from their state."""
    graph, outcome = make_job(program, [[ScriptedSplit(source_batches(events, merged=False))] for events in channels])
    executor = LocalExecutor(graph, batch_size, clock=lambda: 0)
    try:
        batch = 0
        while executor.run_batch():
            if batch in restarts:
                executor.restart()
            batch += 1
    finally:
        executor.close()
    return _with_dropped(outcome, executor.totals.counters)


def run_on_spark(
    spark: Any, program: JoinProgram, channels: Sequence[Sequence[Event]], batch_size: int, checkpoint: Path, stop: int
) -> JoinOutcome:
    """A streaming query, stopped behind the micro-batch ``stop`` and started again on its checkpoint."""
    from windrow.runtime.spark.checkpoint import Checkpoint
    from windrow.runtime.spark.shipping import ShippedJob
    from windrow.runtime.spark.stream_run import StreamRun
    from windrow.runtime.spark.stream_settings import StreamSettings

    script = []
    for events in channels:
        batches = source_batches(events, merged=False)
        script.append([ScriptedSplit(batches[at : at + batch_size]) for at in range(0, len(batches), batch_size)])
    graph, outcome = make_job(program, script)
    with _shipped():
        for last in (stop, None):
            kept = Checkpoint(LocalFolder(checkpoint), graph, _PARALLELISM)
            shipped = ShippedJob.of(graph, uuid.uuid4().hex[:12], _PARALLELISM)
            run = StreamRun(spark, graph, shipped, kept, StreamSettings(splits_per_batch=1))
            if last is None:
                run.wait()
            else:
                run.wait_for_batch(last)
                run.cancel()
    return outcome


def run_batch_query(spark: Any, program: JoinProgram, channels: Sequence[Sequence[Event]]) -> JoinOutcome:
    """One batch query over everything."""
    from windrow.runtime.spark.run import SparkRun

    graph, outcome = make_job(program, [[ScriptedSplit(source_batches(events, merged=False))] for events in channels])
    with _shipped():
        return _with_dropped(outcome, _counters(SparkRun(graph, Configuration(), spark=spark).wait()))


def _counters(waited: Any) -> Any:
    return getattr(waited, "counters", waited)


def _with_dropped(outcome: JoinOutcome, counters: Any) -> JoinOutcome:
    outcome.dropped = sum(counter[LATE_RECORDS] for counter in counters.values())
    return outcome


@contextmanager
def _shipped() -> Iterator[None]:
    modules = join_program, join_oracle, sys.modules[__name__]
    with shipped_by_value():
        for module in modules:
            cloudpickle.register_pickle_by_value(module)
        try:
            yield
        finally:
            for module in modules:
                cloudpickle.unregister_pickle_by_value(module)


def difference(oracle: JoinOracle, outcome: JoinOutcome, *, dropped: bool = True) -> str | None:
    """The first difference, in words; None if there is none. Pairs of one key have an order."""
    if len(oracle.segments) != len(outcome.segments):
        return f"{len(oracle.segments) - 1} watermarks were expected, {len(outcome.segments) - 1} came"
    for number, (expected, actual) in enumerate(zip(oracle.segments, outcome.segments, strict=True)):
        if _by_key(expected) != _by_key(actual):
            return f"before watermark {number}: expected {expected}, got {actual}"
    late = {tag: Counter[tuple[int, int | None]]() for tag in _LATE}
    for element in oracle.late:
        late[_LATE[0 if oracle.program.is_left(element.id) else 1]][element.id, element.timestamp] += 1
    for tag, of_side in late.items():
        if of_side != Counter(outcome.late[tag]):
            return f"{tag}: expected {of_side}, got {outcome.late[tag]}"
    if outcome.pages_left:
        return f"{outcome.pages_left} pages of state are left when nothing can be joined any more"
    if dropped and oracle.dropped != outcome.dropped:
        return f"dropped as late: expected {oracle.dropped}, got {outcome.dropped}"
    return None


def _by_key(pairs: Sequence[Pair]) -> dict[Any, list[Pair]]:
    by_key: dict[Any, list[Pair]] = {}
    for pair in pairs:
        by_key.setdefault(pair.key, []).append(pair)
    return by_key
