import pickle

import pytest

from windrow.connectors.kafka.partitions import KafkaPartitionSplit, KafkaTopicPartition, owner
from windrow.errors import ConfigurationError


@pytest.mark.parametrize(("topic", "reader"), [("orders", 3), ("t", 5), ("über-🚀", 2)])
def test_the_first_partition_goes_where_flink_puts_it(topic, reader):
    """The topic's Java hash code times 31, without its sign; the readers were computed with Java's String.hashCode."""
    assert owner(KafkaTopicPartition(topic, 0), 7) == reader


def test_partitions_of_a_topic_go_round_the_readers():
    """From the first one's reader on, in turn."""
    owners = [owner(KafkaTopicPartition("orders", number), 4) for number in range(8)]
    assert owners == [(owners[0] + number) % 4 for number in range(8)]


def test_a_partition_is_known_by_topic_and_number():
    """Equal ones are one key, and the split's id is topic and number."""
    assert {KafkaTopicPartition("a", 1): 5}[KafkaTopicPartition("a", 1)] == 5
    assert KafkaPartitionSplit(KafkaTopicPartition("a", 1), 7).split_id() == "a-1"


@pytest.mark.parametrize("arguments", [("", 0), (None, 0), ("a", -1), ("a", "0"), ("a", True)])
def test_a_partition_has_a_topic_and_a_number(arguments):
    """Anything else is refused where it is made."""
    with pytest.raises(ConfigurationError, match="KafkaTopicPartition"):
        KafkaTopicPartition(*arguments)


def test_the_rest_of_a_split_keeps_its_end():
    """What a reader gives to a checkpoint begins later and ends in the same place; it pickles."""
    split = KafkaPartitionSplit(KafkaTopicPartition("a", 1), 7, 20).from_offset(12)
    assert split == KafkaPartitionSplit(KafkaTopicPartition("a", 1), 12, 20)
    assert pickle.loads(pickle.dumps(split)) == split


@pytest.mark.parametrize(("start", "stop", "empty"), [(5, 5, True), (6, 5, True), (4, 5, False), (4, None, False)])
def test_a_split_is_empty_where_it_does_not_end_behind_its_start(start, stop, empty):
    """A split without a stop is never empty."""
    assert KafkaPartitionSplit(KafkaTopicPartition("a", 0), start, stop).is_empty() is empty
