"""A partition whose record batches are fetched: what has come of it, and what was given on."""

from __future__ import annotations

from bisect import bisect_left
from collections import deque

from windrow.connectors.kafka.fetch_client import Key, PartitionResponse
from windrow.connectors.kafka.partitions import KafkaPartitionSplit
from windrow.connectors.kafka.record_batches import (
    Aborted,
    BatchRecords,
    Part,
    RecordBatch,
    UnreadableBatchError,
    batches,
)


class FetchedPartition:
    """A partition that is read.

    Args:
        split: From where to where.
        paused: Whether it is left out for now.
        is_out_of_range: Whether there is nothing at its offset.

    Attributes:
        asked: the offset to ask for next: it is behind all batches that have come.
        taken: the offset behind what was given on.
        end: the offset behind the partition's last record, as far as the broker has said it.
        failures: how often it could not be read since it was.
        paused: whether it is left out.
    """

    def __init__(self, split: KafkaPartitionSplit, paused: bool = False, is_out_of_range: bool = False) -> None:
        self.split = split
        self.key: Key = split.topic_partition.key
        self.asked = self.taken = split.starting_offset
        self.end: int | None = None
        self.failures = 0
        self.paused = paused
        self.is_out_of_range = is_out_of_range
        #: What has come, and whether anybody sees it.
        self._batches: deque[tuple[RecordBatch, bool]] = deque()
        #: Of the first of them, the records to give on; None: it was not looked at yet.
        self._part: Part | None = None

    def put(self, response: PartitionResponse) -> None:
        """Take what has come from the offset that was asked for.

        Raises:
            UnreadableBatchError: a batch is nothing for us.
        """
        self.failures = 0
        self.end = response.end
        aborted = Aborted(response.aborted)
        for batch in batches(response.content):
            self._batches.append((batch, not aborted.hides(batch)))
            self.asked = batch.next_offset

    def take(self, most: int, *, check: bool) -> BatchRecords | None:
        """The next records, at most so many.

        Args:
            most: At least 1.
            check: Whether checksums are looked at.

        Raises:
            UnreadableBatchError: a batch is nothing for us; those in front of it were given on.
        """
        parts: list[Part] = []
        while self._batches and most and not self.has_ended:
            batch, visible = self._batches[0]
            if self._part is None:
                try:
                    self._part = self._seen(batch, visible, check)
                except UnreadableBatchError:
                    if parts:
                        break  # they come first
                    raise
            _, begin, end = self._part
            last = min(end, begin + most)
            if begin < last:
                parts.append(Part(batch, begin, last))
                most -= last - begin
            if last < end:
                self._part = Part(batch, last, end)
                self.taken = batch.offsets()[last]
            else:
                self._part = None
                self._batches.popleft()
                self.taken = max(self.taken, batch.next_offset)
        return BatchRecords(*self.key, parts) if parts else None

    def _seen(self, batch: RecordBatch, visible: bool, check: bool) -> Part:
        """Without what is in front of the offset that was asked for, and what is at the stop and behind it."""
        if not visible:
            return Part(batch, 0, 0)
        batch.open(check=check)
        stop = self.split.stopping_offset
        begin, end = 0, batch.count
        if batch.base_offset < self.taken:
            begin = bisect_left(batch.offsets(), self.taken)
        if stop is not None and stop < batch.next_offset:
            end = bisect_left(batch.offsets(), stop)
        return Part(batch, begin, end)

    @property
    def has_some(self) -> bool:
        """True if something has come that was not given on."""
        return bool(self._batches)

    @property
    def has_ended(self) -> bool:
        """True if all records up to the stopping offset were given on; never, if there is none."""
        stop = self.split.stopping_offset
        return stop is not None and self.taken >= stop

    @property
    def is_wanted(self) -> bool:
        """True if there is more to ask for, and the partition is not paused."""
        stop = self.split.stopping_offset
        return not self.paused and (stop is None or self.asked < stop)

    def rest(self) -> KafkaPartitionSplit:
        """Make a split of what was not given on."""
        return self.split.from_offset(self.taken)
