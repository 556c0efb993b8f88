"""A Kafka topic read by Windrow, bounded by what is there.

Arguments: mode (``discard``: texts into a sink that drops everything; ``sum``: JSON into a keyed windowed sum;
``sum-checkpointed``: the same as a streaming query with a checkpoint), parallelism, brokers, warm-up topic, topic,
runs. Prints a line of JSON per timed run.
"""

import json
import sys
import tempfile
import time
from collections.abc import Callable
from typing import Any

from windrow.common import Configuration, DeserializationSchema, Duration, SimpleStringSchema, Time, WatermarkStrategy
from windrow.common.accumulators import LongCounter
from windrow.connectors.discarding import DiscardingSink
from windrow.datastream import FlatMapFunction, RuntimeContext, StreamExecutionEnvironment
from windrow.datastream.connectors.kafka import KafkaOffsetsInitializer, KafkaSource
from windrow.datastream.window import TumblingEventTimeWindows


class Count(FlatMapFunction):
    """Counts results and adds them up."""

    def open(self, runtime_context: RuntimeContext) -> None:
        """Register the totals."""
        self.results, self.total = LongCounter(), LongCounter()
        runtime_context.add_accumulator("results", self.results)
        runtime_context.add_accumulator("total", self.total)

    def flat_map(self, value: tuple[int, int]) -> tuple[()]:
        """Let nothing through."""
        self.results.add(1)
        self.total.add(value[1])
        return ()


def source(servers: str, topic: str, schema: DeserializationSchema | Callable[[bytes], Any]) -> KafkaSource:
    """All that is in the topic now."""
    builder = KafkaSource.builder().set_bootstrap_servers(servers).set_topics(topic)
    builder.set_bounded(KafkaOffsetsInitializer.latest())
    return builder.set_value_only_deserializer(schema).build()


def discard(parallelism: int, servers: str, topic: str) -> float:
    """Read all texts once and return the seconds it took."""
    env = StreamExecutionEnvironment.get_execution_environment().set_parallelism(parallelism)
    texts = env.from_source(source(servers, topic, SimpleStringSchema()), WatermarkStrategy.no_watermarks(), "kafka")
    texts.sink_to(DiscardingSink())
    started = time.perf_counter()
    env.execute()
    return time.perf_counter() - started


def count(parallelism: int, servers: str, topic: str) -> dict[str, int]:
    """How many records the source gives, and what their amounts add up to."""
    env = StreamExecutionEnvironment.get_execution_environment().set_parallelism(parallelism)
    events = env.from_source(source(servers, topic, json.loads), WatermarkStrategy.no_watermarks(), "kafka")
    events.map(lambda event: (0, event["amount"])).flat_map(Count()).sink_to(DiscardingSink())
    counted: dict[str, int] = env.execute().get_all_accumulator_results()
    return counted


def windowed_sum(parallelism: int, servers: str, topic: str, checkpoint: str | None) -> dict[str, float]:
    """Sum per key and minute once: the seconds, and what came out."""
    settings = Configuration.from_dict({} if checkpoint is None else {"execution.checkpointing.dir": checkpoint})
    env = StreamExecutionEnvironment.get_execution_environment(settings).set_parallelism(parallelism)
    strategy = WatermarkStrategy.for_bounded_out_of_orderness(Duration.of_seconds(1))
    (
        env.from_source(source(servers, topic, json.loads), strategy, "kafka")
        .map(lambda event: (event["key"], event["amount"]))
        .key_by(lambda event: event[0])
        .window(TumblingEventTimeWindows.of(Time.minutes(1)))
        .reduce(lambda a, b: (a[0], a[1] + b[1]))
        .flat_map(Count())
        .sink_to(DiscardingSink())
    )
    started = time.perf_counter()
    result = env.execute()
    return {"seconds": round(time.perf_counter() - started, 3), **result.get_all_accumulator_results()}


def main() -> None:
    """Check, warm up, then time the runs."""
    mode, parallelism, servers, warm_up, topic, runs = sys.argv[1:]
    if mode.startswith("sum"):
        for each in [warm_up, *[topic] * int(runs)]:
            with tempfile.TemporaryDirectory() as folder:
                checkpoint = f"{folder}/checkpoint" if mode == "sum-checkpointed" else None
                found = windowed_sum(int(parallelism), servers, each, checkpoint)
            if each == topic:
                print(json.dumps(found), flush=True)
        return
    counted = count(int(parallelism), servers, topic)
    discard(int(parallelism), servers, warm_up)
    for _ in range(int(runs)):
        seconds = round(discard(int(parallelism), servers, topic), 3)
        print(json.dumps({"seconds": seconds, **counted}), flush=True)


if __name__ == "__main__":
    main()
