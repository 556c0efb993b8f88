"""What a runtime needs of a source and of a sink.

A source is planned once, before the job runs: channels, each a list of splits in the order they are to be read. A
channel is what has a watermark of its own. A sink either takes elements in the program's own process, in order, or is
written by the workers and committed once per batch.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, NamedTuple, Self

from windrow.common.typeinfo import TypeInformation


class SourceBatch(NamedTuple):
    """Elements of a split, in order."""

    values: Sequence[Any]
    #: None: the source gives no timestamps.
    timestamps: Sequence[int] | None = None
    #: A watermark that the source itself puts behind these elements; None for none.
    watermark: int | None = None
    #: For elements that go to a side output instead (malformed lines, say): its name.
    side: str | None = None
    #: Processing time behind these elements, in a job whose source sets it.
    processing_time: int | None = None


class Split(ABC):
    """A part of a source that one reader reads from its beginning to its end; must pickle."""

    @abstractmethod
    def read(self) -> Iterator[SourceBatch]:
        """The elements, some thousands at a time, the same at every call."""

    def cut(self, elements: int) -> list[Split]:
        """The split as several of at most ``elements`` elements; a split that cannot be cut stays whole."""
        return [self]


class Source(ABC):
    """Where elements come from."""

    #: Whether the source has an end.
    bounded: bool = True
    #: The type of its elements, where it is always the same; None: it says nothing about it.
    produced_type: TypeInformation | None = None

    @abstractmethod
    def channels(self, parallelism: int) -> int:
        """How many channels :meth:`plan` gives."""


class PlannedSource(Source):
    """A bounded source all of whose splits are known before the job runs."""

    @abstractmethod
    def plan(self, parallelism: int) -> list[list[Split]]:
        """The splits of each channel, in reading order."""

    def channels(self, parallelism: int) -> int:
        return len(self.plan(parallelism))


class Sink:
    """Where elements go."""

    def for_type(self, type_info: Any) -> Self:
        """The sink for a stream whose declared type is ``type_info``; itself, if that makes no difference."""
        return self

    def target(self) -> str | None:
        """What only one sink of a job may write to, as text; None: there is no such thing."""
        return None


class DeliveryGuarantee(Enum):
    """How often an element may show in a sink after a failure.

    A sink that cannot give less than it is asked for gives more.
    """

    EXACTLY_ONCE = 0
    AT_LEAST_ONCE = 1
    NONE = 2


class DriverSink(Sink, ABC):
    """A sink in the program's own process: ``print``, ``execute_and_collect``, tests."""

    #: Its name in the job, for errors.
    name: str = "sink"

    @abstractmethod
    def deliver(self, values: Sequence[Any], timestamps: Sequence[int]) -> None:
        """Take elements, in the order of the stream; called once per committed batch at least."""

    def deliver_watermark(self, timestamp: int) -> None:
        """A watermark of the stream, in its place among the elements."""


@dataclass(frozen=True)
class WriterContext:
    """Who writes: the batch (0, 1, ...) and the partition in it. Together they name what is written."""

    batch: int
    partition: int
    #: The sink's name, for errors.
    sink: str = "sink"
    #: The job, by a name that it keeps over restarts from its checkpoint; None: no batch is ever run again.
    job: str | None = None
    #: The sink's tag: it tells the sinks of a job apart, in every run of it.
    tag: str = ""


class SinkWriter(ABC):
    """Writes the elements of one sink in one partition of one batch, on a worker."""

    @abstractmethod
    def write(self, values: Sequence[Any], timestamps: Sequence[int]) -> None:
        """Write elements; nobody sees them before the commit."""

    @abstractmethod
    def prepare_commit(self) -> Any:
        """End writing; what is returned (it must pickle) is handed to the sink's commit. None: nothing to commit."""

    def abort(self) -> None:  # noqa: B027  (a writer that leaves nothing behind need not do anything)
        """The batch has failed: remove what was written."""


class WriterSink(Sink, ABC):
    """A sink that workers write and the driver commits; must pickle."""

    @abstractmethod
    def create_writer(self, context: WriterContext) -> SinkWriter: ...

    @abstractmethod
    def commit(self, batch: int, committables: Sequence[Any]) -> None:
        """Make the batch visible. Called again with equal arguments when a batch is run again: must be idempotent."""

    def forget(self, job: str) -> None:
        """The job has no checkpoint and has finished, so none of its batches is run again: remove what that was for."""
