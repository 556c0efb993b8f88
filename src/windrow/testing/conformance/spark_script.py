"""A case as micro-batches: the sources that give them, and the sinks that keep what comes out."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from windrow.connectors.interfaces import DriverSink
from windrow.connectors.iterator_source import IteratorSource, SourceBatch, SplitPart
from windrow.connectors.source import Boundedness
from windrow.graph.transformations import SourceTransformation, Transformation
from windrow.testing.outputs import OutputItem, Record, WatermarkOut


@dataclass
class MicroBatch(SplitPart):
    """The elements of one source in one micro-batch of a case."""

    batches: list[SourceBatch] = field(default_factory=list)

    def read(self) -> Iterator[SourceBatch]:
        return iter(self.batches)


@dataclass
class ScriptedSource(IteratorSource):
    """All micro-batches up to a restart, in one channel that has no end."""

    splits: list[MicroBatch]

    def get_boundedness(self) -> Boundedness:
        return Boundedness.CONTINUOUS_UNBOUNDED

    def plan(self, parallelism: int) -> list[list[SplitPart]]:
        return [list(self.splits)]


class Recorder(DriverSink):
    """Keeps what a stream gives, in order."""

    def __init__(self) -> None:
        self.items: list[OutputItem] = []

    def deliver(self, values: Sequence[Any], timestamps: Sequence[int]) -> None:
        self.items += [Record(value, int(timestamp)) for value, timestamp in zip(values, timestamps, strict=True)]

    def deliver_watermark(self, timestamp: int) -> None:
        self.items.append(WatermarkOut(timestamp))


class SparkCase(ABC):
    """Holds what differs between the kinds of cases."""

    #: How many sources the job has.
    sources: int
    #: The tags of the side outputs that cases look at.
    side_tags: Sequence[str]

    @abstractmethod
    def inputs(self, step: dict[str, Any]) -> Iterator[tuple[int, SourceBatch]]:
        """Say what a step gives to which source.

        Raises:
            ConformanceFailure: the step is not known.
        """

    @abstractmethod
    def operator(self, sources: Sequence[SourceTransformation]) -> Transformation:
        """The operator under test, behind its sources; ids from 10 to 19 are free for what is in between."""

    @abstractmethod
    def check_output(self, since_last: Sequence[OutputItem], all_items: Sequence[OutputItem], step: Any) -> None:
        """Check a step's expectations of the main output: ``since_last`` is what came since the last ``expect``."""

    @abstractmethod
    def check_side(self, records: Mapping[str, Sequence[Record]], expected: list[dict[str, Any]]) -> None:
        """Compare the whole side outputs, by tag."""


@dataclass
class Script:
    """A case as micro-batches, and how many of them stand before each step's check."""

    #: The micro-batches of each source; all sources have as many.
    splits: list[list[MicroBatch]]
    #: For each step, the number of micro-batches up to and including it.
    reached: list[int] = field(default_factory=list)
    #: Numbers of micro-batches after which the query is stopped and started again; last, all of them.
    stops: list[int] = field(default_factory=list)

    @staticmethod
    def of(case: SparkCase, steps: Sequence[dict[str, Any]]) -> Script:
        """A micro-batch ends behind a watermark, a processing time and a check, and where another source is next."""
        script = Script([[] for _ in range(case.sources)])
        open_source: int | None = None
        for step in steps:
            for source, batch in case.inputs(step):
                if source != open_source:
                    script._begin()
                script.splits[source][-1].batches.append(batch)
                open_source = source if batch.watermark is None and batch.processing_time is None else None
            if any(key.startswith("expect") for key in step) or "snapshot_restore" in step:
                open_source = None
            if "snapshot_restore" in step:
                script.stops.append(script.length)
            script.reached.append(script.length)
        script.stops.append(script.length)
        return script

    @property
    def length(self) -> int:
        """The number of micro-batches."""
        return len(self.splits[0])

    def _begin(self) -> None:
        for of_source in self.splits:
            of_source.append(MicroBatch())
