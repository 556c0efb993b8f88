"""Traffic jams, from the speed and the occupancy of a road joined in time: ``python joins.py READINGS.csv OUT``.

A line of READINGS.csv: when the reading arrived, what it measures and where (``speed_6005``), when it was taken, its
value; ``windrow demo --joins`` leaves such a file in out/demo. Slow cars on an empty road make no jam, and neither does
a full road that flows: it takes both, so each speed is joined with the occupancies that the same sensor measured
within five minutes.
"""

import sys
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any, NamedTuple

from windrow.common import Configuration, Encoder, Time, WatermarkStrategy
from windrow.common.watermark_generators import BoundedOutOfOrdernessWatermarks
from windrow.datastream import OutputTag, StreamExecutionEnvironment
from windrow.datastream.connectors.file_system import FileSink, FileSource, OutputFileConfig, StreamFormat
from windrow.datastream.functions import KeyedProcessFunction, ProcessJoinFunction, RuntimeContext
from windrow.datastream.state import MapState, MapStateDescriptor, ValueState, ValueStateDescriptor

MINUTE = 60_000  # all times are in milliseconds
SLOW, FULL = 50, 15  # a jam: slower than this, and fuller than this
LASTING = OVER = 15 * MINUTE  # it has to last so long, and it ends when no pair says jam for so long
ALERTS, LATE_SPEEDS, LATE_OCCUPANCIES = OutputTag("alerts"), OutputTag("late speeds"), OutputTag("late occupancies")


class Reading(NamedTuple):
    measure: str
    sensor: str
    measured: int
    value: float


class Pair(NamedTuple):
    sensor: str
    speed_at: int
    speed: float
    occupancy_at: int
    occupancy: float

    def row(self) -> str:
        return f"{self.sensor},{clock(self.speed_at)},{self.speed:g},{clock(self.occupancy_at)},{self.occupancy:g}"


class Jam(NamedTuple):
    since: int
    last: int
    pairs: int = 0
    slowest: float = float("inf")
    fullest: float = 0

    def and_then(self, time: int, pairs: list[Pair]) -> "Jam":
        slowest, fullest = min(pair.speed for pair in pairs), max(pair.occupancy for pair in pairs)
        count = self.pairs + len(pairs)
        return Jam(self.since, time, count, min(self.slowest, slowest), max(self.fullest, fullest))

    def lasts(self) -> bool:
        return self.last - self.since >= LASTING

    def row(self, sensor: str) -> str:
        return f"{sensor},{clock(self.since)},{clock(self.last)},{self.pairs},{self.slowest:g},{self.fullest:g}"


def parse(line: str) -> Reading:
    _, series, measured, value, *_ = line.split(",")
    measure, _, sensor = series.partition("_")
    return Reading(measure, sensor, int(datetime.fromisoformat(f"{measured}Z").timestamp()) * 1000, float(value))


def clock(time: int) -> str:
    return f"{datetime.fromtimestamp(time / 1000, UTC):%Y-%m-%d %H:%M}"


class Prompt(BoundedOutOfOrdernessWatermarks):  # a watermark after each reading, not only from time to time
    def on_event(self, event: Reading, event_timestamp: int, output: Any) -> None:
        super().on_event(event, event_timestamp, output)
        self.on_periodic_emit(output)


class Together(ProcessJoinFunction):
    def process_element(self, left: Reading, right: Reading, ctx: ProcessJoinFunction.Context) -> Iterable[Pair]:
        yield Pair(left.sensor, ctx.get_left_timestamp(), left.value, ctx.get_right_timestamp(), right.value)


class FindJams(KeyedProcessFunction):
    def open(self, runtime_context: RuntimeContext) -> None:
        self.waiting: MapState[int, list[Pair]] = runtime_context.get_map_state(MapStateDescriptor("waiting"))
        self.jam: ValueState[Jam] = runtime_context.get_state(ValueStateDescriptor("jam"))

    def process_element(self, value: Pair, ctx: KeyedProcessFunction.Context) -> None:
        # Pairs come as packets arrive. Each waits for a timer at its own time: timers fire in the order of time.
        if value.speed < SLOW and value.occupancy > FULL:
            self.waiting.put(ctx.timestamp(), [*(self.waiting.get(ctx.timestamp()) or []), value])
            ctx.timer_service().register_event_time_timer(ctx.timestamp())

    def on_timer(self, timestamp: int, ctx: KeyedProcessFunction.OnTimerContext) -> Iterable[Any]:
        sensor, jam, pairs = ctx.get_current_key(), self.jam.value(), self.waiting.get(timestamp)
        if pairs:
            longer = (jam or Jam(timestamp, timestamp)).and_then(timestamp, pairs)
            self.waiting.remove(timestamp)
            self.jam.update(longer)
            ctx.timer_service().register_event_time_timer(timestamp + OVER)
            if longer.lasts() and not (jam and jam.lasts()):
                yield ALERTS, longer.row(sensor)
        elif jam and timestamp == jam.last + OVER:
            self.jam.clear()
            if jam.lasts():
                yield jam.row(sensor)


def main(readings: str, out: str, configuration: Configuration | None = None) -> None:
    env = StreamExecutionEnvironment.get_execution_environment(configuration)
    files = FileSource.for_record_stream_format(StreamFormat.text_line_format(), readings).build()
    lines = env.from_source(files, WatermarkStrategy.no_watermarks(), "readings")
    time = WatermarkStrategy.for_generator(lambda: Prompt(60 * MINUTE)).with_timestamp_assigner(lambda r, _: r.measured)
    sensors = lines.map(parse).assign_timestamps_and_watermarks(time)
    speeds = sensors.filter(lambda reading: reading.measure == "speed").key_by(lambda reading: reading.sensor)
    occupancies = sensors.filter(lambda reading: reading.measure == "occupancy").key_by(lambda reading: reading.sensor)
    pairs = (
        speeds.interval_join(occupancies)
        .between(Time.minutes(-5), Time.minutes(5))
        .side_output_left_late_data(LATE_SPEEDS)
        .side_output_right_late_data(LATE_OCCUPANCIES)
        .process(Together())
    )
    jams = pairs.key_by(lambda pair: pair.sensor).process(FindJams())
    results = {"pairs": pairs.map(Pair.row), "jams": jams, "alerts": jams.get_side_output(ALERTS)}
    for name, tag in (("late_speeds", LATE_SPEEDS), ("late_occupancies", LATE_OCCUPANCIES)):
        results[name] = pairs.get_side_output(tag).map(lambda r: f"{r.sensor},{clock(r.measured)},{r.value:g}")
    for name, stream in results.items():
        named = OutputFileConfig.builder().with_part_prefix(name).with_part_suffix(".csv").build()
        sink = FileSink.for_row_format(f"{out}/{name}", Encoder.simple_string_encoder())
        stream.sink_to(sink.with_output_file_config(named).build())
    env.execute("jams")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
