"""Records that are seen with their batch's number or not at all."""

import logging
from itertools import count

import pytest

from tests.connectors.kafka.building import NOWHERE
from windrow.common import SimpleStringSchema
from windrow.common.limits import NO_TIMESTAMP
from windrow.connectors.interfaces import WriterContext
from windrow.connectors.kafka.errors import KafkaConnectorError
from windrow.connectors.kafka.sender import RecordSender
from windrow.connectors.kafka.serialization import KafkaRecordSerializationSchema, ProducerRecord
from windrow.connectors.kafka.transactional_producer import TransactionalProducer
from windrow.datastream.connectors.base import DeliveryGuarantee
from windrow.datastream.connectors.kafka import KafkaSink
from windrow.errors import ConfigurationError

pytest.importorskip("confluent_kafka", reason="no Kafka client: pip install confluent-kafka")

from confluent_kafka.admin import (
    AclBinding,
    AclOperation,
    AclPermissionType,
    ResourcePatternType,
    ResourceType,
)

_prefixes = count()


def schema(topic):
    values = SimpleStringSchema()
    return KafkaRecordSerializationSchema.builder().set_topic(topic).set_value_serialization_schema(values).build()


def builder(servers, serializer, prefix=None):
    return (
        KafkaSink.builder()
        .set_bootstrap_servers(servers)
        .set_record_serializer(serializer)
        .set_delivery_guarantee(DeliveryGuarantee.EXACTLY_ONCE)
        .set_transactional_id_prefix(prefix or f"prefix{next(_prefixes)}")
    )


def written(sink, values, batch=0, partition=0, job="job"):
    """Write one partition of a batch and commit it."""
    writer = sink.create_writer(WriterContext(batch, partition, job=job))
    writer.write(values, [NO_TIMESTAMP] * len(values))
    warning = writer.prepare_commit()
    sink.commit(batch, [] if warning is None else [warning])


def read(broker, topic, count, partitions=1):
    """What a consumer sees that reads committed records."""
    found = broker.read(topic, partitions, count, **{"isolation.level": "read_committed"})
    return [message.value().decode() for message in found]


def test_a_batch_that_is_run_again_is_written_once(broker):
    """Each partition by itself; the next batch is written behind it."""
    topic = broker.topic()
    sink = builder(broker.servers, schema(topic)).build()
    for batch, partition, value in [(0, 0, "a"), (0, 0, "a"), (0, 1, "b"), (1, 0, "c"), (1, 0, "c"), (0, 1, "b")]:
        written(sink, [value], batch, partition)
    assert read(broker, topic, 3) == ["a", "b", "c"]


def test_what_is_not_committed_is_not_seen(broker):
    """An attempt that dies when the brokers have its records leaves nothing; the next one writes them."""
    topic = broker.topic()
    sink = builder(broker.servers, schema(topic), "dies").build()
    producer = TransactionalProducer(sink.settings, "dies-0", 30)
    with producer.transaction() as sender:
        sender.send(ProducerRecord(topic, b"lost"))
        sender.flush()
        written(sink, ["a"])
    assert read(broker, topic, 1) == ["a"]
    assert len(broker.read(topic, 1, 2, **{"isolation.level": "read_uncommitted"})) == 2


def test_a_slow_attempt_cannot_commit_behind_another(broker, monkeypatch):
    """Whoever takes over the transactional id ends the transaction of whoever had it; the error says so."""
    topic = broker.topic()
    sink = builder(broker.servers, schema(topic)).build()
    commit = TransactionalProducer.commit

    def overtaken(producer):
        monkeypatch.setattr(TransactionalProducer, "commit", commit)
        written(sink, ["a"])
        commit(producer)

    monkeypatch.setattr(TransactionalProducer, "commit", overtaken)
    with pytest.raises(KafkaConnectorError, match=r"_FENCED\); another attempt at the batch has taken over"):
        written(sink, ["a"])
    written(sink, ["a"])
    written(sink, ["b"], batch=1)
    assert read(broker, topic, 2) == ["a", "b"]


def test_an_attempt_that_is_overtaken_while_it_sends_says_so(broker, monkeypatch):
    """And not that a record came to nothing because of others."""
    topic = broker.topic()
    sink = builder(broker.servers, schema(topic)).build()
    send = RecordSender.send

    def overtaken(sender, record):
        monkeypatch.setattr(RecordSender, "send", send)
        written(sink, ["a"])
        send(sender, record)

    monkeypatch.setattr(RecordSender, "send", overtaken)
    with pytest.raises(KafkaConnectorError, match="another attempt at the batch has taken over"):
        written(sink, ["a"])
    assert read(broker, topic, 1) == ["a"]


def test_another_job_writes_its_own_batches(broker):
    """A savepoint's copy has batches of the same numbers."""
    topic = broker.topic()
    sink = builder(broker.servers, schema(topic)).build()
    written(sink, ["a"])
    written(sink, ["b"], job="copy")
    assert read(broker, topic, 2) == ["a", "b"]


def test_a_checkpoint_that_is_older_than_the_topic_is_refused(broker):
    """Its batches would be written twice, or not at all."""
    topic = broker.topic()
    sink = builder(broker.servers, schema(topic)).build()
    written(sink, ["a"], batch=3)
    with pytest.raises(KafkaConnectorError, match=rf"batch 3 of the same checkpoint is in {topic} already"):
        written(sink, ["a"], batch=2)


def test_a_repeat_that_gives_other_records_is_told(broker, caplog):
    """Those of the first run stay."""
    topic = broker.topic()
    sink = builder(broker.servers, schema(topic)).build()
    written(sink, ["a"])
    with caplog.at_level(logging.WARNING, "windrow.kafka"):
        written(sink, ["b", "c"])
    assert "gave other records in partition 0 (2, and 1 before)" in caplog.text
    assert read(broker, topic, 1) == ["a"]


def test_records_of_one_batch_go_to_several_topics(broker):
    """All of them are seen together, and each once; with keys, headers and timestamps."""
    topics = [broker.topic(partitions=2), broker.topic(partitions=2)]

    class Own(KafkaRecordSerializationSchema):
        def serialize(self, element, timestamp):
            return ProducerRecord(topics[element % 2], b"%d" % element, b"key", {"n": b"v"}, 7, partition=1)

    sink = builder(broker.servers, Own()).build()
    for _ in range(2):
        written(sink, [0, 1, 2])
    assert read(broker, topics[0], 2, 2) == ["0", "2"]
    (message,) = broker.read(topics[1], 2, 1)
    assert (message.key(), message.headers(), message.timestamp()[1]) == (b"key", [("n", b"v")], 7)


def test_a_partition_without_records_writes_nothing():
    """No broker is asked."""
    sink = builder(NOWHERE, schema("t")).build()
    writer = sink.create_writer(WriterContext(0, 0, job="job"))
    writer.write([], [])
    assert writer.prepare_commit() is None


def test_a_record_that_is_too_large_is_named_and_nothing_is_seen(broker):
    """The error names its topic; what went to another topic is not there either, and later batches are written."""
    topics = {True: broker.topic(max_message_bytes="1000"), False: broker.topic()}

    class Own(KafkaRecordSerializationSchema):
        def serialize(self, element, timestamp):
            return ProducerRecord(topics[len(element) > 10], element.encode())

    sink = builder(broker.servers, Own()).build()
    with pytest.raises(KafkaConnectorError, match=rf"topic '{topics[True]}' .*MSG_SIZE_TOO_LARGE"):
        written(sink, ["a", "x" * 5000, "b"])
    written(sink, ["b"])
    assert read(broker, topics[False], 1) == ["b"]


def test_a_commit_that_takes_too_long_is_not_taken_back(broker, monkeypatch):
    """Nobody knows whether it was done; the next attempt finds out, and writes nothing if it was."""
    topic = broker.topic()
    sink = builder(broker.servers, schema(topic)).build()
    commit = TransactionalProducer.commit

    def late(producer):
        commit(producer)
        message = "late"
        raise KafkaConnectorError(message)

    monkeypatch.setattr(TransactionalProducer, "commit", late)
    with pytest.raises(KafkaConnectorError, match="late"):
        written(sink, ["a"])
    monkeypatch.setattr(TransactionalProducer, "commit", commit)
    written(sink, ["a"])
    assert read(broker, topic, 1) == ["a"]


def test_what_a_user_may_not_do_is_said_at_once(secured_broker):
    """Write under a transactional id, read a group, write to a topic: the message names the right that is missing."""
    topic = secured_broker.topic()
    building = builder(secured_broker.secured, schema(topic), "rights")
    properties = {"sasl.username": "reader", "sasl.password": "right"}
    for name, value in {"security.protocol": "SASL_PLAINTEXT", "sasl.mechanism": "PLAIN", **properties}.items():
        building.set_property(name, value)
    sink = building.build()
    wanted = [
        (ResourceType.TRANSACTIONAL_ID, "rights-0", AclOperation.WRITE, "TRANSACTIONAL_ID_AUTHORIZATION_FAILED"),
        (ResourceType.GROUP, "rights-job-0", AclOperation.READ, "GROUP_AUTHORIZATION_FAILED"),
        (ResourceType.TOPIC, topic, AclOperation.READ, "TOPIC_AUTHORIZATION_FAILED"),
        (ResourceType.TOPIC, topic, AclOperation.WRITE, "TOPIC_AUTHORIZATION_FAILED"),
    ]
    for kind, name, operation, said in wanted:
        with pytest.raises(KafkaConnectorError, match=said):
            written(sink, ["a"])
        acl = AclBinding(
            kind, name, ResourcePatternType.LITERAL, "User:reader", "*", operation, AclPermissionType.ALLOW
        )
        secured_broker.admin.create_acls([acl])[acl].result()
    written(sink, ["a"])
    assert read(secured_broker, topic, 1) == ["a"]


def test_a_wrong_password_is_said_at_once(secured_broker):
    """And not after two minutes."""
    building = builder(secured_broker.secured, schema("t"))
    properties = {"sasl.username": "reader", "sasl.password": "wrong"}
    for name, value in {"security.protocol": "SASL_PLAINTEXT", "sasl.mechanism": "PLAIN", **properties}.items():
        building.set_property(name, value)
    with pytest.raises(KafkaConnectorError, match=r"_AUTHENTICATION\); check the properties security\.protocol"):
        written(building.build(), ["a"])


def test_brokers_that_cannot_be_reached_are_an_error_in_time():
    """The message names servers and transactional id, and what to do."""
    sink = builder(NOWHERE, schema("t"), "p").set_property("delivery.timeout.ms", "500").build()
    with pytest.raises(KafkaConnectorError, match=r"transactional id 'p-0' at 127\.0\.0\.1:1: .*delivery\.timeout\.ms"):
        written(sink, ["a"])


def test_a_transaction_that_the_brokers_find_too_long_is_said(broker):
    """They take fifteen minutes, unless they are told otherwise."""
    topic = broker.topic()
    sink = builder(broker.servers, schema(topic)).set_property("transaction.timeout.ms", "3600000").build()
    with pytest.raises(KafkaConnectorError, match=r"raise transaction\.max\.timeout\.ms of the brokers"):
        written(sink, ["a"])


def test_marks_of_others_are_not_taken_for_ours(broker):
    """A group of that name may be somebody else's."""
    topic = broker.topic()
    broker.commit("others-job-0", topic, 0, 5)
    with pytest.raises(KafkaConnectorError, match="that no KafkaSink has committed"):
        written(builder(broker.servers, schema(topic), "others").build(), ["a"])


def test_a_job_that_never_runs_a_batch_again_needs_no_marks(broker):
    """It has no name; its records are seen together all the same."""
    topic = broker.topic()
    sink = builder(broker.servers, schema(topic)).build()
    written(sink, ["a"], job=None)
    written(sink, ["b"], job=None)
    assert read(broker, topic, 2) == ["a", "b"]


def test_a_job_that_has_finished_without_a_checkpoint_is_forgotten(broker):
    """Its groups are deleted, those of others are not."""
    topic = broker.topic()
    sink = builder(broker.servers, schema(topic), "gone").build()
    for job in ("first", "second"):
        written(sink, ["a"], job=job)
    sink.forget("first")
    assert [broker.committed(f"gone-{job}-0", topic) for job in ("first", "second")] == [None, 1]


def test_exactly_once_needs_a_prefix():
    """As in Flink: transactions of two sinks must not have one name."""
    building = KafkaSink.builder().set_bootstrap_servers(NOWHERE).set_record_serializer(schema("t"))
    with pytest.raises(ConfigurationError, match="call set_transactional_id_prefix"):
        building.set_delivery_guarantee(DeliveryGuarantee.EXACTLY_ONCE).build()


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"enable.idempotence": "false"}, "the Kafka client refuses the properties"),
        ({"delivery.timeout.ms": "0"}, r"delivery\.timeout\.ms \(0 ms\) must be more than 0"),
        (
            {"message.timeout.ms": "2000", "transaction.timeout.ms": "1000"},
            r"message\.timeout\.ms \(2000 ms\) .* \(1000 ms\)",
        ),
    ],
    ids=["idempotence", "no end", "too short"],
)
def test_properties_that_transactions_cannot_be_written_with_are_refused(wrong, said):
    """When the sink is built."""
    building = builder(NOWHERE, schema("t"))
    for name, value in wrong.items():
        building.set_property(name, value)
    with pytest.raises(ConfigurationError, match=said):
        building.build()


@pytest.mark.parametrize(
    ("given", "transaction", "delivery"),
    [
        ({}, "120000", "120000"),
        ({"delivery.timeout.ms": "300000"}, "300000", "300000"),
        ({"message.timeout.ms": "5000"}, "120000", "5000"),
        ({"transaction.timeout.ms": "60000"}, "60000", "60000"),
        ({"transaction.timeout.ms": "900000"}, "900000", "120000"),
    ],
)
def test_of_two_times_the_one_that_is_not_given_follows_the_other(given, transaction, delivery):
    """The client wants a transaction to be open for as long as its records are waited for."""
    building = builder(NOWHERE, schema("t"))
    for name, value in given.items():
        building.set_property(name, value)
    settings = building.build().settings
    assert (settings["transaction.timeout.ms"], settings["delivery.timeout.ms"]) == (transaction, delivery)
