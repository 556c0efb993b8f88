"""The side of a source that reads splits; one of it runs in every subtask, on Spark's executors."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping, Sequence
from concurrent.futures import Future
from enum import Enum
from typing import Any, Generic, TypeVar

from windrow.common.configuration import Configuration
from windrow.common.limits import NO_TIMESTAMP
from windrow.common.watermark import Watermark, WatermarkOutput
from windrow.connectors.source.split import SourceEvent, SourceSplit
from windrow.datastream.output_tag import OutputTag
from windrow.metrics import MetricGroup

T = TypeVar("T")
SplitT = TypeVar("SplitT", bound=SourceSplit)


class InputStatus(Enum):
    """Says what comes after a call of ``poll_next`` (Flink's ``org.apache.flink.core.io.InputStatus``)."""

    #: There is more at once: poll again.
    MORE_AVAILABLE = "more_available"
    #: There is nothing now: poll again when ``is_available`` is done.
    NOTHING_AVAILABLE = "nothing_available"
    #: There will never be more.
    END_OF_INPUT = "end_of_input"


class SourceOutput(WatermarkOutput, Generic[T]):
    """Takes what a reader reads of one split; its watermarks are that split's.

    Flink's ``org.apache.flink.api.connector.source.SourceOutput``.
    """

    @abstractmethod
    def collect(self, record: T, timestamp: int = NO_TIMESTAMP) -> None:
        """Emit an element.

        Args:
            record: The element.
            timestamp: Its own timestamp, in milliseconds: the watermark strategy's assigner sees it. -2^63 for none.
        """

    @abstractmethod
    def collect_batch(self, records: Sequence[T], timestamps: Sequence[int] | None = None) -> None:
        """Emit many elements at once, in order, which is quicker than one by one; Flink has no such method."""

    @abstractmethod
    def collect_side(self, tag: OutputTag, value: Any, timestamp: int = NO_TIMESTAMP) -> None:
        """Emit to a side output of the source, what cannot be read as an element, say; Flink has no such method."""

    @abstractmethod
    def emit_watermark(self, watermark: Watermark) -> None:
        """Emit a watermark of the source's own, as a punctuated generator would."""


class ReaderOutput(SourceOutput[T]):
    """The output of a whole reader, and of single splits (Flink's ``ReaderOutput``).

    Elements that are emitted here and not to the output of a split share one watermark generator.
    """

    @abstractmethod
    def create_output_for_split(self, split_id: str) -> SourceOutput[T]:
        """The output of one split, with a watermark generator of its own; the same one until it is released."""

    @abstractmethod
    def release_output_for_split(self, split_id: str) -> None:
        """The split is read to its end: it holds no watermark back any more."""


class SourceReaderContext(ABC):
    """Serves a reader (Flink's ``SourceReaderContext``)."""

    #: The source's name in the job, for errors.
    source_name: str = "source"

    @abstractmethod
    def get_index_of_subtask(self) -> int:
        """This reader's number, from 0."""

    @abstractmethod
    def current_parallelism(self) -> int:
        """Count the readers of the source."""

    @abstractmethod
    def get_local_host_name(self) -> str:
        """The name of the host the reader runs on."""

    @abstractmethod
    def get_configuration(self) -> Configuration:
        """The job's configuration."""

    @abstractmethod
    def metric_group(self) -> MetricGroup:
        """Give the group where the reader's metrics are registered."""

    @abstractmethod
    def send_split_request(self) -> None:
        """Ask the enumerator for a split. It hears of it when the current batch is committed."""

    @abstractmethod
    def send_source_event_to_coordinator(self, source_event: SourceEvent) -> None:
        """Send an event to the enumerator. It hears of it when the current batch is committed."""


class SourceReader(ABC, Generic[T, SplitT]):
    """Reads splits (Flink's ``org.apache.flink.api.connector.source.SourceReader``).

    ``poll_next`` is called again and again; it should give a few records at a time and never wait. All calls come from
    one thread. A reader lives as long as its process does, and is made anew from its splits when that ends.
    """

    @abstractmethod
    def start(self) -> None:
        """Called once, behind ``add_splits`` for what a checkpoint knows; a reader that asks for splits begins here."""

    @abstractmethod
    def poll_next(self, output: ReaderOutput[T]) -> InputStatus:
        """Emit the next records, if there are any, and say what comes after."""

    @abstractmethod
    def snapshot_state(self, checkpoint_id: int) -> list[SplitT]:
        """The splits that are not read to their end, each from where the records emitted so far end."""

    @abstractmethod
    def is_available(self) -> Future[None]:
        """Done when ``poll_next`` has something to give; asked for after NOTHING_AVAILABLE.

        Whoever fetches has to complete it, and not ``poll_next``: a job in which no reader has anything does not poll
        until one of these futures is done, or half a minute has gone by.
        """

    @abstractmethod
    def add_splits(self, splits: Sequence[SplitT]) -> None:
        """Splits that the enumerator has assigned, or that this reader has given to a checkpoint before."""

    @abstractmethod
    def notify_no_more_splits(self) -> None:
        """No further splits come."""

    @abstractmethod
    def close(self) -> None:
        """The reader is not needed any more."""

    def handle_source_events(self, source_event: SourceEvent) -> None:
        """The enumerator has sent an event."""

    def notify_checkpoint_complete(self, checkpoint_id: int) -> None:
        """Hear that what was read in that batch is committed; before the next batch, where the reader still lives."""

    def pause_or_resume_splits(self, splits_to_pause: Collection[str], splits_to_resume: Collection[str]) -> None:
        """Stop reading some splits, because they are ahead of others, and go on with some that were stopped.

        Raises:
            NotImplementedError: the reader cannot; then watermark alignment within it is refused.
        """
        msg = f"{type(self).__name__} cannot pause splits"
        raise NotImplementedError(msg)

    def pending_records(self) -> Mapping[str, int]:
        """Tell how many records of each split are still to be emitted, by the split's id (Flink's ``pendingRecords``).

        Asked for once per batch, of a job that somebody looks at: tell what is known anyway, and ask nobody. Splits of
        which it is not known are left out; all are, if a reader does not override it.
        """
        return {}


def available() -> Future[Any]:
    """Give what ``is_available`` returns of a reader that always has something to give."""
    future: Future[Any] = Future()
    future.set_result(None)
    return future
