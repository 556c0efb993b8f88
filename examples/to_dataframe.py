"""Two results of one query, each in a folder of its own: ``python to_dataframe.py CLICKS OUT``.

CLICKS is a folder of JSON lines such as ``{"page": "/", "second": 12}``. The job counts the clicks of each page and
minute, and keeps the clicks that came too late for their minute. ``env.to_dataframe`` gives both as one DataFrame,
whose column ``output`` says which result a row is of; a plain ``writeStream`` makes it a folder each.
"""

import sys
from typing import Any

from pyspark.sql import SparkSession

from windrow.common import Row, Time, WatermarkStrategy
from windrow.common.watermark_generators import BoundedOutOfOrdernessWatermarks
from windrow.datastream import OutputTag, StreamExecutionEnvironment
from windrow.datastream.window import TumblingEventTimeWindows

LATE = OutputTag("late")


class AfterEachClick(BoundedOutOfOrdernessWatermarks):  # a click may be late among those of its own batch
    def on_event(self, event: Row, event_timestamp: int, output: Any) -> None:
        super().on_event(event, event_timestamp, output)
        self.on_periodic_emit(output)


def main(clicks: str, out: str) -> None:
    spark = SparkSession.builder.getOrCreate()
    stream = spark.readStream.schema("page string, second long").json(clicks)

    env = StreamExecutionEnvironment.get_execution_environment(spark)
    times = WatermarkStrategy.for_generator(lambda: AfterEachClick(0))
    counts = (
        env.from_dataframe(stream)
        .assign_timestamps_and_watermarks(times.with_timestamp_assigner(lambda click, _: click.second * 1000))
        .map(lambda click: (click.page, click.second // 60, 1))
        .key_by(lambda click: click[0])
        .window(TumblingEventTimeWindows.of(Time.minutes(1)))
        .side_output_late_data(LATE)
        .reduce(lambda a, b: (a[0], a[1], a[2] + b[2]))
    )

    columns = "page string, minute long, clicks long"
    both = env.to_dataframe({"counts": (counts, columns), "late": (counts.get_side_output(LATE), columns)})
    query = (
        both.writeStream.format("json")
        .partitionBy("output")
        .option("path", out)
        .option("checkpointLocation", f"{out}_checkpoint")
        .trigger(availableNow=True)
        .start()
    )
    query.awaitTermination()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
