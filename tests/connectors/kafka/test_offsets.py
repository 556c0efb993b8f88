import pytest

from windrow.connectors.kafka.errors import KafkaConnectorError
from windrow.connectors.kafka.offsets import (
    KafkaOffsetResetStrategy,
    KafkaOffsetsInitializer,
    PartitionOffsetsRetriever,
)
from windrow.connectors.kafka.partitions import KafkaTopicPartition
from windrow.errors import ConfigurationError

A, B, C = (KafkaTopicPartition("t", number) for number in range(3))
ALL = [A, B, C]
Strategy = KafkaOffsetResetStrategy


class Retriever(PartitionOffsetsRetriever):
    """The group is at 5 in A; B has records at times 100 and later from offset 7."""

    def committed_offsets(self, partitions):
        return {A: 5} if A in partitions else {}

    def beginning_offsets(self, partitions):
        return dict.fromkeys(partitions, 1)

    def end_offsets(self, partitions):
        return dict.fromkeys(partitions, 9)

    def offsets_for_times(self, timestamps):
        return {B: 7} if timestamps.get(B) == 100 else {}


@pytest.mark.parametrize(
    ("initializer", "offsets", "reset"),
    [
        (KafkaOffsetsInitializer.earliest(), [1, 1, 1], Strategy.EARLIEST),
        (KafkaOffsetsInitializer.latest(), [9, 9, 9], Strategy.LATEST),
        (KafkaOffsetsInitializer.timestamp(100), [9, 7, 9], Strategy.NONE),
        (KafkaOffsetsInitializer.committed_offsets(Strategy.EARLIEST), [5, 1, 1], Strategy.EARLIEST),
        (KafkaOffsetsInitializer.committed_offsets(Strategy.LATEST), [5, 9, 9], Strategy.LATEST),
        (KafkaOffsetsInitializer.offsets({B: 3}), [5, 3, 1], Strategy.EARLIEST),
        (KafkaOffsetsInitializer.offsets({B: 3}, Strategy.LATEST), [5, 3, 9], Strategy.LATEST),
        (KafkaOffsetsInitializer.offsets({A: 2, B: 3, C: 4}, Strategy.NONE), [2, 3, 4], Strategy.NONE),
    ],
    ids=repr,
)
def test_where_reading_begins(initializer, offsets, reset):
    """As Flink's initializers: named offsets, else committed ones, else what the strategy says."""
    found = initializer.get_partition_offsets(ALL, Retriever())
    assert [found[partition] for partition in ALL] == offsets
    assert initializer.get_auto_offset_reset_strategy() is reset


@pytest.mark.parametrize(
    "initializer",
    [KafkaOffsetsInitializer.committed_offsets(), KafkaOffsetsInitializer.offsets({A: 2}, Strategy.NONE)],
    ids=repr,
)
def test_without_a_strategy_a_partition_without_an_offset_is_an_error(initializer):
    """It names the partitions and what to do."""
    with pytest.raises(KafkaConnectorError, match="finds no offset for t-1, t-2: name them, or give"):
        initializer.get_partition_offsets(ALL, Retriever())


@pytest.mark.parametrize(
    "call",
    [
        lambda: KafkaOffsetsInitializer.offsets({"t-0": 1}),
        lambda: KafkaOffsetsInitializer.offsets({A: -1}),
        lambda: KafkaOffsetsInitializer.offsets({A: "1"}),
        lambda: KafkaOffsetsInitializer.offsets([A]),
        lambda: KafkaOffsetsInitializer.offsets({A: 1}, "EARLIEST"),
        lambda: KafkaOffsetsInitializer.committed_offsets("EARLIEST"),
        lambda: KafkaOffsetsInitializer.timestamp(-1),
        lambda: KafkaOffsetsInitializer.timestamp("now"),
    ],
)
def test_wrong_arguments_are_refused(call):
    """At the call."""
    with pytest.raises(ConfigurationError):
        call()
