"""Reads partitions as the record batches that brokers have, in a thread of its own."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping

from windrow.connectors.kafka.fetch_client import FetchClient, FetchError, Key, PartitionResponse
from windrow.connectors.kafka.fetch_settings import FetchSettings
from windrow.connectors.kafka.fetched import FetchedRecords
from windrow.connectors.kafka.fetched_partition import FetchedPartition
from windrow.connectors.kafka.logs import log
from windrow.connectors.kafka.partitions import KafkaPartitionSplit, KafkaTopicPartition
from windrow.connectors.kafka.record import ConsumerRecord
from windrow.connectors.kafka.record_batches import UnreadableBatchError
from windrow.connectors.kafka.split_reader import KafkaPartitionSplitReader
from windrow.connectors.source_reader import (
    RecordsBySplits,
    RecordsWithSplitIds,
    SplitReader,
    SplitsAddition,
    SplitsChange,
    SplitsRemoval,
)

#: How long a fetch waits for the first records, in seconds; if both clients read, for each of them half as long.
_WAIT = 0.05
#: Kafka's number of an error.
_OFFSET_OUT_OF_RANGE = 1
#: How long librdkafka has a partition before it is tried here again, in seconds.
_TAKE_BACK = 60.0


class RecordBatchSplitReader(SplitReader[ConsumerRecord, KafkaPartitionSplit]):
    """Reads record batches from their leaders; a partition of which that cannot be done, librdkafka reads.

    That makes records several times as cheap (``record_batches``). Whatever is wrong, a broker that is away, a topic
    that is gone, a format from before Kafka 0.11, is for librdkafka to wait for or to say: it gets the partition at the
    offset that was reached, and after a minute it is tried here again.

    Args:
        settings: How batches are asked for.
        librdkafka: Makes a reader of librdkafka's, when there is something for it.
        max_records: How many records a fetch brings.
    """

    def __init__(
        self, settings: FetchSettings, librdkafka: Callable[[], KafkaPartitionSplitReader], max_records: int
    ) -> None:
        self._check = settings.check
        self._max_records = max_records
        self._client = FetchClient(settings)
        self._partitions: dict[Key, FetchedPartition] = {}
        #: Whether leaders are to be looked for before something is asked.
        self._stale = True
        self._finished: list[str] = []
        self._new_other = librdkafka
        self._other: KafkaPartitionSplitReader | None = None
        #: What the other one reads, by split, and when it is tried here again.
        self._handed_over: dict[str, FetchedPartition] = {}
        self._take_back_at = 0.0
        #: The offset behind each split's last record, as far as it was known when it was asked for.
        self.ends: Mapping[str, int] = {}

    def fetch(self) -> RecordsWithSplitIds[ConsumerRecord]:
        if self._handed_over and time.monotonic() >= self._take_back_at:
            self._take_back()
        if self._partitions:
            self._refill()
        records = self._take()
        finished, self._finished = self._finished, []
        if self._other is not None:
            wait = _WAIT / 2 if self._partitions else _WAIT
            more, ended = self._other.read(0 if records or finished or not self._handed_over else wait)
            for split_id, of_split in more.items():
                self._handed_over[split_id].taken = of_split.next_offset()
            for split_id in ended:
                del self._handed_over[split_id]
            records |= more
            finished += ended
        return RecordsBySplits(records, finished)

    def handle_splits_changes(self, splits_changes: SplitsChange[KafkaPartitionSplit]) -> None:
        for split in splits_changes.splits():
            partition = FetchedPartition(split)
            if not isinstance(splits_changes, SplitsAddition):
                self._partitions.pop(partition.key, None)
                if self._handed_over.pop(split.split_id(), None) is not None:
                    self._librdkafka().handle_splits_changes(SplitsRemoval([split]))
            elif split.is_empty():
                self._finished.append(split.split_id())
            else:
                self._partitions[partition.key] = partition
                self._stale = True

    def pause_or_resume_splits(
        self, splits_to_pause: Collection[KafkaPartitionSplit], splits_to_resume: Collection[KafkaPartitionSplit]
    ) -> None:
        by_split = {partition.split.split_id(): partition for partition in self._partitions.values()}
        by_split |= self._handed_over
        for splits, paused in ((splits_to_pause, True), (splits_to_resume, False)):
            for split in splits:
                if split.split_id() in by_split:
                    by_split[split.split_id()].paused = paused
        if self._handed_over:
            self._librdkafka().pause_or_resume_splits(splits_to_pause, splits_to_resume)

    def commit(self, offsets: Mapping[KafkaTopicPartition, int]) -> None:
        """Tell the group, for those who look at it, the offset of the next record of each partition."""
        self._librdkafka().commit(offsets)

    def look_for_ends(self) -> None:
        """See what brokers have said of the partitions' ends: nobody is asked."""
        ends = {}
        for partition in self._partitions.values():
            if partition.end is not None:
                ends[partition.split.split_id()] = partition.split.end_within(partition.end)
        if self._handed_over:
            other = self._librdkafka()
            other.look_for_ends()
            ends |= other.ends
        self.ends = ends

    def close(self) -> None:
        self._client.close()
        if self._other is not None:
            self._other.close()

    def _refill(self) -> None:
        """Have something to give, and while it is given on, have the brokers send what is behind it."""
        if any(partition.has_some and not partition.paused for partition in self._partitions.values()):
            return
        try:
            if self._stale:
                self._client.find({topic for topic, _ in self._partitions})
                self._stale = False
            self._ask()
            for key, offset, answer in self._client.receive(_WAIT / 2 if self._handed_over else _WAIT):
                self._put(key, offset, answer)
            if not self._stale:
                self._ask()
        except FetchError as error:
            for partition in list(self._partitions.values()):
                self._hand_over(partition, str(error))

    def _ask(self) -> None:
        wanted = {key: partition.asked for key, partition in self._partitions.items() if partition.is_wanted}
        for key in self._client.send(wanted):
            self._fail(self._partitions[key], "nobody leads it")

    def _put(self, key: Key, offset: int, answer: PartitionResponse | FetchError) -> None:
        partition = self._partitions.get(key)
        if partition is None or partition.asked != offset:
            return  # it has come and gone since that was asked
        if isinstance(answer, FetchError):
            self._fail(partition, str(answer))
        elif answer.error:
            partition.is_out_of_range = answer.error == _OFFSET_OUT_OF_RANGE
            self._fail(partition, f"the broker says error {answer.error}")
        else:
            try:
                partition.put(answer)
            except UnreadableBatchError as error:
                self._hand_over(partition, str(error))

    def _take(self) -> dict[str, FetchedRecords]:
        records: dict[str, FetchedRecords] = {}
        room = self._max_records
        for key, partition in list(self._partitions.items()):
            if partition.paused or room <= 0:
                continue
            try:
                taken = partition.take(room, check=self._check)
            except UnreadableBatchError as error:
                self._hand_over(partition, str(error))
                continue
            if taken is not None:
                records[partition.split.split_id()] = taken
                room -= len(taken)
                self._partitions[key] = self._partitions.pop(key)  # the others come first next time
            if partition.has_ended:
                self._finished.append(partition.split.split_id())
                self._partitions.pop(key, None)
        return records

    def _fail(self, partition: FetchedPartition, why: str) -> None:
        """Leaders change, and connections end that nobody has used for a while: look for the leader once."""
        partition.failures += 1
        self._stale = True
        if partition.failures > 1:
            self._hand_over(partition, why)

    def _hand_over(self, partition: FetchedPartition, why: str) -> None:
        log.debug("%s-%s is read by librdkafka for a while: %s", *partition.key, why)
        del self._partitions[partition.key]
        rest = partition.rest()
        self._handed_over[rest.split_id()] = FetchedPartition(rest, partition.paused, partition.is_out_of_range)
        self._take_back_at = time.monotonic() + _TAKE_BACK
        other = self._librdkafka()
        other.handle_splits_changes(SplitsAddition([rest]))
        # It may have been paused there when it was taken back.
        other.pause_or_resume_splits(*(([rest], []) if partition.paused else ([], [rest])))

    def _take_back(self) -> None:
        self._take_back_at = time.monotonic() + _TAKE_BACK
        # Where librdkafka goes when an offset is out of range, it says with the first record.
        back = {
            split_id: partition
            for split_id, partition in self._handed_over.items()
            if not (partition.is_out_of_range and partition.taken == partition.split.starting_offset)
        }
        if not back:
            return
        everywhere = [*self._partitions.values(), *back.values()]
        try:
            self._client.find({partition.key[0] for partition in everywhere})
        except FetchError:
            return
        for split_id, partition in back.items():
            rest = partition.rest()
            self._librdkafka().handle_splits_changes(SplitsRemoval([rest]))
            self._partitions[partition.key] = FetchedPartition(rest, partition.paused)
            del self._handed_over[split_id]

    def _librdkafka(self) -> KafkaPartitionSplitReader:
        if self._other is None:
            self._other = self._new_other()
        return self._other
