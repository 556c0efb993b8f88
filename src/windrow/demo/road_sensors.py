"""Sliding statistics, sessions and late readings of road sensors: ``python road_sensors.py READINGS.csv OUT``."""

import sys
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any, NamedTuple

from windrow.common import Configuration, Encoder, Time, WatermarkStrategy
from windrow.common.watermark_generators import BoundedOutOfOrdernessWatermarks
from windrow.datastream import AggregateFunction, OutputTag, ProcessWindowFunction, StreamExecutionEnvironment
from windrow.datastream.connectors.file_system import FileSink, FileSource, OutputFileConfig, StreamFormat
from windrow.datastream.window import EventTimeSessionWindows, SlidingEventTimeWindows, TimeWindow

MINUTE = 60_000  # all times are in milliseconds


class Reading(NamedTuple):
    sensor: str
    measured: int
    value: float
    every: float  # minutes between readings: the sensor's rhythm, from the header of the packet


def parse(line: str) -> Reading:
    _, sensor, measured, value, every = line.split(",")
    return Reading(sensor, int(datetime.fromisoformat(f"{measured}Z").timestamp()) * 1000, float(value), float(every))


def clock(time: int) -> str:
    return f"{datetime.fromtimestamp(time / 1000, UTC):%Y-%m-%d %H:%M}"


class Prompt(BoundedOutOfOrdernessWatermarks):  # a watermark after each reading, not only from time to time
    def on_event(self, event: Reading, event_timestamp: int, output: Any) -> None:
        super().on_event(event, event_timestamp, output)
        self.on_periodic_emit(output)


class Statistics(AggregateFunction):  # its accumulator: count, sum, lowest, highest
    def create_accumulator(self) -> tuple[float, ...]:
        return 0, 0, float("inf"), float("-inf")

    def add(self, value: Reading, accumulator: tuple[float, ...]) -> tuple[float, ...]:
        return self.merge(accumulator, (1, value.value, value.value, value.value))

    def merge(self, acc_a: tuple[float, ...], acc_b: tuple[float, ...]) -> tuple[float, ...]:
        return acc_a[0] + acc_b[0], acc_a[1] + acc_b[1], min(acc_a[2], acc_b[2]), max(acc_a[3], acc_b[3])

    def get_result(self, accumulator: tuple[float, ...]) -> str:
        return "{},{:.2f},{:g},{:g}".format(accumulator[0], accumulator[1] / accumulator[0], *accumulator[2:])


class WithWindow(ProcessWindowFunction[str, str, str, TimeWindow]):
    def process(self, key: str, context: Any, elements: Iterable[str]) -> Iterable[str]:
        window: TimeWindow = context.window()
        yield from (f"{key},{clock(window.start)},{clock(window.end)},{row}" for row in elements)


def main(readings: str, out: str, configuration: Configuration | None = None) -> None:
    env = StreamExecutionEnvironment.get_execution_environment(configuration)
    files = FileSource.for_record_stream_format(StreamFormat.text_line_format(), readings).build()
    lines = env.from_source(files, WatermarkStrategy.no_watermarks(), "readings")
    time = WatermarkStrategy.for_generator(lambda: Prompt(60 * MINUTE)).with_timestamp_assigner(lambda r, _: r.measured)
    sensors = lines.map(parse).assign_timestamps_and_watermarks(time).key_by(lambda reading: reading.sensor)
    hours = SlidingEventTimeWindows.of(Time.hours(1), Time.minutes(15))
    sessions = EventTimeSessionWindows.with_dynamic_gap(lambda r: int(6 * r.every * MINUTE))  # six intervals
    for name, windows in (("hours", hours), ("sessions", sessions)):
        tag = OutputTag(f"late for {name}")
        rows = sensors.window(windows).side_output_late_data(tag).aggregate(Statistics(), WithWindow())
        late = rows.get_side_output(tag).map(lambda r: f"{r.sensor},{clock(r.measured)},{r.value:g}")
        for stream, folder in ((rows, name), (late, f"late_{name}")):
            named = OutputFileConfig.builder().with_part_prefix(folder).with_part_suffix(".csv").build()
            sink = FileSink.for_row_format(f"{out}/{folder}", Encoder.simple_string_encoder())
            stream.sink_to(sink.with_output_file_config(named).build())
    env.execute("road sensors")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
