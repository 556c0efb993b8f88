"""The benchmark's job as a PyFlink program; Windrow runs the same text with ``pyflink`` replaced by ``windrow``.

Arguments: parallelism, warm-up events, events, runs. Prints a line of JSON per timed run.
"""

import json
import sys
import tempfile
import time
import uuid
from pathlib import Path

from pyflink.common import Duration, Time, WatermarkStrategy
from pyflink.common.watermark_strategy import TimestampAssigner
from pyflink.datastream import FlatMapFunction, StreamExecutionEnvironment
from pyflink.datastream.connectors.number_seq import NumberSequenceSource
from pyflink.datastream.window import TumblingEventTimeWindows


class EventTimestamp(TimestampAssigner):
    """An event carries its own timestamp."""

    def extract_timestamp(self, value, record_timestamp):
        return value[2]


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


def run(parallelism, events, folder):
    """Run the job once and return the seconds it took."""
    env = StreamExecutionEnvironment.get_execution_environment()
    env.set_parallelism(parallelism)
    half = (events + 1) // 2
    odd = 2 * half - 1
    watermarks = WatermarkStrategy.for_bounded_out_of_orderness(Duration.of_seconds(1))
    (
        env.from_source(NumberSequenceSource(0, events - 1), WatermarkStrategy.no_watermarks(), "numbers")
        .map(lambda i: (((p := 2 * i if i < half else 2 * i - odd) * 7_919 ^ p >> 7) % 10_000, p, p ^ 511))
        .assign_timestamps_and_watermarks(watermarks.with_timestamp_assigner(EventTimestamp()))
        .key_by(lambda event: event[0])
        .window(TumblingEventTimeWindows.of(Time.minutes(1)))
        .reduce(lambda a, b: (a[0], a[1] + b[1], b[2]))
        .flat_map(Count(folder))
        .print()
    )
    started = time.perf_counter()
    env.execute()
    return time.perf_counter() - started


def main():
    """Warm up, then time the runs."""
    parallelism, warm_up, events, runs = map(int, sys.argv[1:])
    for number in range(runs + 1):
        with tempfile.TemporaryDirectory() as folder:
            seconds = run(parallelism, events if number else warm_up, folder)
            counts = [path.read_text().split() for path in Path(folder).iterdir()]
        if number:
            results = sum(int(count) for count, _ in counts)
            total = sum(int(total) for _, total in counts)
            print(json.dumps({"seconds": round(seconds, 3), "results": results, "total": total}), flush=True)


if __name__ == "__main__":
    main()
