import threading
import time

import pytest

from tests.connectors.kafka.building import NOWHERE
from windrow.connectors.kafka.errors import KafkaConnectorError
from windrow.connectors.kafka.offsets import KafkaOffsetResetStrategy
from windrow.connectors.kafka.partitions import KafkaTopicPartition
from windrow.connectors.kafka.settings import ConsumerSettings

pytest.importorskip("confluent_kafka", reason="no Kafka client: pip install confluent-kafka")

from windrow.connectors.kafka.admin import BrokersUnreachableError, KafkaAdmin


def admin(servers, **values):
    named = {name.replace("_", "."): value for name, value in values.items()}
    return KafkaAdmin(ConsumerSettings({"bootstrap.servers": servers, **named}, KafkaOffsetResetStrategy.NONE))


def test_brokers_that_do_not_answer_are_given_up():
    """After default.api.timeout.ms, with what to check."""
    start = time.monotonic()
    with pytest.raises(BrokersUnreachableError, match=r"list topics at 127\.0\.0\.1:1: no answer within 0\.5 s"):
        admin(NOWHERE, default_api_timeout_ms="500").topics()
    assert time.monotonic() - start < 5


def test_topics_have_their_partitions(broker):
    """All there are, by name."""
    topic = broker.topic(partitions=3)
    assert admin(broker.servers).topics()[topic] == [0, 1, 2]


def test_offsets_are_those_of_the_broker(broker):
    """The first that is there, behind the last, and the first at a time; partitions without one at it are left out."""
    topic = broker.topic(partitions=2)
    broker.produce(topic, 0, [b"x"] * 10, range(1000, 1100, 10))
    broker.delete_records(topic, 0, before=4)
    first, second = KafkaTopicPartition(topic, 0), KafkaTopicPartition(topic, 1)
    asked = admin(broker.servers)
    assert asked.beginning_offsets([first, second]) == {first: 4, second: 0}
    assert asked.end_offsets([first, second]) == {first: 10, second: 0}
    assert asked.offsets_for_times({first: 1055, second: 1055}) == {first: 6}
    assert asked.beginning_offsets([]) == {}


def test_a_partition_that_nobody_leads_yet_is_waited_for(broker):
    """The client by itself would go on with having heard that nobody does."""
    topic = broker.topic(partitions=1)
    asked = admin(broker.servers, default_api_timeout_ms="20000")
    assert asked.topics()[topic] == [0]
    added = KafkaTopicPartition(topic, 1)
    later = threading.Timer(0.5, broker.add_partitions, [topic, 2])
    later.start()
    assert asked.end_offsets([added]) == {added: 0}
    later.join()


def test_groups_commit_and_are_asked(broker):
    """Partitions without a committed offset are left out; without a group there are none."""
    topic = broker.topic(partitions=2)
    first, second = KafkaTopicPartition(topic, 0), KafkaTopicPartition(topic, 1)
    asked = admin(broker.servers, group_id="group-of-admin")
    assert asked.committed_offsets([first, second]) == {}
    asked.commit({first: 5})
    assert asked.committed_offsets([first, second]) == {first: 5}
    assert broker.committed("group-of-admin", topic, 0) == 5
    assert admin(broker.servers).committed_offsets([first]) == {}


def test_the_end_in_front_of_open_transactions(broker):
    """A source that reads committed records alone ends where they end; another ends behind all."""
    topic = broker.topic()
    producer = broker.producer(**{"transactional.id": "test-admin"})
    producer.init_transactions(30)
    producer.begin_transaction()
    producer.produce(topic, b"x", partition=0)
    producer.flush(10)
    partition = KafkaTopicPartition(topic, 0)
    assert admin(broker.servers).end_offsets([partition]) == {partition: 1}
    assert admin(broker.servers, isolation_level="read_committed").end_offsets([partition]) == {partition: 0}
    producer.abort_transaction(10)


def test_wrong_credentials_are_an_error_at_once(secured_broker):
    """And not a broker that cannot be reached; the message names the properties."""
    start = time.monotonic()
    with pytest.raises(KafkaConnectorError, match=r"could not list topics.*AUTHENTICATION.*sasl\.password") as raised:
        admin(secured_broker.secured, **credentials("reader", "wrong")).topics()
    assert not isinstance(raised.value, BrokersUnreachableError)
    assert time.monotonic() - start < 20


def test_what_a_user_may_not_do_is_an_error_at_once(secured_broker):
    """Offsets of a group that an ACL would have to allow."""
    topic = secured_broker.topic()
    asked = admin(secured_broker.secured, group_id="g", **credentials("reader", "right"))
    assert topic not in asked.topics()
    with pytest.raises(KafkaConnectorError, match=r"GROUP_AUTHORIZATION_FAILED.*READ on the consumer group"):
        asked.committed_offsets([KafkaTopicPartition(topic, 0)])


def credentials(user, password):
    mechanism = {"security_protocol": "SASL_PLAINTEXT", "sasl_mechanism": "PLAIN"}
    return {**mechanism, "sasl_username": user, "sasl_password": password}
