import pytest

from tests.connectors.kafka.building import NOWHERE, builder
from windrow.connectors.kafka.errors import KafkaConnectorError
from windrow.connectors.kafka.events import SplitsFinished
from windrow.connectors.kafka.partitions import KafkaTopicPartition, owner
from windrow.connectors.source import SourceEvent
from windrow.datastream.connectors.kafka import KafkaOffsetResetStrategy, KafkaOffsetsInitializer
from windrow.testing import EnumeratorHarness

pytest.importorskip("confluent_kafka", reason="no Kafka client: pip install confluent-kafka")

MINUTES = 60_000
LATEST = KafkaOffsetsInitializer.latest()


def enumerated(source, parallelism=1, snapshot=None):
    """A harness all of whose readers are there, behind the first discovery."""
    harness = EnumeratorHarness(source, parallelism=parallelism, snapshot=snapshot)
    for subtask in range(parallelism):
        harness.add_reader(subtask)
    harness.run_async()
    return harness


def splits(harness):
    """Of every assigned partition, where it begins and ends."""
    return {
        (split.topic_partition.topic, split.topic_partition.partition): (split.starting_offset, split.stopping_offset)
        for assigned in harness.assignments.values()
        for split in assigned
    }


def test_partitions_go_to_their_owners(broker):
    """All partitions of all topics, each to the reader that Flink's rule says."""
    topics = [broker.topic(partitions=3), broker.topic(partitions=2)]
    with enumerated(builder(broker.servers, *topics).build(), parallelism=4) as harness:
        assert len(splits(harness)) == 5
        for subtask, assigned in harness.assignments.items():
            assert all(owner(split.topic_partition, 4) == subtask for split in assigned)
        assert harness.no_more_splits == set()


def test_a_reader_that_comes_later_gets_what_waits_for_it(broker):
    """Partitions are found before their reader is there."""
    topic = broker.topic(partitions=2)
    with EnumeratorHarness(builder(broker.servers, topic).build(), parallelism=1) as harness:
        harness.run_async()
        assert harness.assignments == {}
        harness.add_reader(0)
        assert harness.assigned_ids(0) == [f"{topic}-0", f"{topic}-1"]


@pytest.mark.parametrize(
    ("initializer", "offsets"),
    [
        (KafkaOffsetsInitializer.earliest(), (2, 0)),
        (KafkaOffsetsInitializer.latest(), (6, 0)),
        (KafkaOffsetsInitializer.timestamp(1030), (3, 0)),
        (KafkaOffsetsInitializer.committed_offsets(KafkaOffsetResetStrategy.EARLIEST), (5, 0)),
    ],
    ids=repr,
)
def test_starting_offsets_are_the_brokers(broker, initializer, offsets):
    """Six records at 1000, 1010, ..., the first two of which are gone; the group is at the fifth."""
    topic = broker.topic(partitions=2)
    broker.produce(topic, 0, [b"x"] * 6, range(1000, 1060, 10))
    broker.delete_records(topic, 0, before=2)
    group = f"group-{topic}"
    broker.commit(group, topic, 0, 5)
    source = builder(broker.servers, topic).set_group_id(group).set_starting_offsets(initializer).build()
    with enumerated(source) as harness:
        assert splits(harness) == {(topic, 0): (offsets[0], None), (topic, 1): (offsets[1], None)}


def test_a_bounded_source_fixes_its_end_and_says_so(broker):
    """Records that come later are behind the end; readers hear that there are no more splits."""
    topic = broker.topic(partitions=2)
    broker.produce(topic, 1, [b"x"] * 4)
    with enumerated(builder(broker.servers, topic).set_bounded(LATEST).build(), parallelism=2) as harness:
        broker.produce(topic, 1, [b"x"])
        assert splits(harness) == {(topic, 0): (0, 0), (topic, 1): (0, 4)}
        assert harness.no_more_splits == {0, 1}
        assert harness.pending_calls == 0


def test_a_restored_bounded_source_asks_nobody(broker):
    """Its splits are the readers'; they are told again that there are no more."""
    topic = broker.topic()
    source = builder(broker.servers, topic).set_bounded(LATEST).build()
    with enumerated(source) as harness:
        snapshot = harness.snapshot()
    with enumerated(source, snapshot=snapshot) as harness:
        assert harness.assignments == {}
        assert harness.no_more_splits == {0}


def test_new_partitions_are_found_and_read_from_their_beginning(broker):
    """Also where reading began at the latest offsets, and in a run that was restored."""
    topic = broker.topic(partitions=1)
    broker.produce(topic, 0, [b"x"] * 3)
    source = builder(broker.servers, topic).set_starting_offsets(LATEST).build()
    with enumerated(source) as harness:
        broker.add_partitions(topic, 2)
        broker.produce(topic, 1, [b"x"])
        harness.run_async(after=4 * MINUTES)
        assert splits(harness) == {(topic, 0): (3, None)}
        harness.run_async(after=1 * MINUTES)
        assert splits(harness) == {(topic, 0): (3, None), (topic, 1): (0, None)}
        snapshot = harness.snapshot()
    broker.add_partitions(topic, 3)
    with enumerated(source, snapshot=snapshot) as harness:
        assert splits(harness) == {(topic, 2): (0, None)}


def test_discovery_can_be_turned_off(broker):
    """With an interval that is not positive partitions are looked for once."""
    topic = broker.topic()
    with enumerated(builder(broker.servers, topic, partition_discovery_interval_ms="-1").build()) as harness:
        assert harness.pending_calls == 0
        assert harness.assigned_ids(0) == [f"{topic}-0"]


def test_a_pattern_takes_topics_that_come_later(broker):
    """A topic's whole name has to match."""
    name = f"pattern-{broker.topic()}"
    broker.topic(name=f"{name}-a")
    broker.topic(name=f"x{name}-a")
    with enumerated(builder(broker.servers).set_topic_pattern(f"{name}-[a-z]").build()) as harness:
        assert harness.assigned_ids(0) == [f"{name}-a-0"]
        broker.topic(name=f"{name}-b")
        harness.run_async(after=5 * MINUTES)
        assert harness.assigned_ids(0) == [f"{name}-a-0", f"{name}-b-0"]


def test_a_bounded_pattern_may_match_nothing(broker):
    """Then there is nothing to read, and readers are told."""
    with enumerated(builder(broker.servers).set_topic_pattern("nothing.*").set_bounded(LATEST).build()) as harness:
        assert (harness.assignments, harness.no_more_splits) == ({}, {0})


def test_some_partitions_and_no_others(broker):
    """Those that were named; one that is not there is an error that says how many there are."""
    topic = broker.topic(partitions=3)
    with enumerated(builder(broker.servers).set_partitions({KafkaTopicPartition(topic, 1)}).build()) as harness:
        assert harness.assigned_ids(0) == [f"{topic}-1"]
    with pytest.raises(KafkaConnectorError, match=f"topic '{topic}' has 3 partitions, and no partition 7"):
        enumerated(builder(broker.servers).set_partitions({KafkaTopicPartition(topic, 7)}).build())


def test_a_topic_that_is_not_there_is_an_error(broker):
    """It names the topic and some that are there."""
    topic = broker.topic()
    with pytest.raises(KafkaConnectorError, match="there is no topic 'misspelt' that this user may see"):
        enumerated(builder(broker.servers, topic, "misspelt").build())


def test_brokers_that_cannot_be_reached_at_the_start_are_an_error():
    """After default.api.timeout.ms."""
    with pytest.raises(KafkaConnectorError, match=r"no answer within 0\.3 s"):
        enumerated(builder(NOWHERE, "t", default_api_timeout_ms="300").build())


def test_brokers_that_go_away_are_waited_for(own_broker):
    """A discovery that finds nobody is left out, and the next one finds what is new."""
    topic = own_broker.topic()
    with enumerated(builder(own_broker.servers, topic, default_api_timeout_ms="1000").build()) as harness:
        own_broker.kill()
        harness.run_async(after=5 * MINUTES)
        own_broker.start()
        own_broker.add_partitions(topic, 2)
        harness.run_async(after=5 * MINUTES)
        assert harness.assigned_ids(0) == [f"{topic}-0", f"{topic}-1"]


def test_splits_of_a_dead_reader_come_back(broker):
    """They go to the reader that takes its place, from the same offset; until then they are in the checkpoint."""
    topic = broker.topic()
    source = builder(broker.servers, topic).build()
    with enumerated(source) as harness:
        (split,) = harness.assignments[0]
        harness.remove_reader(0, [split])
        snapshot = harness.snapshot()
        harness.add_reader(0)
        assert harness.assignments[0] == [split, split]
    with enumerated(source, snapshot=snapshot) as harness:
        assert harness.assignments[0] == [split]


def test_what_was_read_to_its_end_is_committed_to_the_group(broker):
    """When a reader says so; other events are nobody's."""
    topic = broker.topic()
    source = builder(broker.servers, topic).set_group_id(f"group-{topic}").set_bounded(LATEST).build()
    with enumerated(source) as harness:
        harness.send_event(0, SplitsFinished({KafkaTopicPartition(topic, 0): 7}))
        assert broker.committed(f"group-{topic}", topic) == 7
        with pytest.raises(NotImplementedError):
            harness.send_event(0, SourceEvent())
