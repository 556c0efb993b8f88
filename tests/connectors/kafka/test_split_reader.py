import time

import pytest

from tests.connectors.kafka.building import builder, numbers, texts
from windrow.connectors.kafka.partitions import KafkaPartitionSplit, KafkaTopicPartition
from windrow.connectors.source import InputStatus
from windrow.testing import SourceReaderHarness

pytest.importorskip("confluent_kafka", reason="no Kafka client: pip install confluent-kafka")


def split(topic, partition=0, stop=None):
    return KafkaPartitionSplit(KafkaTopicPartition(topic, partition), 0, stop)


@pytest.fixture(params=[{}, {"queued_min_messages": "1"}], ids=["batches", "librdkafka"])
def a_little(request):
    """Sources of a topic that is fetched in small portions; one has a property that only librdkafka has."""
    properties = {"max_poll_records": "20", "max_partition_fetch_bytes": "1024", **request.param}
    return lambda broker, topic: builder(broker.servers, topic, **properties).build()


def drained(harness, seconds=0.3):
    """Poll until nothing has come for a while."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        before = len(harness.values())
        harness.poll()
        if len(harness.values()) > before:
            end = time.monotonic() + seconds
        time.sleep(0.002)


def test_pausing_again_and_again_loses_and_doubles_nothing(broker, a_little):
    """What the client had fetched of a paused partition it fetches again when that is resumed; the others go on."""
    topic = broker.topic(partitions=2)
    for partition in (0, 1):
        broker.produce(topic, partition, numbers(4000))
    names = [f"{topic}-0", f"{topic}-1"]
    with SourceReaderHarness(a_little(broker, topic)) as harness:
        harness.add_splits([split(topic, 0, 4000), split(topic, 1, 4000)])
        harness.notify_no_more_splits()
        paused = None
        for turn in range(40):
            harness.pause_or_resume_splits(to_pause=[names[turn % 2]], to_resume=[] if paused is None else [paused])
            paused = names[turn % 2]
            for _ in range(turn % 7):
                harness.poll()
                time.sleep(0.005)
        harness.pause_or_resume_splits(to_resume=[paused])
        harness.read_to_end(timeout=30_000)
        assert [harness.values(name) for name in names] == [texts(4000)] * 2


@pytest.mark.parametrize("only_librdkafka", [{}, {"queued_min_messages": "100"}])
def test_a_split_ends_behind_marks_of_transactions_though_it_was_paused_in_front_of_them(broker, only_librdkafka):
    """They are no messages: that they are passed is said again when the partition is resumed."""
    topic = broker.topic()
    producer = broker.producer(**{"transactional.id": f"{topic}-pausing"})
    producer.init_transactions(30)
    producer.begin_transaction()
    for number in range(9):
        producer.produce(topic, b"%d" % number, partition=0)
    producer.commit_transaction(30)
    # Three fetches bring all records: two for the reader's queue, one that waits for room in it, the end not asked for.
    source = builder(broker.servers, topic, max_poll_records="3", **only_librdkafka).build()
    with SourceReaderHarness(source) as harness:
        harness.add_splits([split(topic, stop=10)])
        harness.notify_no_more_splits()
        time.sleep(1)
        harness.pause_or_resume_splits(to_pause=[f"{topic}-0"])
        drained(harness)
        assert harness.poll() is InputStatus.NOTHING_AVAILABLE
        assert harness.values() == texts(9)
        harness.pause_or_resume_splits(to_resume=[f"{topic}-0"])
        harness.read_to_end(timeout=30_000)
        assert harness.values() == texts(9)


def test_a_partition_stays_paused_while_its_broker_is_away(own_broker, a_little):
    """When it is back, nothing comes until the partition is resumed; then it goes on where it was."""
    topic = own_broker.topic()
    own_broker.produce(topic, 0, numbers(2000))
    with SourceReaderHarness(a_little(own_broker, topic)) as harness:
        harness.add_splits([split(topic)])
        harness.read(100)
        harness.pause_or_resume_splits(to_pause=[f"{topic}-0"])
        drained(harness)
        came = len(harness.values())
        own_broker.kill()
        own_broker.start()
        own_broker.produce(topic, 0, numbers(2000, 2100))
        drained(harness, 1)
        assert len(harness.values()) == came < 2000
        harness.pause_or_resume_splits(to_resume=[f"{topic}-0"])
        harness.read(2100 - came, timeout=30_000)
        assert harness.values() == texts(2100)
