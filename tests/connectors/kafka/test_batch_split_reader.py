"""Partitions that are read as record batches, beside librdkafka, which reads them when that cannot be done."""

import asyncio
import contextlib
import time
from types import SimpleNamespace

import pytest

from tests.connectors.kafka.building import QUICK, numbers
from tests.connectors.kafka.test_record_batches import batch
from windrow.connectors.kafka import batch_split_reader
from windrow.connectors.kafka.batch_split_reader import RecordBatchSplitReader
from windrow.connectors.kafka.fetch_client import FetchClient, FetchError, PartitionResponse, _answers, _Request
from windrow.connectors.kafka.fetch_settings import FetchSettings
from windrow.connectors.kafka.fetched_partition import FetchedPartition
from windrow.connectors.kafka.offsets import KafkaOffsetResetStrategy
from windrow.connectors.kafka.partitions import KafkaPartitionSplit, KafkaTopicPartition
from windrow.connectors.kafka.record_batches import UnreadableBatchError
from windrow.connectors.kafka.settings import ConsumerSettings
from windrow.connectors.kafka.split_reader import KafkaPartitionSplitReader
from windrow.connectors.source_reader import SplitsAddition, SplitsRemoval

pytest.importorskip("confluent_kafka", reason="no Kafka client: pip install confluent-kafka")
pytest.importorskip("aiokafka", reason="no client for record batches: pip install aiokafka")

from aiokafka.protocol.metadata import MetadataRequest


def split(topic, partition=0, start=0, stop=None):
    return KafkaPartitionSplit(KafkaTopicPartition(topic, partition), start, stop)


def librdkafka(settings, max_records=16_384):
    return KafkaPartitionSplitReader(
        settings, has_group=False, timeout=10, max_records=max_records, on_commit=lambda error, partitions: None
    )


@contextlib.contextmanager
def reader(servers, *splits, max_records=16_384, reset=KafkaOffsetResetStrategy.EARLIEST, **properties):
    """A reader of the splits."""
    named = {name.replace("_", "."): value for name, value in properties.items()}
    values = {"bootstrap.servers": servers, **QUICK, **named}
    settings = ConsumerSettings(values, reset).for_reader(0)
    made = RecordBatchSplitReader(FetchSettings.of(settings), lambda: librdkafka(settings, max_records), max_records)
    made.handle_splits_changes(SplitsAddition(splits))
    try:
        yield made
    finally:
        made.close()


class Collected:
    """What a reader has given so far.

    Attributes:
        records: by split.
        finished: the splits that have ended.
    """

    def __init__(self, reader):
        self.reader = reader
        self.records, self.finished = {}, []

    def fetch(self):
        fetched = self.reader.fetch()
        count = 0
        while (name := fetched.next_split()) is not None:
            records = fetched.next_records_from_split(1 << 30)
            count += len(records)
            self.records.setdefault(name, []).extend(records)
        self.finished += fetched.finished_splits()
        return count

    def until(self, condition, seconds=30):
        end = time.monotonic() + seconds
        while not condition():
            assert time.monotonic() < end, f"{ {name: len(found) for name, found in self.records.items()} }"
            self.fetch()
        return self

    def values(self, name):
        return [record.value for record in self.records.get(name, [])]


def by_librdkafka(broker, topic, **settings):
    """The messages of a topic's only partition, as records."""
    found = broker.read(topic, 1, 0, **settings)
    return [
        (each.offset(), each.timestamp()[1], each.key(), each.value(), tuple(each.headers() or ())) for each in found
    ]


def alike(records):
    return [(each.offset, each.timestamp, each.key, each.value, each.headers) for each in records]


@pytest.mark.parametrize("compression", ["none", "gzip", "snappy", "lz4", "zstd"])
def test_records_are_those_that_librdkafka_reads(broker, compression):
    """In whatever way they are compressed: values, keys, headers and timestamps, also where there are none."""
    topic = broker.topic()
    producer = broker.producer(**{"compression.type": compression})
    for number in range(500):
        key = None if number % 3 else b"k%d" % number
        value = None if number % 7 == 0 else b"value %d" % number
        headers = [("h", b"1"), ("h", None)] if number % 5 == 0 else None
        producer.produce(topic, value, key=key, headers=headers, timestamp=1_000 + number, partition=0)
    producer.flush(30)
    with reader(broker.servers, split(topic, stop=500)) as fetching:
        found = Collected(fetching)
        found.until(lambda: found.finished)
        assert fetching._other is None
    assert alike(found.records[f"{topic}-0"]) == by_librdkafka(broker, topic)
    assert found.finished == [f"{topic}-0"]


@pytest.mark.parametrize("start", [0, 1, 37, 99])
@pytest.mark.parametrize("stop", [38, 99, 100])
def test_a_split_has_what_is_between_its_offsets(broker, start, stop):
    """They may be anywhere within batches; however few records a fetch brings, none is lost or doubled."""
    if start >= stop:
        return
    topic = broker.topic(partitions=2)
    for partition in (0, 1):
        broker.produce(topic, partition, numbers(60))
        broker.produce(topic, partition, numbers(60, 120))
    splits = [split(topic, partition, start, stop) for partition in (0, 1)]
    with reader(broker.servers, *splits, max_records=7) as fetching:
        found = Collected(fetching)
        while len(found.finished) < 2:
            assert found.fetch() <= 7
    assert [found.values(f"{topic}-{partition}") for partition in (0, 1)] == [numbers(start, stop)] * 2


def test_transactions_that_came_to_nothing_are_left_out_where_the_property_says_so(broker):
    """And only there; a split ends behind the mark of the last one."""
    topic = broker.topic()
    number = 0
    for kept in (True, False, True, False):
        producer = broker.producer(**{"transactional.id": f"{topic}-transactions"})
        producer.init_transactions(30)
        producer.begin_transaction()
        for _ in range(5):
            producer.produce(topic, b"%d" % number, partition=0)
            number += 1
        producer.flush(30)
        producer.commit_transaction(30) if kept else producer.abort_transaction(30)
    for isolation, expected in (
        ("read_committed", [*numbers(5), *numbers(10, 15)]),
        ("read_uncommitted", numbers(20)),
    ):
        with reader(broker.servers, split(topic, stop=24), isolation_level=isolation) as fetching:
            found = Collected(fetching)
            found.until(lambda found=found: found.finished)
            assert fetching._other is None
        assert found.values(f"{topic}-0") == expected


def test_the_ends_of_partitions_are_those_that_brokers_say(broker):
    """Not beyond where the split stops."""
    topic = broker.topic(partitions=2)
    for partition in (0, 1):
        broker.produce(topic, partition, numbers(30))
    with reader(broker.servers, split(topic, 0), split(topic, 1, stop=20), max_records=5) as fetching:
        fetching.look_for_ends()
        assert fetching.ends == {}
        found = Collected(fetching)
        found.until(lambda: len(found.records) == 2)
        fetching.look_for_ends()
        assert fetching.ends == {f"{topic}-0": 30, f"{topic}-1": 20}


def test_an_empty_split_ends_and_one_that_is_taken_away_is_read_no_further(broker):
    """Nobody is asked about the first; of the second nothing comes, whatever was under way."""
    topic = broker.topic(partitions=3)
    for partition in (0, 1, 2):
        broker.produce(topic, partition, numbers(1000))
    splits = [split(topic, 0, 5, 5), split(topic, 1), split(topic, 2)]
    with reader(broker.servers, *splits, max_records=10) as fetching:
        found = Collected(fetching)
        found.until(lambda: len(found.records) == 2)
        assert found.finished == [f"{topic}-0"]
        fetching.handle_splits_changes(SplitsRemoval([splits[1]]))
        before = len(found.values(f"{topic}-1"))
        found.until(lambda: len(found.values(f"{topic}-2")) == 1000)
        assert len(found.values(f"{topic}-1")) == before
        fetching.handle_splits_changes(SplitsAddition([split(topic, 1, before)]))
        found.until(lambda: len(found.values(f"{topic}-1")) == 1000)
    assert found.values(f"{topic}-1") == numbers(1000)


def test_records_that_are_gone_are_for_librdkafka_which_begins_as_the_source_says(broker):
    """At the first that is there; it goes on being read, and to its end."""
    topic = broker.topic()
    broker.produce(topic, 0, numbers(10))
    broker.delete_records(topic, 0, 4)
    with reader(broker.servers, split(topic, stop=12)) as fetching:
        found = Collected(fetching)
        found.until(lambda: found.values(f"{topic}-0") == numbers(4, 10))
        assert fetching._handed_over
        broker.produce(topic, 0, numbers(10, 12))
        found.until(lambda: found.finished)
    assert found.values(f"{topic}-0") == numbers(4, 12)


def test_where_librdkafka_has_gone_is_not_gone_back_from(broker, monkeypatch):
    """From an offset that is out of range it goes to the end, as the source says, and nobody is told where that is."""
    monkeypatch.setattr(batch_split_reader, "_TAKE_BACK", 0.3)
    topic = broker.topic()
    broker.produce(topic, 0, numbers(10))
    broker.delete_records(topic, 0, 4)
    with reader(broker.servers, split(topic), reset=KafkaOffsetResetStrategy.LATEST) as fetching:
        found = Collected(fetching)
        found.until(lambda: fetching._handed_over)
        begin = time.monotonic()
        found.until(lambda: time.monotonic() > begin + 2)
        for number in range(10, 13):
            broker.produce(topic, 0, numbers(number, number + 1))
            found.until(lambda number=number: found.values(f"{topic}-0")[-1:] == numbers(number, number + 1))
            found.until(lambda: not fetching._handed_over)
    assert found.values(f"{topic}-0") == numbers(10, 13)


def test_what_was_paused_while_librdkafka_read_it_is_not_paused_there_for_ever(broker):
    """It may be handed over again when it is read again here."""
    topic = broker.topic()
    broker.produce(topic, 0, numbers(10))
    with reader(broker.servers, split(topic), max_records=1) as fetching:
        found = Collected(fetching)
        found.until(lambda: found.records)
        fetching._hand_over(*fetching._partitions.values(), "test")
        fetching.pause_or_resume_splits([split(topic)], [])
        fetching._take_back()
        fetching.pause_or_resume_splits([], [split(topic)])
        fetching._hand_over(*fetching._partitions.values(), "test")
        found.until(lambda: len(found.values(f"{topic}-0")) == 10)
    assert found.values(f"{topic}-0") == numbers(10)


def test_a_record_that_only_librdkafka_can_read_is_read_by_it(broker):
    """A header's name that is no UTF-8; what was in front of it has been given on."""
    topic = broker.topic()
    broker.produce(topic, 0, numbers(5))
    data = batch([0, 1]).replace(b"\x02h", b"\x02\xff")
    with reader(broker.servers, split(topic, stop=5)) as fetching:
        partition = FetchedPartition(split(topic))
        good = batch([0, 1])
        partition.put(PartitionResponse(0, 4, [], good + batch([2, 3]).replace(b"\x02h", b"\x02\xff")))
        assert partition.take(100, check=False).values() == [b"value 0", b"value 1"]
        with pytest.raises(UnreadableBatchError):
            partition.take(100, check=False)
        assert partition.rest().starting_offset == 2
        fetching._partitions[partition.key] = partition = FetchedPartition(split(topic, stop=5))
        partition.put(PartitionResponse(0, 5, [], data))
        found = Collected(fetching)
        found.until(lambda: found.finished)
        assert fetching._other is not None
    assert found.values(f"{topic}-0") == numbers(5)


def test_partitions_are_asked_for_in_their_order():
    """The first that has something gets it, however long: those of one topic do not come in front of it together."""
    client = FetchClient(FetchSettings({"bootstrap_servers": ["b:1"]}, False, True, 1, 500, 100, 10))
    request = client._request({("a", 0): 5, ("b", 0): 6, ("b", 1): 7, ("a", 1): 8})
    assert request.topics == [("a", [(0, 5, 10)]), ("b", [(0, 6, 10), (1, 7, 10)]), ("a", [(1, 8, 10)])]
    client.close()


def test_a_partition_that_an_answer_has_nothing_of_is_not_asked_for_for_ever():
    """The answer may be an error as a whole: then all partitions fail."""

    async def answered():
        return SimpleNamespace(topics=[("a", [(0, 0, 9, 9, [], b"")])])

    loop = asyncio.new_event_loop()
    task = loop.create_task(answered())
    loop.run_until_complete(task)
    loop.close()
    first, second = _answers(7, _Request({("a", 0): 5, ("a", 1): 6}, task, 0.0))
    assert first == (("a", 0), 5, PartitionResponse(0, 9, [], b""))
    assert second[:2] == (("a", 1), 6)
    assert isinstance(second[2], FetchError)


@pytest.mark.parametrize(
    ("seconds", "waited", "looks", "expected"),
    [(100, 1, 10, False), (6, 5.6, 1, True), (30, 0.5, 401, True), (10, 0.5, 401, False), (5, 4, 1000, False)],
)
def test_a_broker_is_given_up_when_it_had_the_time_to_answer(seconds, waited, looks, expected):
    """Time in which nobody looked for the answer is not its own; while others answer, few moments are waited."""
    request = _Request({}, None, 1_000.0, waited, looks)
    assert request.is_overdue(1_000.0 + seconds, 0.5) is expected


def test_a_broker_that_is_away_is_for_librdkafka_and_taken_back_when_it_is_there(own_broker, monkeypatch):
    """Nothing is lost or doubled, and a partition that was paused stays so."""
    monkeypatch.setattr(batch_split_reader, "_TAKE_BACK", 0.5)
    topic = own_broker.topic(partitions=2)
    names = [f"{topic}-0", f"{topic}-1"]
    for partition in (0, 1):
        own_broker.produce(topic, partition, numbers(100))
    with reader(own_broker.servers, split(topic, 0), split(topic, 1)) as fetching:
        found = Collected(fetching)
        found.until(lambda: [len(found.values(name)) for name in names] == [100, 100])
        fetching.pause_or_resume_splits([split(topic, 1)], [])
        own_broker.kill()
        found.until(lambda: fetching._handed_over)
        own_broker.start()
        for partition in (0, 1):
            own_broker.produce(topic, partition, numbers(100, 150))
        found.until(lambda: len(found.values(names[0])) == 150)
        found.until(lambda: not fetching._handed_over)
        own_broker.produce(topic, 0, numbers(150, 200))
        found.until(lambda: len(found.values(names[0])) == 200)
        assert len(found.values(names[1])) == 100
        fetching.pause_or_resume_splits([], [split(topic, 1)])
        found.until(lambda: len(found.values(names[1])) == 150)
    assert [found.values(name) for name in names] == [numbers(200), numbers(150)]


def test_an_answer_that_waited_for_long_is_not_late(broker, monkeypatch):
    """Who reads may be busy for longer than a broker may take: only time that we wait counts."""
    monkeypatch.setattr("windrow.connectors.kafka.fetch_client._PATIENCE", 0.2)
    topic = broker.topic()
    broker.produce(topic, 0, numbers(200))
    with reader(broker.servers, split(topic, stop=200), max_records=50, fetch_max_wait_ms="1") as fetching:
        found = Collected(fetching)
        while not found.finished:
            found.fetch()
            time.sleep(0.3)
        assert fetching._other is None
    assert found.values(f"{topic}-0") == numbers(200)


def test_topics_are_not_made_by_being_asked_about(broker, monkeypatch):
    """Brokers make a topic that is asked for, unless the question says that they are not to."""
    asked = []

    class Recorded(MetadataRequest):
        def __init__(self, topics=None, allow_auto_topic_creation=None):
            super().__init__(topics, allow_auto_topic_creation)
            asked.append((topics, allow_auto_topic_creation))

    monkeypatch.setattr("aiokafka.client.MetadataRequest", Recorded)
    monkeypatch.setattr("aiokafka.protocol.metadata.MetadataRequest", Recorded)
    topic = broker.topic()
    broker.produce(topic, 0, numbers(10))
    with reader(broker.servers, split(topic, stop=10)) as fetching:
        found = Collected(fetching)
        found.until(lambda: found.finished)
    assert ([topic], False) in asked
    assert [topics for topics, makes in asked if makes is not False and topics != []] == []
