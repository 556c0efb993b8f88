"""One-second windows over Spark's rate source, and how long after its last element the program has a window's sum.

Arguments: the engine (spark, windrow, windrow-dataframe, windrow-source or flink), seconds that pass before it counts,
seconds that count. Prints a line of JSON: the milliseconds of each window.

The source gives a second's elements at once, when that second is over. Windows begin in the middle of such seconds, so
that the elements that close a window come together with its last ones. Event time is an element's number. The engine
windrow-source has a source of Windrow's that gives its elements one by one, at any moment of a second.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from typing import Any

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as f

from bench.programs.flink_beside import flink_command
from bench.programs.spark_group_by import session as sparks_session
from windrow.common import Configuration, Time, WatermarkStrategy
from windrow.connectors.interfaces import DriverSink
from windrow.datastream import DataStream, StreamExecutionEnvironment
from windrow.datastream.connectors.datagen import DataGeneratorSource, RateLimiterStrategy
from windrow.datastream.window import TumblingEventTimeWindows
from windrow.runtime.spark.session import session as windrows_session

PARALLELISM, PER_SECOND, KEYS = 2, 1000, 10
WINDOW_MS, OFFSET_MS = 1000, 500
#: Engines whose program calls ``execute``, with a sink in its process.
EXECUTED = ("windrow", "windrow-source")


class Seen:
    """The windows that the program has got."""

    def __init__(self) -> None:
        #: When it had the sum of a window that has a last element of this time.
        self.at: dict[int, float] = {}

    def note(self, last: int) -> None:
        """Of a window with a last element of this time."""
        self.at.setdefault(last, time.time() * 1000)

    def delays(self, since: float) -> list[int]:
        """Of windows whose last elements are younger."""
        return [round(at - last) for last, at in sorted(self.at.items()) if last >= since]


def elements(spark: SparkSession) -> DataFrame:
    """A key, a value, and the time of the clock at which an element is."""
    rate = spark.readStream.format("rate").option("rowsPerSecond", PER_SECOND).option("numPartitions", PARALLELISM)
    clock = f.unix_millis("timestamp").alias("clock")
    return rate.load().select((f.col("value") % KEYS).alias("key"), "value", clock)


def by_spark(spark: SparkSession) -> DataFrame:
    """Spark's own windows."""
    timed = elements(spark).withColumn("time", f.timestamp_millis("value")).withWatermark("time", "0 seconds")
    window = f.window("time", f"{WINDOW_MS} milliseconds", f"{WINDOW_MS} milliseconds", f"{OFFSET_MS} milliseconds")
    return timed.groupBy(window, "key").agg(f.sum("value").alias("sum"), f.max("clock").alias("last")).select("last")


def by_windrow(spark: SparkSession, env: StreamExecutionEnvironment) -> DataStream:
    """Windrow's: a sum and the last time, by key."""
    strategy = WatermarkStrategy.for_monotonous_timestamps().with_timestamp_assigner(lambda row, _: row.value)
    return windows(env.from_dataframe(elements(spark), strategy).map(lambda row: (row.key, row.value, row.clock)))


def by_own_source(env: StreamExecutionEnvironment) -> DataStream:
    """The same from a source of Windrow's, whose elements come one by one."""
    rate = RateLimiterStrategy.per_second(PER_SECOND)
    numbers = DataGeneratorSource(lambda number: (number % KEYS, number, int(time.time() * 1000)), (1 << 63) - 1, rate)
    strategy = WatermarkStrategy.for_monotonous_timestamps().with_timestamp_assigner(lambda element, _: element[1])
    return windows(env.from_source(numbers, strategy, "numbers").set_parallelism(1))


def windows(elements: DataStream) -> DataStream:
    """Their sums and last times."""
    return (
        elements.key_by(lambda element: element[0])
        .window(TumblingEventTimeWindows.of(Time.milliseconds(WINDOW_MS), Time.milliseconds(OFFSET_MS)))
        .reduce(lambda one, other: (one[0], one[1] + other[1], max(one[2], other[2])))
    )


class Noting(DriverSink):
    """Notes when a window's result is in the program's process."""

    def __init__(self, seen: Seen) -> None:
        self._seen = seen

    def deliver(self, values: Any, timestamps: Any) -> None:
        """Take results."""
        for value in values:
            self._seen.note(value[2])


def start(engine: str, seen: Seen, checkpoint: str) -> Any:
    """Start it; what has ``cancel`` or ``stop``."""
    if engine == "spark":
        frame = by_spark(sparks_session(PARALLELISM))
    else:
        spark = windrows_session({"spark.master": f"local[{PARALLELISM}]"})
        configuration = Configuration().set_string("execution.checkpointing.dir", checkpoint)
        env = StreamExecutionEnvironment.get_execution_environment(configuration, spark).set_parallelism(PARALLELISM)
        sums = by_own_source(env) if engine == "windrow-source" else by_windrow(spark, env)
        if engine in EXECUTED:
            sums.sink_to(Noting(seen))
            return env.execute_async("delay")
        frame = sums.to_dataframe("key long, sum long, last long").select("last")

    def note(batch: DataFrame, _: int) -> None:
        for row in batch.collect():
            seen.note(row.last)

    return frame.writeStream.foreachBatch(note).option("checkpointLocation", checkpoint).start()


def main(engine: str, warm_up: int, seconds: int) -> None:
    """Run it for so long, and print what was seen."""
    seen = Seen()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as checkpoint:
        if engine == "flink":  # whose job prints the same
            subprocess.run(flink_command("delay", checkpoint, warm_up, seconds), check=True)
            return
        running = start(engine, seen, f"{checkpoint}/checkpoint")
        while not seen.at:
            time.sleep(0.1)
        since = time.time() * 1000 + warm_up * 1000
        time.sleep(warm_up + seconds)
        delays = seen.delays(since)
        running.cancel() if engine in EXECUTED else running.stop()
        print(json.dumps(delays), flush=True)


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:]))
