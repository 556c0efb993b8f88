"""In a query whose input has no end, watermarks follow each batch that brought elements."""

import json
import os

import pytest

from windrow.common import Duration, Time, WatermarkStrategy
from windrow.datastream import ProcessWindowFunction
from windrow.datastream.window import TumblingEventTimeWindows

SCHEMA = "sensor string, minute long"
#: What each file holds; the second row of the last one comes too late.
FILES = [[("a", 0), ("b", 59), ("a", 30)], [("a", 61), ("a", 70)], [("b", 121), ("b", 125), ("a", 50)]]


class Hours(ProcessWindowFunction):
    def process(self, key, context, elements):
        yield key, context.window().start // Time.hours(1).to_milliseconds(), len(list(elements))


def write(folder, number):
    path = folder / f"{number}.json"
    lines = [json.dumps({"sensor": sensor, "minute": minute}) for sensor, minute in FILES[number]]
    path.with_suffix(".new").write_text("\n".join(lines))
    os.utime(path.with_suffix(".new"), (number, number))  # Spark reads the oldest first
    path.with_suffix(".new").rename(path)


def hours(on_spark, spark, folder):
    """Readings counted by sensor and hour, as the documentation writes it; a DataFrame."""
    stream = spark.readStream.schema(SCHEMA).option("maxFilesPerTrigger", 1).json(str(folder))
    env = on_spark()
    times = WatermarkStrategy.for_bounded_out_of_orderness(Duration.of_minutes(5))
    counts = (
        env.from_dataframe(stream)
        .assign_timestamps_and_watermarks(times.with_timestamp_assigner(lambda row, _: row.minute * 60_000))
        .key_by(lambda row: row.sensor)
        .window(TumblingEventTimeWindows.of(Time.hours(1)))
        .process(Hours())
    )
    return counts.to_dataframe("sensor string, hour long, readings long")


@pytest.mark.spark
def test_each_trigger_shows_the_windows_of_hours_that_are_over(on_spark, spark_session, tmp_path):
    """Few rows a trigger: no count of elements is reached, and none is waited for. A batch run again gives the same."""
    folder = tmp_path / "in"
    folder.mkdir()
    shown = {}

    def run(numbers, fails_at=None):
        def show(batch, number):
            rows = sorted(tuple(row) for row in batch.collect())
            assert shown.setdefault(number, rows) == rows
            if number == fails_at:
                msg = "here"
                raise ValueError(msg)

        for number in numbers:
            write(folder, number)
        writer = hours(on_spark, spark_session, folder).writeStream.foreachBatch(show)
        query = writer.option("checkpointLocation", str(tmp_path / "checkpoint")).trigger(availableNow=True).start()
        query.awaitTermination()

    with pytest.raises(Exception, match="here"):
        run([0, 1], fails_at=1)
    assert shown == {0: [], 1: [("a", 0, 2), ("b", 0, 1)]}
    run([2])
    assert shown == {0: [], 1: [("a", 0, 2), ("b", 0, 1)], 2: [("a", 1, 2)]}
