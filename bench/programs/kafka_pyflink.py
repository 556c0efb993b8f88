"""A Kafka topic read by PyFlink, bounded by what is there.

Arguments: mode (``discard``: texts into Flink's sink that drops everything, all in the JVM; ``sum``: JSON into a keyed
windowed sum), parallelism, brokers, warm-up topic, topic, runs, jar. Prints a line of JSON per timed run.
"""

import json
import sys
import tempfile
import time
import uuid
from pathlib import Path

from pyflink.common import Duration, SimpleStringSchema, Time, WatermarkStrategy
from pyflink.datastream import FlatMapFunction, StreamExecutionEnvironment
from pyflink.datastream.connectors.kafka import KafkaOffsetsInitializer, KafkaSource
from pyflink.datastream.window import TumblingEventTimeWindows
from pyflink.java_gateway import get_gateway
from pyflink.table import EnvironmentSettings, TableEnvironment


class Count(FlatMapFunction):
    """The sink: lets nothing through, counts the results and sums them, and leaves both in a file when it is closed."""

    def __init__(self, folder):
        self.folder = folder

    def open(self, runtime_context):
        self.results = 0
        self.total = 0

    def flat_map(self, result):
        self.results += 1
        self.total += result[1]
        return ()

    def close(self):
        (Path(self.folder) / uuid.uuid4().hex).write_text(f"{self.results} {self.total}")


class Job:
    """What all runs have in common."""

    def __init__(self, parallelism, servers, jar):
        self.parallelism = parallelism
        self.servers = servers
        self.jar = jar

    def texts(self, topic, strategy):
        """The environment and all that is in the topic now."""
        env = StreamExecutionEnvironment.get_execution_environment()
        env.set_parallelism(self.parallelism)
        env.add_jars(Path(self.jar).as_uri())
        builder = KafkaSource.builder().set_bootstrap_servers(self.servers).set_topics(topic)
        builder.set_starting_offsets(KafkaOffsetsInitializer.earliest())
        builder.set_bounded(KafkaOffsetsInitializer.latest())
        source = builder.set_value_only_deserializer(SimpleStringSchema()).build()
        return env, env.from_source(source, strategy, "kafka")

    def discard(self, topic):
        """Read all texts once and return the seconds it took."""
        env, texts = self.texts(topic, WatermarkStrategy.no_watermarks())
        discarding = get_gateway().jvm.org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink()
        texts._j_data_stream.sinkTo(discarding)
        started = time.perf_counter()
        env.execute()
        return time.perf_counter() - started

    def windowed_sum(self, topic):
        """Sum per key and minute once: the seconds, and what came out."""
        strategy = WatermarkStrategy.for_bounded_out_of_orderness(Duration.of_seconds(1))
        env, texts = self.texts(topic, strategy)
        with tempfile.TemporaryDirectory() as folder:
            (
                texts.map(json.loads)
                .map(lambda event: (event["key"], event["amount"]))
                .key_by(lambda event: event[0])
                .window(TumblingEventTimeWindows.of(Time.minutes(1)))
                .reduce(lambda a, b: (a[0], a[1] + b[1]))
                .flat_map(Count(folder))
                .print()
            )
            started = time.perf_counter()
            env.execute()
            seconds = time.perf_counter() - started
            counts = [path.read_text().split() for path in Path(folder).iterdir()]
        results = sum(int(count) for count, _ in counts)
        return {"seconds": round(seconds, 3), "results": results, "total": sum(int(total) for _, total in counts)}

    def count(self, topic):
        """How many records Flink's connector gives, and what their amounts add up to."""
        tables = TableEnvironment.create(EnvironmentSettings.in_batch_mode())
        tables.get_config().set("parallelism.default", str(self.parallelism))
        tables.get_config().set("pipeline.jars", Path(self.jar).as_uri())
        options = {
            "connector": "kafka",
            "topic": topic,
            "properties.bootstrap.servers": self.servers,
            "scan.startup.mode": "earliest-offset",
            "scan.bounded.mode": "latest-offset",
            "format": "json",
        }
        listed = ", ".join(f"'{name}' = '{value}'" for name, value in options.items())
        tables.execute_sql(f"CREATE TABLE events (`key` BIGINT, amount BIGINT) WITH ({listed})")
        with tables.execute_sql("SELECT COUNT(*), SUM(amount) FROM events").collect() as results:
            (row,) = results
        return {"results": row[0], "total": row[1]}


def main():
    """Check, warm up, then time the runs."""
    mode, parallelism, servers, warm_up, topic, runs, jar = sys.argv[1:]
    job = Job(int(parallelism), servers, jar)
    if mode == "sum":
        job.windowed_sum(warm_up)
        for _ in range(int(runs)):
            print(json.dumps(job.windowed_sum(topic)), flush=True)
        return
    counted = job.count(topic)
    job.discard(warm_up)
    for _ in range(int(runs)):
        print(json.dumps({"seconds": round(job.discard(topic), 3), **counted}), flush=True)


if __name__ == "__main__":
    main()
