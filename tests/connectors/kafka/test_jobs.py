"""Whole jobs that read from and write to a broker."""

import json
import threading
import time
from collections import Counter
from contextlib import contextmanager

import pytest

from tests.connectors.kafka.building import NOWHERE, builder, numbers, texts
from windrow.common import Configuration, Duration, SimpleStringSchema, Time, WatermarkStrategy
from windrow.datastream import OutputTag, ProcessWindowFunction
from windrow.datastream.connectors.base import DeliveryGuarantee
from windrow.datastream.connectors.kafka import KafkaOffsetsInitializer, KafkaRecordSerializationSchema, KafkaSink
from windrow.datastream.window import TumblingEventTimeWindows
from windrow.errors import ConfigurationError

pytest.importorskip("confluent_kafka", reason="no Kafka client: pip install confluent-kafka")

from confluent_kafka import TopicPartition
from confluent_kafka.admin import OffsetSpec

LATEST = KafkaOffsetsInitializer.latest()
BY_KAFKAS_TIME = WatermarkStrategy.for_monotonous_timestamps()
SECOND = 1000


class Count(ProcessWindowFunction):
    """Key, start of the window, number of elements."""

    def process(self, key, context, elements):
        yield key, context.window().start, sum(1 for _ in elements)


def counted(stream):
    """How many of each value in each second of Kafka's time."""
    return stream.key_by(lambda value: value).window(TumblingEventTimeWindows.of(Time.seconds(1))).process(Count())


@contextmanager
def collected(stream, seconds=120):
    """The results of a job without end, which is closed when a test waits for one that does not come."""
    with stream.execute_and_collect() as results:
        timer = threading.Timer(seconds, results.close)
        timer.start()
        try:
            yield results
        finally:
            timer.cancel()


def test_partitions_of_very_different_speeds_are_counted_exactly(env, broker):
    """Each has its own watermark: a slow one makes nothing late, whoever reads it, and an empty one ends at once."""
    topic = broker.topic(partitions=4)
    expected = Counter()
    for partition, count in enumerate((20_000, 2000, 20, 0)):
        times = [SECOND + place * 10 * SECOND // count for place in range(count)]
        broker.produce(topic, partition, [b"%d" % (place % 5) for place in range(count)], times)
        expected.update((str(place % 5), time // SECOND * SECOND) for place, time in enumerate(times))
    source = builder(broker.servers, topic).set_bounded(LATEST).build()
    with counted(env.from_source(source, BY_KAFKAS_TIME, "kafka")).execute_and_collect() as results:
        found = list(results)
    assert {(key, start): count for key, start, count in found} == expected
    assert len(found) == len(expected)


def test_a_round_trip_through_a_sink(env, broker):
    """What a job writes another reads: keys, headers, timestamps, each record once where nothing fails."""
    topics = [broker.topic(), broker.topic(partitions=2)]
    broker.produce(topics[0], 0, numbers(1000), range(5000, 6000))
    serializer = (
        KafkaRecordSerializationSchema.builder()
        .set_topic(topics[1])
        .set_key_serialization_schema(lambda value: value[-1:].encode())
        .set_value_serialization_schema(SimpleStringSchema())
        .set_header_provider(lambda value: {"length": b"%d" % len(value)})
        .build()
    )
    source = builder(broker.servers, topics[0]).set_bounded(LATEST).build()
    sink = KafkaSink.builder().set_bootstrap_servers(broker.servers).set_record_serializer(serializer).build()
    env.from_source(source, BY_KAFKAS_TIME, "kafka").sink_to(sink)
    env.execute()
    found = broker.read(topics[1], 2, 1000)
    assert sorted(int(message.value()) for message in found) == list(range(1000))
    for message in found:
        value = message.value()
        assert message.key() == value[-1:]
        assert message.headers() == [("length", b"%d" % len(value))]
        assert message.timestamp()[1] == 5000 + int(value)


def test_every_record_is_written_once(env, broker):
    """In transactions, of which each leaves a marker in the log; what remembers them goes with a job that has ended."""
    topics = [broker.topic(), broker.topic(partitions=2)]
    broker.produce(topics[0], 0, numbers(1000))
    serializer = (
        KafkaRecordSerializationSchema.builder()
        .set_topic(topics[1])
        .set_value_serialization_schema(SimpleStringSchema())
        .build()
    )
    source = builder(broker.servers, topics[0]).set_bounded(LATEST).build()
    sink = (
        KafkaSink.builder()
        .set_bootstrap_servers(broker.servers)
        .set_record_serializer(serializer)
        .set_delivery_guarantee(DeliveryGuarantee.EXACTLY_ONCE)
        .set_transactional_id_prefix(topics[1])
        .build()
    )
    env.from_source(source, BY_KAFKAS_TIME, "kafka").sink_to(sink)
    env.execute()
    found = broker.read(topics[1], 2, 1000, **{"isolation.level": "read_committed"})
    assert sorted(int(message.value()) for message in found) == list(range(1000))
    ends = broker.admin.list_offsets({TopicPartition(topics[1], number): OffsetSpec.latest() for number in (0, 1)})
    assert sum(end.result().offset for end in ends.values()) > 1000
    groups = broker.admin.list_consumer_groups().result().valid
    assert not [group.group_id for group in groups if group.group_id.startswith(topics[1])]


def test_two_sinks_cannot_have_one_prefix(env):
    """Each would end the other's transactions."""
    serializer = (
        KafkaRecordSerializationSchema.builder()
        .set_topic("t")
        .set_value_serialization_schema(SimpleStringSchema())
        .build()
    )
    for name in ("first", "second"):
        building = KafkaSink.builder().set_bootstrap_servers(NOWHERE).set_record_serializer(serializer)
        building.set_delivery_guarantee(DeliveryGuarantee.EXACTLY_ONCE).set_transactional_id_prefix("same")
        env.from_collection(["a"]).sink_to(building.build()).name(name)
    with pytest.raises(ConfigurationError, match=r"both write to .* with transactional ids that begin with 'same'"):
        env.execute()


def test_malformed_records_leave_by_the_side(env, broker):
    """The stream of the source has the side output."""
    topic = broker.topic()
    broker.produce(topic, 0, [b"1", b"{", b"3"])
    letters = OutputTag("letters")
    building = builder(broker.servers, topic).set_value_only_deserializer(json.loads).set_dead_letter(letters)
    stream = env.from_source(building.set_bounded(LATEST).build(), WatermarkStrategy.no_watermarks(), "kafka")
    bad = stream.get_side_output(letters).map(lambda record: ("bad", record.offset))
    with stream.map(lambda value: ("good", value)).union(bad).execute_and_collect() as results:
        assert sorted(results) == [("bad", 1), ("good", 1), ("good", 3)]


def test_a_bounded_job_leaves_its_offsets_with_the_group(env, broker):
    """So that the next one begins where it ended."""
    topic = broker.topic(partitions=2)
    for start in (0, 100):
        for partition in (0, 1):
            broker.produce(topic, partition, numbers(start, start + 100))
        earliest = KafkaOffsetsInitializer.earliest().get_auto_offset_reset_strategy()
        building = builder(broker.servers, topic).set_group_id(f"group-{topic}").set_bounded(LATEST)
        source = building.set_starting_offsets(KafkaOffsetsInitializer.committed_offsets(earliest)).build()
        with env.from_source(source, BY_KAFKAS_TIME, "kafka").execute_and_collect() as results:
            assert sorted(map(int, results)) == sorted(2 * list(range(start, start + 100)))


def test_a_partition_without_data_does_not_hold_windows_back(env, broker):
    """With idleness; one reader has both partitions."""
    topic = broker.topic(partitions=2)
    broker.produce(topic, 0, [b"a", b"a", b"b"], [1000, 1500, 2500])
    strategy = BY_KAFKAS_TIME.with_idleness(Duration.of_millis(300))
    stream = env.set_parallelism(1).from_source(builder(broker.servers, topic).build(), strategy, "kafka")
    with collected(counted(stream)) as results, talking(broker, topic):
        assert next(results) == ("a", 1000, 2)


@contextmanager
def talking(broker, topic):
    """Partition 0 gets a record from time to time: with both partitions idle there would be no watermark at all."""
    over = threading.Event()

    def talk():
        while not over.wait(0.1):
            broker.produce(topic, 0, [b"b"], [2600])

    talker = threading.Thread(target=talk)
    talker.start()
    try:
        yield
    finally:
        over.set()
        talker.join()


def test_a_partition_that_is_added_while_the_job_runs_is_read(env, broker):
    """From its first record, by the next discovery."""
    topic = broker.topic(partitions=1)
    broker.produce(topic, 0, numbers(10))
    source = builder(broker.servers, topic, partition_discovery_interval_ms="300").build()
    with collected(env.from_source(source, WatermarkStrategy.no_watermarks(), "kafka")) as results:
        assert [next(results) for _ in range(10)] == texts(10)
        broker.add_partitions(topic, 3)
        for partition in (1, 2):
            broker.produce(topic, partition, numbers(10 * partition, 10 * partition + 10))
        assert sorted(next(results) for _ in range(20)) == texts(10, 30)


def test_a_broker_that_is_killed_and_comes_back_costs_no_record(env, own_broker):
    """And doubles none: what is written before, while it restarts and after is counted exactly.

    The client asks for a little at a time, so the broker goes away in the middle of a partition.
    """
    topic = own_broker.topic(partitions=2)
    total = 12_000
    own_broker.produce(topic, 0, numbers(total // 2))
    a_little = {"max_partition_fetch_bytes": "4096", "queued_min_messages": "1", "max_poll_records": "200"}
    source = builder(own_broker.servers, topic, partition_discovery_interval_ms="500", **a_little).build()
    env.configure(Configuration.from_dict({"windrow.source.records-per-batch": "2000"}))
    with collected(env.from_source(source, WatermarkStrategy.no_watermarks(), "kafka")) as results:
        found = [next(results) for _ in range(1000)]
        own_broker.kill()
        writer = threading.Thread(target=own_broker.produce, args=(topic, 1, numbers(total // 2, total)))
        writer.start()
        time.sleep(1)
        own_broker.start()
        found += [next(results) for _ in range(total - 1000)]
        writer.join()
        own_broker.produce(topic, 0, [b"end"])
        assert next(results) == "end"
    assert sorted(map(int, found)) == list(range(total))
