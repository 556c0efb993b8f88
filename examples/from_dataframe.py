"""Visits to a web site, from a streaming DataFrame to Parquet files: ``python from_dataframe.py CLICKS VISITS``.

CLICKS is a folder of JSON lines such as ``{"user": "ada", "second": 12, "page": "/"}``. A visit ends when its user has
clicked nothing for half an hour: a session window. Both ends of the job are Spark's own ``readStream`` and
``writeStream``; run it again when files were added, and it goes on where it stopped.
"""

import sys
from collections.abc import Iterable
from typing import Any

from pyspark.sql import SparkSession

from windrow.common import Duration, Row, Time, WatermarkStrategy
from windrow.datastream import ProcessWindowFunction, StreamExecutionEnvironment
from windrow.datastream.window import EventTimeSessionWindows

OUT_OF_ORDER = Duration.of_minutes(5)


class Visit(ProcessWindowFunction):
    def process(self, key: str, context: ProcessWindowFunction.Context, elements: Iterable[Row]) -> Iterable[Any]:
        pages = [click.page for click in sorted(elements, key=lambda click: click.second)]
        yield key, context.window().start // 1000, len(pages), pages[-1]


def main(clicks: str, visits: str) -> None:
    spark = SparkSession.builder.getOrCreate()
    stream = spark.readStream.schema("user string, second long, page string").json(clicks)

    env = StreamExecutionEnvironment.get_execution_environment(spark)
    times = WatermarkStrategy.for_bounded_out_of_orderness(OUT_OF_ORDER)
    sessions = (
        env.from_dataframe(stream)
        .assign_timestamps_and_watermarks(times.with_timestamp_assigner(lambda click, _: click.second * 1000))
        .key_by(lambda click: click.user)
        .window(EventTimeSessionWindows.with_gap(Time.minutes(30)))
        .process(Visit())
    )

    # Everything from here on is Spark: any sink, any trigger. This one takes what there is, and ends.
    query = (
        sessions.to_dataframe("user string, begin long, clicks int, last_page string")
        .writeStream.format("parquet")
        .option("path", visits)
        .option("checkpointLocation", f"{visits}_checkpoint")
        .trigger(availableNow=True)
        .start()
    )
    query.awaitTermination()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
