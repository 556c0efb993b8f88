"""The benchmark's job in Spark's own words: a streaming ``groupBy(window, key)`` on the RocksDB state store.

Spark's number source reads in order, so an event's number is its place in event time. Spark emits a window one batch
after the watermark passed it and has no end of input: one more event, a century later, releases the last windows.

Arguments: parallelism, warm-up events, events, runs, results expected of the warm-up, results expected of a run.
Prints a line of JSON per timed run.
"""

from __future__ import annotations

import json
import sys
import tempfile
import threading
import time

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as f

ROWS_PER_BATCH = 2_000_000
CENTURY_MS = 100 * 365 * 24 * 60 * 60 * 1000


def session(parallelism: int) -> SparkSession:
    """A session on so many cores, with the settings that are known to make stateful queries fast."""
    settings = {
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


def sums(spark: SparkSession, parallelism: int, events: int) -> DataFrame:
    """The streaming sums of ``events`` events, per key and window."""
    numbers = (
        spark.readStream.format("rate-micro-batch")
        .option("rowsPerBatch", ROWS_PER_BATCH)
        .option("numPartitions", parallelism)
        .load()
        .where(f.col("value") <= events)
    )
    last = f.col("value") == events
    timestamp = f.when(last, f.lit(CENTURY_MS)).otherwise(f.expr("value ^ 511"))
    return (
        numbers.select(
            f.expr("(value * 7919 ^ shiftright(value, 7)) % 10000").alias("key"),
            f.col("value").alias("amount"),
            f.timestamp_millis(timestamp).alias("timestamp"),
        )
        .withWatermark("timestamp", "1 second")
        .groupBy(f.window("timestamp", "60 seconds"), "key")
        .agg(f.sum("amount").alias("amount"))
    )


def run(spark: SparkSession, parallelism: int, events: int, expected: int) -> dict[str, float]:
    """Run the query until it has given the expected number of results; the seconds and what came out."""
    counts = {"results": 0, "total": 0}
    finished = threading.Event()

    def count(batch: DataFrame, _: int) -> None:
        row = batch.agg(f.count("*"), f.sum("amount")).first()
        if row is not None and not finished.is_set():
            counts["results"] += row[0]
            counts["total"] += row[1] or 0
            if counts["results"] >= expected:
                finished.set()

    with tempfile.TemporaryDirectory() as checkpoint:
        started = time.perf_counter()
        writer = sums(spark, parallelism, events).writeStream.outputMode("append").foreachBatch(count)
        query = writer.option("checkpointLocation", checkpoint).start()
        while not finished.wait(0.02) and query.isActive:
            pass
        seconds = time.perf_counter() - started
        query.stop()
    return {"seconds": round(seconds, 3), **counts}


def main() -> None:
    """Warm up, then time the runs."""
    parallelism, warm_up, events, runs, warm_up_expected, expected = map(int, sys.argv[1:])
    spark = session(parallelism)
    run(spark, parallelism, warm_up, warm_up_expected)
    for _ in range(runs):
        print(json.dumps(run(spark, parallelism, events, expected)), flush=True)
    spark.stop()


if __name__ == "__main__":
    main()
