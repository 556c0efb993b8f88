"""The interfaces of sources and sinks to a runtime.

A source has channels, each with a watermark of its own; how they are read is said in ``connectors/source/``. A sink
either takes elements in the program's own process, in order, or is written by the workers and committed once per batch.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any, ClassVar, Self

from windrow.common.typeinfo import TypeInformation

if TYPE_CHECKING:
    from windrow.elements.shape import Shape


class Source(ABC):
    """Base of sources: gives a job its elements."""

    #: Whether the source has an end.
    bounded: bool = True
    #: The type of its elements, where it is always the same; None: it says nothing about it.
    produced_type: TypeInformation | None = None

    def produced_shape(self) -> Shape | None:
        """Give the shape of its elements, if they come as columns; None: they are rows, or it is not known yet."""
        return None

    @abstractmethod
    def channels(self, parallelism: int) -> int:
        """Give the number of channels that the source has in a job of this parallelism."""


class Sink:
    """Base of sinks: takes the elements that leave a job."""

    def for_type(self, type_info: Any) -> Self:
        """The sink for a stream whose declared type is ``type_info``; itself, if that makes no difference."""
        return self

    def target(self) -> str | None:
        """Name what only one sink of a job may write to; None: others may write to the same."""
        return None


class DeliveryGuarantee(Enum):
    """The guarantee of a sink after a failure: elements show once, at least once, or any number of times.

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
    """The place of a writer: the batch (0, 1, ...) and the partition in it. Together they name what is written.

    Partitions of rows that an earlier level of the job has made are counted on behind those of the last one.
    """

    batch: int
    partition: int
    #: The sink's name, for errors.
    sink: str = "sink"
    #: The job, by a name that it keeps over restarts from its checkpoint; None: no batch is ever run again, or the sink
    #: is ``hidden_until_commit`` and has no need of it.
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

    #: Whether nobody sees before the commit what its writers have written, ``prepare_commit`` included. Then a level of
    #: the job writes its rows when it has made them, and not when those of all levels are there. The context of its
    #: writers says no job.
    hidden_until_commit: ClassVar[bool] = False

    @abstractmethod
    def create_writer(self, context: WriterContext) -> SinkWriter: ...

    @abstractmethod
    def commit(self, batch: int, committables: Sequence[Any]) -> None:
        """Make the batch visible. Called again with equal arguments when a batch is run again: must be idempotent."""

    def forget(self, job: str) -> None:
        """The job has no checkpoint and has finished, so none of its batches is run again: remove what that was for."""
