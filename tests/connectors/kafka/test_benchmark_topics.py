"""What the benchmark of Kafka writes."""

import json

from bench.kafka import FIRST_TIMESTAMP, PARTITIONS, fill
from bench.workload import event


def test_topics_hold_the_events_of_the_main_benchmark(broker):
    """Dealt in turn to the partitions, in order, with their times as Kafka's timestamps."""
    fill(broker, broker.topic(PARTITIONS, "filled"), 1030)
    messages = broker.read("filled", PARTITIONS, 1030)
    found = [json.loads(message.value())["amount"] for message in messages]
    assert found == [place for partition in range(PARTITIONS) for place in range(partition, 1030, PARTITIONS)]
    times = {json.loads(message.value())["amount"]: message.timestamp()[1] for message in messages}
    assert times == {place: FIRST_TIMESTAMP + event(place)[2] for place in range(1030)}
