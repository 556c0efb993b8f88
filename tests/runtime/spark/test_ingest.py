import json
import os
from datetime import UTC, datetime

import pyarrow as pa
import pytest

from tests.runtime.spark.test_stream_run import ListSink, running, wait_until
from windrow.common import Time, WatermarkStrategy
from windrow.common.limits import NO_TIMESTAMP
from windrow.common.watermark_strategy import Watermark, WatermarkGenerator
from windrow.datastream import OutputTag
from windrow.datastream.window import TumblingEventTimeWindows
from windrow.runtime.spark.ingest import timestamps_of

ON_SPARK = pytest.mark.spark


@pytest.mark.parametrize(
    ("column", "expected"),
    [
        (pa.array([1500, -1, None], pa.timestamp("us", tz="Europe/Berlin")), [1, -1, NO_TIMESTAMP]),
        (pa.array([1500, -1500], pa.timestamp("us")), [1, -2]),
        (pa.array([5, None, -(2**63) + 1]), [5, NO_TIMESTAMP, -(2**63) + 1]),
        (pa.array([5], pa.int32()), [5]),
        (pa.array([], pa.timestamp("us")), []),
    ],
)
def test_timestamps_become_milliseconds(column, expected):
    """Rounded down to milliseconds since 1970 in UTC; null is no timestamp."""
    assert timestamps_of(column).tolist() == expected


class OnEach(WatermarkGenerator):
    """Behind each element its watermark."""

    def on_event(self, event, event_timestamp, output):
        output.emit_watermark(Watermark(event_timestamp))

    def on_periodic_emit(self, output):
        """There is one behind each element."""


@ON_SPARK
def test_splits_of_a_column_have_their_own_watermarks_over_many_batches(on_spark, spark_session, tmp_path):
    """With two skewed splits nothing is late that is not late in its own split; with one watermark for all much is."""
    (tmp_path / "in").mkdir()
    for number in range(3):
        rows = [{"split": "ahead", "ms": 100_000 + 1000 * number}, {"split": "behind", "ms": 1000 * number}]
        if number == 2:
            rows.append({"split": "behind", "ms": 3})  # late, in its split too
        file = tmp_path / "in" / f"{number}.json"
        file.write_text("\n".join(map(json.dumps, rows)))
        os.utime(file, (number, number))  # Spark reads the oldest first

    def late_ones(**columns):
        late = OutputTag("late")
        reader = spark_session.readStream.schema("split string, ms long").option("maxFilesPerTrigger", 1)
        env = on_spark({"windrow.trigger.available-now": "true"})
        strategy = WatermarkStrategy.for_generator(OnEach)
        stream = env.from_dataframe(reader.json(str(tmp_path / "in")), strategy, timestamp_column="ms", **columns).map(
            lambda row: (row.split, row.ms)
        )
        windows = stream.key_by(lambda pair: 0).window(TumblingEventTimeWindows.of(Time.milliseconds(10)))
        counts = windows.side_output_late_data(late).reduce(lambda one, two: one)
        with counts.get_side_output(late).execute_and_collect() as results:
            return sorted(results)

    assert late_ones(split_column="split") == [("behind", 3)]
    assert late_ones() == [("behind", 0), ("behind", 3), ("behind", 1000), ("behind", 2000)]


@ON_SPARK
def test_sparks_rate_source(on_spark, spark_session):
    """Its timestamps are the elements' own, and each value of a column is a split."""
    rate = spark_session.readStream.format("rate").option("rowsPerSecond", 1000).load()
    frame = rate.selectExpr("value", "value % 2 AS part", "timestamp_millis(value * 10) AS at")
    env = on_spark()
    rows = env.from_dataframe(frame, WatermarkStrategy.for_generator(OnEach), "part", "at")
    windows = rows.map(lambda row: (row.value * 10 // 1000, 1)).key_by(lambda pair: 0)
    sink = ListSink()
    counts = windows.window(TumblingEventTimeWindows.of(Time.seconds(1)))
    counts.reduce(lambda one, two: (one[0], one[1] + two[1])).sink_to(sink)
    with running(env, "rate") as client:
        wait_until(lambda: len(sink.elements) >= 5, client)
    assert sink.elements[:5] == [(second, 100) for second in range(5)]


@ON_SPARK
def test_a_batch_dataframe_with_timestamps_and_counted_splits(on_spark, spark_session):
    """Timestamps go along with their rows to the channels of the splits."""
    at = [datetime(2024, 1, 1, 0, 0, second, tzinfo=UTC) for second in (3, 1, 2)]
    frame = spark_session.createDataFrame(list(zip((1, 0, 1), at, strict=True)), "part int, at timestamp").coalesce(1)
    env = on_spark({"execution.runtime-mode": "STREAMING"})
    rows = env.from_dataframe(frame, WatermarkStrategy.for_monotonous_timestamps(), "part", "at", splits=2)
    windows = rows.map(lambda row: (row.part, 1)).key_by(lambda pair: pair[0])
    counts = windows.window(TumblingEventTimeWindows.of(Time.hours(1))).reduce(lambda a, b: (a[0], a[1] + b[1]))
    assert sorted(counts.execute_and_collect(limit=9)) == [(0, 1), (1, 2)]
