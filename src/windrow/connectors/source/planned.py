"""Planned sources where a Flink-style source is needed: as the first ones of a hybrid source, say."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from windrow.common.watermark import Watermark
from windrow.connectors.interfaces import PlannedSource, SourceBatch, Split
from windrow.connectors.source.boundedness import Boundedness
from windrow.connectors.source.enumerator import SplitEnumeratorContext
from windrow.connectors.source.fixed_splits import FixedSplitsEnumerator
from windrow.connectors.source.future_notifier import FutureNotifier
from windrow.connectors.source.reader import (
    InputStatus,
    ReaderOutput,
    SourceOutput,
    SourceReader,
    SourceReaderContext,
    available,
)
from windrow.connectors.source.source import Source
from windrow.connectors.source.split import SourceSplit
from windrow.datastream.output_tag import OutputTag
from windrow.errors import ConfigurationTypeError, UsageError

#: A poll gives so many elements at most.
ELEMENTS_PER_POLL = 8192


@dataclass(frozen=True)
class PlannedChannel(SourceSplit):
    """What is left of a planned source's channel, which has one watermark."""

    channel: int
    #: In reading order.
    splits: tuple[Split, ...]
    #: How many batches of the first of them were read, and how many elements of the next batch.
    batches_read: int = 0
    elements_read: int = 0

    def split_id(self) -> str:
        return f"channel {self.channel}"


class PlannedSourceAdapter(Source[Any, PlannedChannel, dict[int, list[PlannedChannel]]]):
    """A planned source as a Flink-style one: its channels are the splits, and give what they give in a plan.

    Args:
        source: The planned source. It is planned once, by the enumerator, when the job first starts.

    Raises:
        ConfigurationTypeError: ``source`` is no planned source.

    Example:
        >>> from windrow.connectors.number_sequence import NumberSequenceSource
        >>> PlannedSourceAdapter(NumberSequenceSource(1, 5)).get_boundedness()
        <Boundedness.BOUNDED: 'bounded'>
    """

    def __init__(self, source: PlannedSource) -> None:
        if not isinstance(source, PlannedSource):
            msg = f"PlannedSourceAdapter takes a PlannedSource; got {source!r} ({type(source).__name__})"
            raise ConfigurationTypeError(msg)
        self._source = source
        self.produced_type = source.produced_type

    def get_boundedness(self) -> Boundedness:
        return Boundedness.BOUNDED if self._source.bounded else Boundedness.CONTINUOUS_UNBOUNDED

    def create_enumerator(
        self, enum_context: SplitEnumeratorContext[PlannedChannel]
    ) -> FixedSplitsEnumerator[PlannedChannel]:
        readers = enum_context.current_parallelism()
        dealt: dict[int, list[PlannedChannel]] = {}
        for channel, splits in enumerate(self._source.plan(readers)):
            dealt.setdefault(channel % readers, []).append(PlannedChannel(channel, tuple(splits)))
        return FixedSplitsEnumerator(enum_context, dealt)

    def restore_enumerator(
        self, enum_context: SplitEnumeratorContext[PlannedChannel], checkpoint: dict[int, list[PlannedChannel]]
    ) -> FixedSplitsEnumerator[PlannedChannel]:
        return FixedSplitsEnumerator(enum_context, checkpoint)

    def create_reader(self, reader_context: SourceReaderContext) -> PlannedSourceReader:
        return PlannedSourceReader()

    def __repr__(self) -> str:
        return f"PlannedSourceAdapter({self._source!r})"


class PlannedSourceReader(SourceReader[Any, PlannedChannel]):
    """Reads channels; several of them in turn."""

    def __init__(self) -> None:
        self._channels: deque[_ChannelReader] = deque()
        self._no_more_splits = False
        self._arrival = FutureNotifier()

    def start(self) -> None:
        """Splits come unasked."""

    def poll_next(self, output: ReaderOutput[Any]) -> InputStatus:
        if self._channels:
            reader = self._channels.popleft()
            if reader.read(output.create_output_for_split(reader.split_id)):
                self._channels.append(reader)
            else:
                output.release_output_for_split(reader.split_id)
        if self._channels:
            return InputStatus.MORE_AVAILABLE
        return InputStatus.END_OF_INPUT if self._no_more_splits else InputStatus.NOTHING_AVAILABLE

    def snapshot_state(self, checkpoint_id: int) -> list[PlannedChannel]:
        return [reader.position() for reader in self._channels]

    def is_available(self) -> Future[None]:
        return available() if self._channels or self._no_more_splits else self._arrival.future()

    def add_splits(self, splits: Sequence[PlannedChannel]) -> None:
        self._channels.extend(map(_ChannelReader, splits))
        self._arrival.notify_complete()

    def notify_no_more_splits(self) -> None:
        self._no_more_splits = True
        self._arrival.notify_complete()

    def close(self) -> None:
        self._channels.clear()


class _ChannelReader:
    """Reads one channel from its position on."""

    def __init__(self, channel: PlannedChannel) -> None:
        self._splits = deque(channel.splits)
        self._channel = channel
        self._batches_read = channel.batches_read
        self._elements_read = channel.elements_read
        self._batches: Iterator[SourceBatch] | None = None
        #: The batch that is being given out.
        self._batch: SourceBatch | None = None

    @property
    def split_id(self) -> str:
        return self._channel.split_id()

    def position(self) -> PlannedChannel:
        return replace(
            self._channel,
            splits=tuple(self._splits),
            batches_read=self._batches_read,
            elements_read=self._elements_read,
        )

    def read(self, output: SourceOutput[Any]) -> bool:
        """Give the next elements; False at the end of the channel."""
        batch = self._next_batch()
        if batch is None:
            return False
        start, stop = self._elements_read, self._elements_read + ELEMENTS_PER_POLL
        if stop < len(batch.values):
            _emit(_part(batch, start, stop)._replace(watermark=None), output)
            self._elements_read = stop
        else:
            _emit(_part(batch, start, stop), output)
            self._batch = None
            self._batches_read, self._elements_read = self._batches_read + 1, 0
        return True

    def _next_batch(self) -> SourceBatch | None:
        while self._batch is None and self._splits:
            if self._batches is None:
                self._batches = islice(self._splits[0].read(), self._batches_read, None)
            self._batch = next(self._batches, None)
            if self._batch is None:
                self._splits.popleft()
                self._batches, self._batches_read, self._elements_read = None, 0, 0
        return self._batch


def _part(batch: SourceBatch, start: int, stop: int) -> SourceBatch:
    timestamps = None if batch.timestamps is None else batch.timestamps[start:stop]
    return batch._replace(values=batch.values[start:stop], timestamps=timestamps)


def _emit(batch: SourceBatch, output: SourceOutput[Any]) -> None:
    if batch.processing_time is not None:
        msg = "a source that sets processing time cannot be read as a Flink-style source; give it to from_source"
        raise UsageError(msg)
    if batch.side is not None:
        tag = OutputTag(batch.side)
        for value in batch.values:
            output.collect_side(tag, value)
    else:
        output.collect_batch(batch.values, batch.timestamps)
    if batch.watermark is not None:
        output.emit_watermark(Watermark(batch.watermark))
