"""Record batches of several brokers, each of which leads some of the partitions."""

import pytest

from tests.connectors.kafka.building import numbers
from windrow.connectors.kafka import batch_split_reader

pytest.importorskip("confluent_kafka", reason="no Kafka client: pip install confluent-kafka")
pytest.importorskip("aiokafka", reason="no client for record batches: pip install aiokafka")

from tests.connectors.kafka.test_batch_split_reader import Collected, reader, split

PARTITIONS = 6


@pytest.fixture
def cluster(own_broker, tmp_path):
    """Three brokers, of which the first is the controller."""
    for node in (2, 3):
        (tmp_path / f"kafka{node}").mkdir()
    with own_broker.joined(tmp_path / "kafka2", 2) as second, own_broker.joined(tmp_path / "kafka3", 3) as third:
        yield [own_broker, second, third]


def leaders(broker, topic):
    """Who leads each of the topic's partitions."""
    partitions = broker.admin.list_topics(topic, timeout=10).topics[topic].partitions
    return [partitions[partition].leader for partition in sorted(partitions)]


def test_partitions_are_read_from_their_leaders_and_from_who_leads_them_next(cluster, monkeypatch):
    """A broker dies, its partitions get other leaders, and it comes back: nothing is lost or doubled."""
    monkeypatch.setattr(batch_split_reader, "_TAKE_BACK", 0.5)
    first, second, _ = cluster
    topic = first.topic(PARTITIONS, replicas=2)
    assert set(leaders(first, topic)) == {1, 2, 3}
    splits = [split(topic, partition) for partition in range(PARTITIONS)]
    with reader(first.servers, *splits) as fetching:
        found = Collected(fetching)

        def produce_and_read(start, stop):
            for partition in range(PARTITIONS):
                first.produce(topic, partition, numbers(start, stop))
            found.until(lambda: sum(map(len, found.records.values())) == PARTITIONS * stop)

        produce_and_read(0, 1000)
        assert fetching._other is None, "librdkafka was not needed"
        second.kill()
        produce_and_read(1000, 2000)
        assert 2 not in leaders(first, topic)
        found.until(lambda: not fetching._handed_over)
        produce_and_read(2000, 3000)
        assert not fetching._handed_over
        second.start()
        produce_and_read(3000, 4000)
        found.until(lambda: not fetching._handed_over)
    assert all(found.values(each.split_id()) == numbers(4000) for each in splits)
