"""Jobs whose partitions and sources run ahead of each other, held back by watermark alignment."""

import pytest

from tests.connectors.kafka.building import builder, numbers
from tests.runtime.sources.running import OneReader, Shown, job_of, splits_for
from windrow.common import Configuration, Duration, WatermarkStrategy
from windrow.connectors.kafka.partitions import KafkaPartitionSplit, KafkaTopicPartition
from windrow.datastream.connectors.datagen import DataGeneratorSource
from windrow.datastream.connectors.kafka import KafkaOffsetsInitializer
from windrow.runtime.local.executor import LocalExecutor
from windrow.runtime.sources.messages import MaxWatermark

pytest.importorskip("confluent_kafka", reason="no Kafka client: pip install confluent-kafka")

LATEST = KafkaOffsetsInitializer.latest()
SECOND = 1000
HOUR = 3600 * SECOND
#: Of each partition: they end together.
TIMES = [(HOUR, 3 * HOUR), (2 * HOUR, 3 * HOUR), (2 * HOUR, 3 * HOUR)]
DRIFT = 15 * 60 * SECOND
#: Records of a fetch, one in each second of their partition's time.
PORTION = 50
#: What a reader has fetched when it pauses a partition still comes: the fetch that it emits, two in its queue, and the
#: one that waits for room in it. Another portion may have come before there was a limit, which is then as much higher.
FETCHED = 5 * PORTION * SECOND
ALIGNED = WatermarkStrategy.for_monotonous_timestamps().with_watermark_alignment("g", DRIFT, Duration.of_millis(1))


@pytest.fixture
def skewed(broker):
    """A topic whose partition 0 is an hour behind 1 and 2: with two readers, 0 and 2 are one reader's."""
    topic = broker.topic(partitions=3)
    for partition in range(3):
        times = range(*TIMES[partition], SECOND)
        broker.produce(topic, partition, [b"%d %d" % (partition, at) for at in times], times)
    return topic


def bounded(broker, topic):
    """The topic's records, fetched in small portions."""
    return builder(broker.servers, topic, max_poll_records=str(PORTION)).set_bounded(LATEST).build()


def read(shown):
    """What has come, in order: (partition, milliseconds)."""
    return [tuple(map(int, value.split())) for value in shown.values]


def check_drift(came):
    """Nothing is further ahead of partition 0 than the drift and what was fetched already; all is there, in order.

    Before partition 0 has said where it is, what is an hour ahead may go a drift further.
    """
    slowest = 0
    for partition, at in came:
        if partition == 0:
            slowest = at
        else:
            assert at <= max(slowest, 2 * HOUR) + DRIFT + FETCHED, f"partition {partition} is at {at}, 0 at {slowest}"
    for partition, times in enumerate(TIMES):
        assert [at for of, at in came if of == partition] == list(range(*times, SECOND))


def test_partitions_that_are_an_hour_ahead_wait(env, broker, skewed):
    """One is paused in the reader that has the slow one too, the other one's reader waits as a whole."""
    shown = Shown()
    env.configure(Configuration.from_dict({"windrow.source.records-per-batch": "2500"}))
    env.from_source(bounded(broker, skewed), ALIGNED, "kafka").sink_to(shown)
    env.execute()
    check_drift(read(shown))


def test_readers_that_are_made_anew_hold_back_what_was_held_back(broker, skewed):
    """As when Spark gives them to another worker behind each batch: their consumers begin with what is paused."""
    job, shown = job_of(bounded(broker, skewed), ALIGNED, parallelism=2)
    with LocalExecutor(job, batch_size=1000) as executor:
        while executor.run_batch():
            executor.restart()
    check_drift(read(shown))


def test_a_topic_waits_for_another_source_of_its_group(env, broker):
    """Generated elements catch up with a topic that is an hour ahead of them; it gives what it had fetched, no more."""
    topic, shown = broker.topic(), Shown()
    broker.produce(topic, 0, numbers(1000), range(HOUR, HOUR + 1000 * SECOND, SECOND))
    # An element in each quarter of a second: a poll gives 4096, which are 17 minutes.
    generated = DataGeneratorSource(lambda number: ("generated", number * SECOND // 4), 4 * 5000)
    by_number = ALIGNED.with_timestamp_assigner(lambda element, timestamp: element[1])
    env.configure(Configuration.from_dict({"windrow.source.records-per-batch": "4096"})).set_parallelism(1)
    stream = env.from_source(bounded(broker, topic), ALIGNED, "kafka").map(lambda value: ("read", int(value)))
    stream.union(env.from_source(generated, by_number, "generated")).sink_to(shown)
    env.execute()
    slowest = 0
    for source, number in shown.values:
        if source == "generated":
            slowest = number
        else:
            assert number <= PORTION or HOUR + number * SECOND <= slowest + DRIFT + FETCHED
    assert [number for source, number in shown.values if source == "read"] == list(range(1000))
    assert sum(source == "generated" for source, _ in shown.values) == 4 * 5000


def test_a_batch_that_is_run_again_reads_the_same_though_partitions_were_paused(broker, skewed, tmp_path):
    """By a consumer that begins anew, in another order; then it goes on with what is still paused."""
    source = bounded(broker, skewed)
    splits = [
        KafkaPartitionSplit(KafkaTopicPartition(skewed, partition), 0, (stop - start) // SECOND)
        for partition, (start, stop) in enumerate(TIMES)
    ]
    reader = OneReader(source, ALIGNED, tmp_path, records=2000, wait=10_000, duration=60_000)
    messages, came = splits_for(source, *splits), []
    while sum(stop - start for start, stop in TIMES) // SECOND > len(came):
        before = len(came)
        events = reader.run(*messages)
        assert reader.again(*messages) == events
        came += [tuple(map(int, event[0].split())) for event in events if isinstance(event, tuple)]
        assert len(came) > before
        messages = [MaxWatermark(3 * HOUR)]
    reader.host.close()
    check_drift(came)
