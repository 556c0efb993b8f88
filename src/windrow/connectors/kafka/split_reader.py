"""Reads partitions, in a thread of its own."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from windrow.connectors.kafka.client import FATAL, client, connector_error, kafka_error, new_consumer
from windrow.connectors.kafka.fetched import FetchedMessages, FetchedRecords
from windrow.connectors.kafka.logs import Repeats, plain
from windrow.connectors.kafka.partitions import KafkaPartitionSplit, KafkaTopicPartition
from windrow.connectors.kafka.record import ConsumerRecord
from windrow.connectors.source_reader import (
    RecordsBySplits,
    RecordsWithSplitIds,
    SplitReader,
    SplitsAddition,
    SplitsChange,
)

#: How long a fetch waits for the first message, in seconds.
_WAIT = 0.05
_TOPIC_GONE = frozenset({"UNKNOWN_TOPIC_OR_PART", "_UNKNOWN_TOPIC", "_UNKNOWN_PARTITION"})


class KafkaPartitionSplitReader(SplitReader[ConsumerRecord, KafkaPartitionSplit]):
    """Reads the partitions of one reader with one consumer (Flink's ``KafkaPartitionSplitReader``).

    Partitions are assigned, not subscribed to: Kafka's groups do not deal them. Brokers that go away are waited for,
    for as long as it takes; what will not get better by itself is raised.

    Args:
        settings: librdkafka's.
        has_group: Whether the group id is the user's, and no stand-in.
        timeout: How long the brokers are asked about a topic that is gone, in seconds.
        max_records: How many records a fetch brings.
        on_commit: Called with the client's error, or None, and the partitions, when offsets were committed.
    """

    def __init__(
        self,
        settings: Mapping[str, str],
        *,
        has_group: bool,
        timeout: float,
        max_records: int,
        on_commit: Callable[[Any, Sequence[Any]], None],
    ) -> None:
        kafka = client()
        self._has_group = has_group
        self._timeout = timeout
        self._max_records = max_records
        self._message_type = kafka.Message
        self._partition_type = kafka.TopicPartition
        self._end_of_partition = kafka.KafkaError._PARTITION_EOF
        #: Errors that the client has reported; its callbacks must not call it again.
        self._errors: list[Any] = []
        self._repeats = Repeats()
        #: Whether it has been said why brokers are away.
        self._is_away = False
        self._splits: dict[tuple[str, int], KafkaPartitionSplit] = {}
        #: The topics of all partitions that were ever assigned.
        self._topics: set[str] = set()
        #: Splits that are read to their end, to be reported by the next fetch.
        self._finished: list[str] = []
        #: The offset behind each split's last record, as far as the client knew when it was asked.
        self.ends: Mapping[str, int] = {}
        self._on_commit = on_commit
        self._consumer = new_consumer(settings, self._errors.append, on_commit)

    def fetch(self) -> RecordsWithSplitIds[ConsumerRecord]:
        return RecordsBySplits(*self.read(_WAIT))

    def read(self, wait: float) -> tuple[dict[str, FetchedRecords], list[str]]:
        """Take what has come, by split, and name the splits that have ended.

        Args:
            wait: How long the first message is waited for, in seconds; the rest is there already.
        """
        messages = self._messages(wait if self._splits else 0)
        ended: list[tuple[str, int]] = []
        kind = self._message_type
        if any(map(kind.error, messages)):
            messages, ended = self._sorted_out(messages)
        while self._errors:
            self._check(self._errors.pop(0))
        taken: dict[tuple[str, int], list[Any]] = {}
        for run in self._runs(messages):
            self._take(taken, (run[0].topic(), run[0].partition()), run)
        for key in ended:
            self._end(key)
        finished, self._finished = self._finished, []
        return {str(KafkaTopicPartition(*key)): FetchedMessages(*key, taken[key]) for key in taken}, finished

    def handle_splits_changes(self, splits_changes: SplitsChange[KafkaPartitionSplit]) -> None:
        assigned = []
        for split in splits_changes.splits():
            key = split.topic_partition.key
            if not isinstance(splits_changes, SplitsAddition):
                self._forget(key)
            elif split.is_empty():
                self._finished.append(split.split_id())
            else:
                self._splits[key] = split
                self._topics.add(key[0])
                assigned.append(self._partition_type(*key, split.starting_offset))
        if assigned:
            self._consumer.incremental_assign(assigned)

    def pause_or_resume_splits(
        self, splits_to_pause: Collection[KafkaPartitionSplit], splits_to_resume: Collection[KafkaPartitionSplit]
    ) -> None:
        if resumed := self._partitions_of(splits_to_resume):
            self._consumer.resume(resumed)
        if paused := self._partitions_of(splits_to_pause):
            self._consumer.pause(paused)

    def commit(self, offsets: Mapping[KafkaTopicPartition, int]) -> None:
        """Tell the group, for those who look at it, the offset of the next record of each partition."""
        partitions = [self._partition_type(*partition.key, offset) for partition, offset in offsets.items()]
        try:
            self._consumer.commit(offsets=partitions, asynchronous=True)
        except client().KafkaException as error:
            self._on_commit(kafka_error(error), partitions)

    def look_for_ends(self) -> None:
        """See what the client knows of the partitions' ends, from what it has fetched of them: it asks nobody."""
        ends = {}
        for key, split in self._splits.items():
            try:
                _, end = self._consumer.get_watermark_offsets(self._partition_type(*key), cached=True)
            except client().KafkaException:
                continue  # it has heard nothing of the partition yet
            if end >= 0:
                ends[split.split_id()] = split.end_within(end)
        self.ends = ends

    def close(self) -> None:
        self._consumer.close()

    def _messages(self, wait: float) -> list[Any]:
        # With a timeout, the client waits until it has as many messages as it was asked for.
        messages: list[Any] = self._consumer.consume(1, wait)
        if messages:
            messages += self._consumer.consume(self._max_records - 1, 0)
        return messages

    def _runs(self, messages: list[Any]) -> Iterator[list[Any]]:
        """Neighbours of one partition; messages of one come together as they were fetched."""
        if not messages:
            return
        changes = np.diff(np.fromiter(map(self._message_type.partition, messages), np.int32, len(messages))) != 0
        if len(self._topics) > 1:
            topics = [message.topic() for message in messages]
            changes |= np.array([one != next_one for one, next_one in pairwise(topics)], np.bool_)
        begins = [0, *(np.flatnonzero(changes) + 1).tolist()]
        for begin, end in zip(begins, [*begins[1:], len(messages)], strict=True):
            yield messages[begin:end]

    def _take(self, taken: dict[tuple[str, int], list[Any]], key: tuple[str, int], messages: list[Any]) -> None:
        split = self._splits.get(key)
        if split is None:
            return  # it has ended within this fetch
        stop = split.stopping_offset
        if stop is not None and messages[-1].offset() >= stop - 1:
            messages = messages[: bisect_left(messages, stop, key=self._message_type.offset)]
            self._end(key)
        if messages:
            taken.setdefault(key, []).extend(messages)

    def _end(self, key: tuple[str, int]) -> None:
        if key in self._splits:
            self._finished.append(self._splits[key].split_id())
            self._forget(key)

    def _forget(self, key: tuple[str, int]) -> None:
        if self._splits.pop(key, None) is not None:
            self._consumer.incremental_unassign([self._partition_type(*key)])

    def _sorted_out(self, messages: list[Any]) -> tuple[list[Any], list[tuple[str, int]]]:
        """The records among them, and the splits that have ended; the others say that a partition cannot be read."""
        records, ended = [], []
        for message in messages:
            error = message.error()
            if error is None:
                records.append(message)
            elif error.code() == self._end_of_partition:
                key = message.topic(), message.partition()
                stop = self._splits[key].stopping_offset if key in self._splits else None
                # Behind the last record there may be marks of transactions, which are no messages.
                if stop is not None and message.offset() >= stop:
                    ended.append(key)
            else:
                self._errors.append(error)
        return records, ended

    def _check(self, error: Any) -> None:
        """Raise what will not get better by itself.

        Raises:
            KafkaConnectorError: it will not.
        """
        name = error.name()
        if name in _TOPIC_GONE and self._topics_are_there():
            return  # a broker that has just started did not know it yet
        if not self._has_group and name == "GROUP_AUTHORIZATION_FAILED":
            return
        if error.fatal() or name in FATAL:
            raise connector_error(self._reading(), error, "see the broker's log")
        if name == "_ALL_BROKERS_DOWN" and self._is_away:
            return
        self._is_away = True
        self._repeats.warn(name, f"{self._reading()}: {plain(error.str())} ({name}); waiting for the brokers")

    def _topics_are_there(self) -> bool:
        try:
            topics = self._consumer.list_topics(timeout=self._timeout).topics
        except client().KafkaException:
            return True  # nobody there to ask: it will turn out
        return all(
            topic in topics and topics[topic].error is None and number in topics[topic].partitions
            for topic, number in self._splits
        )

    def _partitions_of(self, splits: Collection[KafkaPartitionSplit]) -> list[Any]:
        keys = (split.topic_partition.key for split in splits)
        return [self._partition_type(*key) for key in keys if key in self._splits]

    def _reading(self) -> str:
        return f"KafkaSource reading {', '.join(f'{topic}-{number}' for topic, number in sorted(self._splits))}"
