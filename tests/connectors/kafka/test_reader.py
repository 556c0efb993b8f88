import json
import time

import pytest

from tests.connectors.kafka.building import builder, numbers, texts
from windrow.connectors.kafka.errors import KafkaConnectorError, MalformedRecordError
from windrow.connectors.kafka.events import SplitsFinished
from windrow.connectors.kafka.partitions import KafkaPartitionSplit, KafkaTopicPartition
from windrow.connectors.source import InputStatus
from windrow.datastream import OutputTag
from windrow.datastream.connectors.kafka import KafkaOffsetResetStrategy, KafkaOffsetsInitializer
from windrow.testing import SourceReaderHarness

pytest.importorskip("confluent_kafka", reason="no Kafka client: pip install confluent-kafka")


def split(topic, partition=0, start=0, stop=None):
    return KafkaPartitionSplit(KafkaTopicPartition(topic, partition), start, stop)


def read(source, *splits):
    """All that a reader gives of splits that end."""
    with SourceReaderHarness(source) as harness:
        harness.add_splits(splits)
        harness.notify_no_more_splits()
        harness.read_to_end(timeout=30_000)
        return harness


def test_records_come_in_order_with_kafkas_timestamps(broker):
    """The value by the deserializer, the record's own timestamp, and its partition as the split."""
    topic = broker.topic()
    broker.produce(topic, 0, numbers(3), [1000, 1001, 1002])
    records = read(builder(broker.servers, topic).build(), split(topic, stop=3)).records()
    assert records == [(str(number), 1000 + number, f"{topic}-0") for number in range(3)]


def test_partitions_of_very_different_speeds_are_read_whole(broker):
    """Each in its order, whatever comes between."""
    topics = [broker.topic(partitions=3), broker.topic()]
    counts = {(topics[0], 0): 60_000, (topics[0], 1): 10, (topics[0], 2): 0, (topics[1], 0): 5000}
    for (topic, partition), count in counts.items():
        broker.produce(topic, partition, numbers(count))
    harness = read(
        builder(broker.servers, *topics).build(), *(split(*partition, stop=n) for partition, n in counts.items())
    )
    for (topic, partition), count in counts.items():
        assert harness.values(f"{topic}-{partition}") == texts(count)


def test_a_split_is_read_from_its_start_to_its_stop(broker):
    """The record at the stop offset is not read, nor any behind it; an empty split ends at once."""
    topic = broker.topic(partitions=2)
    broker.produce(topic, 0, numbers(100))
    harness = read(builder(broker.servers, topic).build(), split(topic, 0, 20, 50), split(topic, 1, 0, 0))
    assert harness.values() == texts(20, 50)
    assert harness.splits() == []


def test_a_split_may_end_behind_marks_of_transactions(broker):
    """They have offsets, but are no records: at the end of the log, and in front of a stop in the middle of it."""
    topic = broker.topic()
    producer = broker.producer(**{"transactional.id": "test-reader"})
    producer.init_transactions(30)
    for number in (0, 1):
        producer.begin_transaction()
        producer.produce(topic, b"%d" % number, partition=0)
        producer.commit_transaction(30)
    source = builder(broker.servers, topic).build()
    assert read(source, split(topic, stop=4)).values() == ["0", "1"]
    assert read(source, split(topic, stop=2)).values() == ["0"]


def test_aborted_records_are_read_or_not(broker):
    """As isolation.level says; uncommitted ones are read unless it says otherwise."""
    topic = broker.topic()
    producer = broker.producer(**{"transactional.id": "test-isolation"})
    producer.init_transactions(30)
    for number, end in ((0, producer.abort_transaction), (1, producer.commit_transaction)):
        producer.begin_transaction()
        producer.produce(topic, b"%d" % number, partition=0)
        producer.flush(10)
        end(30)
    assert read(builder(broker.servers, topic).build(), split(topic, stop=4)).values() == ["0", "1"]
    committed = builder(broker.servers, topic, isolation_level="read_committed").build()
    assert read(committed, split(topic, stop=4)).values() == ["1"]


def test_a_snapshot_is_exact(broker):
    """A reader that goes on from one gives what the first had not given, however far ahead it had fetched."""
    topic = broker.topic(partitions=2)
    for partition in (0, 1):
        broker.produce(topic, partition, numbers(30_000))
    source = builder(broker.servers, topic).build()
    with SourceReaderHarness(source) as first:
        first.add_splits([split(topic, 0, stop=30_000), split(topic, 1, stop=30_000)])
        first.read(25_000)
        snapshot = first.snapshot()
        before = {partition: first.values(f"{topic}-{partition}") for partition in (0, 1)}
    with SourceReaderHarness(source, snapshot=snapshot) as second:
        second.notify_no_more_splits()
        second.read_to_end(timeout=30_000)
        for partition in (0, 1):
            assert before[partition] + second.values(f"{topic}-{partition}") == texts(30_000)


def test_a_reader_waits_for_records_and_takes_further_splits(broker):
    """It has nothing, until something is written; a split that is added later is read too."""
    topic = broker.topic(partitions=2)
    with SourceReaderHarness(builder(broker.servers, topic).build()) as harness:
        harness.add_splits([split(topic, 0)])
        assert harness.poll() is InputStatus.NOTHING_AVAILABLE
        broker.produce(topic, 0, [b"a"])
        assert [record.value for record in harness.read(1)] == ["a"]
        harness.add_splits([split(topic, 1)])
        broker.produce(topic, 1, [b"b"])
        broker.produce(topic, 0, [b"c"])
        assert sorted(record.value for record in harness.read(2)) == ["b", "c"]


def test_a_paused_split_gives_nothing_until_it_is_resumed(broker):
    """The others go on; nothing is lost or comes twice."""
    topic = broker.topic(partitions=2)
    with SourceReaderHarness(builder(broker.servers, topic).build()) as harness:
        harness.add_splits([split(topic, 0), split(topic, 1)])
        broker.produce(topic, 0, [b"a"])
        harness.read(1)
        harness.pause_or_resume_splits(to_pause=[f"{topic}-0"])
        for value in (b"c", b"d"):  # the fetch that was under way may know of no pause: the one behind it does
            broker.produce(topic, 1, [value])
            assert [record.value for record in harness.read(1)] == [value.decode()]
        broker.produce(topic, 0, [b"b"])
        for value in (b"e", b"f"):
            broker.produce(topic, 1, [value])
            assert [record.value for record in harness.read(1)] == [value.decode()]
        assert harness.poll() is InputStatus.NOTHING_AVAILABLE
        harness.pause_or_resume_splits(to_resume=[f"{topic}-0"])
        assert [record.value for record in harness.read(1)] == ["b"]


def test_the_broker_may_be_away_for_a_while(own_broker):
    """Killed and started again, it is read on from where reading was."""
    topic = own_broker.topic()
    own_broker.produce(topic, 0, numbers(1000))
    with SourceReaderHarness(builder(own_broker.servers, topic).build()) as harness:
        harness.add_splits([split(topic)])
        harness.read(1000)
        own_broker.kill()
        assert harness.poll() is InputStatus.NOTHING_AVAILABLE
        own_broker.start()
        own_broker.produce(topic, 0, numbers(1000, 2000))
        harness.read(1000, timeout=30_000)
        assert harness.values() == texts(2000)


def test_whole_records_can_be_read(broker):
    """Topic, partition, offset, timestamp, key, value (or none) and headers, in their order."""
    topic = broker.topic()
    broker.produce(topic, 0, [b"v", None], [77, 77], key=b"k", headers=[("h", b"1"), ("h", b"2"), ("n", None)])
    source = builder(broker.servers, topic).set_deserializer(tuple).build()
    headers = (("h", b"1"), ("h", b"2"), ("n", None))
    assert read(source, split(topic, stop=2)).values() == [
        (topic, 0, 0, 77, b"k", b"v", headers),
        (topic, 0, 1, 77, b"k", None, headers),
    ]


def test_a_deserializer_may_skip_records(broker):
    """None is no element; timestamps stay with their values, and the position moves on."""
    topic = broker.topic()
    broker.produce(topic, 0, numbers(6), range(100, 106))
    odd = builder(broker.servers, topic).set_value_only_deserializer(lambda n: int(n) if int(n) % 2 else None)
    with SourceReaderHarness(odd.build()) as harness:
        harness.add_splits([split(topic)])
        harness.read(3)
        assert [record[:2] for record in harness.records()] == [(1, 101), (3, 103), (5, 105)]
        assert harness.splits() == [split(topic, start=6)]


def test_a_malformed_record_is_an_error_that_says_where(broker):
    """Topic, partition, offset, the value, and what the deserializer said."""
    topic = broker.topic(partitions=2)
    broker.produce(topic, 1, [b"1", b"{", b"3"])
    source = builder(broker.servers, topic).set_value_only_deserializer(json.loads).build()
    with pytest.raises(
        MalformedRecordError, match=f"offset 1 of {topic}-1, which has the value b'{{': JSONDecode"
    ) as e:
        read(source, split(topic, 1, stop=3))
    assert (e.value.topic, e.value.partition, e.value.offset) == (topic, 1, 1)


def test_a_tombstone_is_named_as_one(broker):
    """A deserializer of values that takes no None."""
    topic = broker.topic()
    broker.produce(topic, 0, [None])
    with pytest.raises(MalformedRecordError, match="no value \\(a tombstone\\)"):
        read(builder(broker.servers, topic).build(), split(topic, stop=1))


def test_malformed_records_can_go_to_a_side_output(broker):
    """As whole records; the others come in their order, and they are counted."""
    topic = broker.topic()
    broker.produce(topic, 0, [b"1", b"{", b"3"], [49, 50, 51])
    letters = OutputTag("letters")
    source = builder(broker.servers, topic).set_value_only_deserializer(json.loads).set_dead_letter(letters).build()
    harness = read(source, split(topic, stop=3))
    assert harness.values() == [1, 3]
    ((letter, timestamp),) = harness.side_output(letters)
    assert (letter.offset, letter.value, timestamp) == (1, b"{", 50)
    assert dict(harness.metrics.metrics())["numRecordsInErrors"].get_count() == 1


def test_offsets_are_committed_when_a_checkpoint_is_complete(broker):
    """What was emitted by then, for those who watch the group; with a group id and not before."""
    topic = broker.topic()
    group = f"group-{topic}"
    broker.produce(topic, 0, numbers(10))
    with SourceReaderHarness(builder(broker.servers, topic).set_group_id(group).build()) as harness:
        harness.add_splits([split(topic)])
        harness.read(10)
        harness.reader.snapshot_state(3)
        broker.produce(topic, 0, numbers(5))
        harness.read(5)
        assert broker.committed(group, topic) is None
        harness.notify_checkpoint_complete(3)
        assert eventually(lambda: broker.committed(group, topic)) == 10
        commits = dict(harness.metrics.metrics())["KafkaSourceReader.commitsSucceeded"]
        assert eventually(commits.get_count) == 1
        broker.produce(topic, 0, numbers(5))
        harness.read(5)  # the fetcher has gone on since
    assert commits.get_count() == 1, "one commit in all: none before the checkpoint was complete"


def test_it_says_how_far_a_partition_is_behind_its_end(broker):
    """In offsets, as the client has seen the end when it fetched last; a split that ends sooner has less left."""
    topic = broker.topic(partitions=3)
    for partition in (0, 1):
        broker.produce(topic, partition, numbers(100))
    source = builder(broker.servers, topic, max_poll_records="10").build()
    with SourceReaderHarness(source) as harness:
        assert harness.reader.pending_records() == {}
        harness.add_splits([split(topic), split(topic, 1, stop=60), split(topic, 2)])
        harness.read(30)

        def left():
            return {**harness.reader.pending_records()}

        def read():
            return {number: len(harness.values(f"{topic}-{number}")) for number in range(3)}

        eventually(lambda: len(left()) == 3)
        expected = {f"{topic}-0": 100 - read()[0], f"{topic}-1": 60 - read()[1], f"{topic}-2": 0}
        assert left() == expected
        harness.read(160 - len(harness.values()))
        assert left() in ({f"{topic}-0": 0, f"{topic}-1": 0, f"{topic}-2": 0}, {f"{topic}-0": 0, f"{topic}-2": 0})


def test_finished_splits_are_told_to_the_enumerator(broker):
    """With where they ended; without a group nobody is told."""
    topic = broker.topic()
    broker.produce(topic, 0, numbers(10))
    with_group = builder(broker.servers, topic).set_group_id("g").build()
    assert read(with_group, split(topic, stop=7)).sent_events == [SplitsFinished({KafkaTopicPartition(topic, 0): 7})]
    assert read(builder(broker.servers, topic).build(), split(topic, stop=7)).sent_events == []


def test_records_that_are_gone_are_skipped_or_an_error(broker):
    """As the reset strategy of the starting offsets says."""
    topic = broker.topic()
    broker.produce(topic, 0, numbers(10))
    broker.delete_records(topic, 0, before=6)
    assert read(builder(broker.servers, topic).build(), split(topic, stop=10)).values() == texts(6, 10)
    strict = KafkaOffsetsInitializer.offsets({KafkaTopicPartition(topic, 0): 0}, KafkaOffsetResetStrategy.NONE)
    with pytest.raises(KafkaConnectorError, match=f"KafkaSource reading {topic}-0: .*set_starting_offsets"):
        read(builder(broker.servers, topic).set_starting_offsets(strict).build(), split(topic, stop=10))


def test_a_topic_that_is_deleted_is_an_error(broker):
    """It is read until it is gone."""
    topic = broker.topic()
    hasty = {"topic_metadata_refresh_interval_ms": "300", "topic_metadata_propagation_max_ms": "500"}
    source = builder(broker.servers, topic, **hasty).build()
    broker.produce(topic, 0, numbers(3))
    with SourceReaderHarness(source) as harness:
        harness.add_splits([split(topic)])
        harness.read(3)
        broker.admin.delete_topics([topic])[topic].result()
        with pytest.raises(KafkaConnectorError, match=f"KafkaSource reading {topic}-0: .*UNKNOWN"):
            harness.read(1, timeout=60_000)


def eventually(ask, timeout=10):
    """What ``ask()`` gives once it gives something."""
    deadline = time.monotonic() + timeout
    while not (answer := ask()) and time.monotonic() < deadline:
        time.sleep(0.05)
    return answer
