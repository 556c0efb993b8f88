"""A Kafka topic read by Spark's own connector, all that is there.

Arguments: mode (``discard``: texts into Spark's sink that drops everything; ``sum``: JSON into a keyed windowed sum on
the RocksDB state store), parallelism, brokers, warm-up topic, topic, runs, jars. Prints a line of JSON per timed run.

Spark emits a window one batch after the watermark has passed it and has no end of input: the topic ``release`` has one
event, a century later, that releases the last windows.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as f

RELEASE = "release"


def session(parallelism: int, jars: str) -> SparkSession:
    """A session on so many cores, with the settings that are known to make stateful queries fast."""
    settings = {
        "spark.jars": jars,
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.driver.memory": "4g",
        "spark.sql.session.timeZone": "UTC",
        "spark.sql.shuffle.partitions": str(parallelism),
        "spark.sql.streaming.stateStore.providerClass": (
            "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider"
        ),
        "spark.sql.streaming.stateStore.rocksdb.changelogCheckpointing.enabled": "true",
        "spark.sql.streaming.stateStore.rocksdb.trackTotalNumberOfRows": "false",
    }
    builder = SparkSession.builder.master(f"local[{parallelism}]")
    for name, value in settings.items():
        builder = builder.config(name, value)
    spark = builder.getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    return spark


def records(spark: SparkSession, servers: str, topics: str) -> DataFrame:
    """The records of the topics from their beginning."""
    options = {"kafka.bootstrap.servers": servers, "subscribe": topics, "startingOffsets": "earliest"}
    return spark.readStream.format("kafka").options(**options).load()


def discard(spark: SparkSession, servers: str, topic: str) -> float:
    """Read all texts once and return the seconds it took."""
    texts = records(spark, servers, topic).select(f.col("value").cast("string"))
    with tempfile.TemporaryDirectory() as checkpoint:
        started = time.perf_counter()
        writer = texts.writeStream.format("noop").option("checkpointLocation", checkpoint)
        writer.trigger(availableNow=True).start().awaitTermination()
        return time.perf_counter() - started


def count(spark: SparkSession, servers: str, topic: str) -> dict[str, int]:
    """How many records there are, and what their amounts add up to."""
    options = {"kafka.bootstrap.servers": servers, "subscribe": topic}
    amount = f.get_json_object(f.col("value").cast("string"), "$.amount").cast("long")
    found = spark.read.format("kafka").options(**options).load()
    row = found.agg(f.count("*").alias("results"), f.sum(amount).alias("total")).first()
    assert row is not None
    found_by_name: dict[str, int] = row.asDict()
    return found_by_name


def windowed_sum(spark: SparkSession, servers: str, topic: str) -> dict[str, float]:
    """Sum per key and minute once: the seconds, and what came out."""
    counts = {"results": 0, "total": 0}

    def add(batch: DataFrame, _: int) -> None:
        row = batch.agg(f.count("*"), f.sum("amount")).first()
        if row is not None:
            counts["results"] += row[0]
            counts["total"] += row[1] or 0

    event = f.from_json(f.col("value").cast("string"), "key LONG, amount LONG").alias("event")
    sums = (
        records(spark, servers, f"{topic},{RELEASE}")
        .select(event, "timestamp")
        .withWatermark("timestamp", "1 second")
        .groupBy(f.window("timestamp", "60 seconds"), "event.key")
        .agg(f.sum("event.amount").alias("amount"))
    )
    with tempfile.TemporaryDirectory() as checkpoint:
        started = time.perf_counter()
        writer = sums.writeStream.outputMode("append").foreachBatch(add).option("checkpointLocation", checkpoint)
        writer.trigger(availableNow=True).start().awaitTermination()
        seconds = time.perf_counter() - started
    return {"seconds": round(seconds, 3), **counts}


def main() -> None:
    """Check, warm up, then time the runs."""
    mode, parallelism, servers, warm_up, topic, runs, jars = sys.argv[1:]
    spark = session(int(parallelism), jars)
    if mode == "sum":
        windowed_sum(spark, servers, warm_up)
        for _ in range(int(runs)):
            print(json.dumps(windowed_sum(spark, servers, topic)), flush=True)
    else:
        counted = count(spark, servers, topic)
        discard(spark, servers, warm_up)
        for _ in range(int(runs)):
            print(json.dumps({"seconds": round(discard(spark, servers, topic), 3), **counted}), flush=True)
    spark.stop()


if __name__ == "__main__":
    main()
