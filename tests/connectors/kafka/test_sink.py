import time

import pytest

from tests.connectors.kafka.building import NOWHERE, numbers
from windrow.common import SimpleStringSchema
from windrow.common.limits import NO_TIMESTAMP
from windrow.connectors.interfaces import WriterContext
from windrow.connectors.kafka.errors import KafkaConnectorError
from windrow.connectors.kafka.serialization import KafkaRecordSerializationSchema, ProducerRecord
from windrow.datastream.connectors.base import DeliveryGuarantee
from windrow.datastream.connectors.kafka import KafkaSink
from windrow.errors import ConfigurationError

pytest.importorskip("confluent_kafka", reason="no Kafka client: pip install confluent-kafka")


def schema(topic):
    return (
        KafkaRecordSerializationSchema.builder().set_topic(topic).set_value_serialization_schema(SimpleStringSchema())
    )


def builder(servers, serializer):
    return KafkaSink.builder().set_bootstrap_servers(servers).set_record_serializer(serializer)


def write(sink, values, timestamps=None, batch=0):
    writer = sink.create_writer(WriterContext(batch, 0))
    writer.write(values, timestamps or [NO_TIMESTAMP] * len(values))
    sink.commit(batch, [writer.prepare_commit()])


def test_records_are_there_when_a_batch_is_prepared(broker):
    """Key, value, headers and timestamp of each; in the order of the stream."""
    topic = broker.topic()
    serializer = (
        schema(topic)
        .set_key_serialization_schema(lambda element: element[0].encode())
        .set_header_provider(lambda element: {"from": b"test"})
        .build()
    )
    write(builder(broker.servers, serializer).build(), ["ab", "cd"], [1000, 2000])
    found = [(m.key(), m.value(), m.headers(), m.timestamp()[1]) for m in broker.read(topic, 1, 2)]
    headers = [("from", b"test")]
    assert found == [(b"a", b"ab", headers, 1000), (b"c", b"cd", headers, 2000)]


def test_a_record_without_a_timestamp_has_that_of_its_writing(broker):
    """One with the timestamp 0 is written a millisecond later, and not as if it had none."""
    topic = broker.topic()
    begin = time.time() * 1000
    write(builder(broker.servers, schema(topic).build()).build(), list("abcd"), [0, 1, NO_TIMESTAMP, -1])
    first, second, *unknown = [message.timestamp()[1] for message in broker.read(topic, 1, 4)]
    assert (first, second) == (1, 1)
    assert all(begin - 1 <= timestamp <= time.time() * 1000 for timestamp in unknown)


def test_many_records_are_written_in_order(broker):
    """More than the producer's queue holds at once."""
    topic = broker.topic()
    sink = builder(broker.servers, schema(topic).build()).set_property("queue.buffering.max.messages", "1000").build()
    write(sink, [value.decode() for value in numbers(20_000)])
    assert [message.value() for message in broker.read(topic, 1, 20_000)] == numbers(20_000)


def test_a_batch_that_is_run_again_is_written_again(broker):
    """At least once is what the sink gives."""
    topic = broker.topic()
    sink = (
        builder(broker.servers, schema(topic).build()).set_delivery_guarantee(DeliveryGuarantee.AT_LEAST_ONCE).build()
    )
    for _ in range(2):
        write(sink, ["a"], batch=4)
    assert [message.value() for message in broker.read(topic, 1, 2)] == [b"a", b"a"]


def test_keys_choose_partitions_as_kafkas_java_clients_do(broker):
    """Murmur2 over the key; the numbers are those of Java's producer for eight partitions."""
    topic = broker.topic(partitions=8)
    serializer = schema(topic).set_key_serialization_schema(str.encode).build()
    write(builder(broker.servers, serializer).build(), ["a", "b", "c", "key-1", "key-2"])
    found = {message.key().decode(): message.partition() for message in broker.read(topic, 8, 5)}
    assert found == {"a": 4, "b": 4, "c": 2, "key-1": 0, "key-2": 6}


def test_a_selector_deals_elements_to_topics(broker):
    """Each to the one it names."""
    topics = [broker.topic(), broker.topic()]
    serializer = (
        KafkaRecordSerializationSchema.builder()
        .set_topic_selector(lambda element: topics[len(element) % 2])
        .set_value_serialization_schema(SimpleStringSchema())
        .build()
    )
    write(builder(broker.servers, serializer).build(), ["a", "bb", "c"])
    assert [m.value() for m in broker.read(topics[0], 1, 1)] == [b"bb"]
    assert [m.value() for m in broker.read(topics[1], 1, 2)] == [b"a", b"c"]


def test_a_serializer_of_ones_own_makes_whole_records(broker):
    """It may choose the partition, write tombstones, and leave elements out."""

    class Own(KafkaRecordSerializationSchema):
        def serialize(self, element, timestamp):
            return None if element < 0 else ProducerRecord(topic, None, b"%d" % element, partition=1)

    topic = broker.topic(partitions=2)
    write(builder(broker.servers, Own()).build(), [1, -1, 2])
    assert [(m.partition(), m.key(), m.value()) for m in broker.read(topic, 2, 2)] == [(1, b"1", None), (1, b"2", None)]


def test_brokers_that_cannot_be_reached_are_an_error_in_time():
    """After delivery.timeout.ms; the message names topic and servers, and what to do."""
    sink = builder(NOWHERE, schema("t").build()).set_property("delivery.timeout.ms", "500").build()
    with pytest.raises(
        KafkaConnectorError, match=r"could not write to topic 't' at 127\.0\.0\.1:1: .*delivery\.timeout"
    ):
        write(sink, ["a"])


def test_a_record_that_is_too_large_is_an_error(broker):
    """And not lost."""
    topic = broker.topic(max_message_bytes="1000")
    with pytest.raises(KafkaConnectorError, match=r"MSG_SIZE_TOO_LARGE\); raise message\.max\.bytes"):
        write(builder(broker.servers, schema(topic).build()).build(), ["x" * 5000])


def test_what_is_missing_or_wrong_is_named():
    """Servers, serializer, and properties that the client does not know."""
    with pytest.raises(ConfigurationError, match="set_bootstrap_servers"):
        KafkaSink.builder().build()
    with pytest.raises(ConfigurationError, match="set_record_serializer"):
        KafkaSink.builder().set_bootstrap_servers(NOWHERE).build()
    with pytest.raises(ConfigurationError, match="record_serializer of KafkaSink"):
        KafkaSink.builder().set_record_serializer(SimpleStringSchema())
    with pytest.raises(ConfigurationError, match=r"no\.such\.property"):
        builder(NOWHERE, schema("t").build()).set_property("no.such.property", "1").build()
    with pytest.raises(ConfigurationError, match=r"transactional\.id"):
        builder(NOWHERE, schema("t").build()).set_property("transactional.id", "1").build()


def test_the_properties_of_the_sink_pickle(broker):
    """A sink travels to workers."""
    import cloudpickle

    topic = broker.topic()
    write(cloudpickle.loads(cloudpickle.dumps(builder(broker.servers, schema(topic).build()).build())), ["a"])
    assert [message.value() for message in broker.read(topic, 1, 1)] == [b"a"]
