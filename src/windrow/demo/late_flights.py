"""Hourly delays of flights that are known late by their delay: ``python late_flights.py FLIGHTS.csv OUT``.

A line of FLIGHTS.csv: when the flight became known, when it was scheduled, its delay in minutes, from where, to where;
``windrow demo --joins`` leaves such a file in out/demo. An hour's result comes when most of its flights are known, and
again for each flight that comes later, up to two hours; those still later are kept in a result of their own.
"""

import sys
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any, NamedTuple

from windrow.common import Configuration, Encoder, Time, Types, WatermarkStrategy
from windrow.common.watermark_generators import BoundedOutOfOrdernessWatermarks
from windrow.datastream import AggregateFunction, OutputTag, StreamExecutionEnvironment
from windrow.datastream.connectors.file_system import FileSink, FileSource, OutputFileConfig, StreamFormat
from windrow.datastream.functions import ProcessAllWindowFunction
from windrow.datastream.state import ValueState, ValueStateDescriptor
from windrow.datastream.window import TimeWindow, TumblingEventTimeWindows

MINUTE = 60_000  # all times are in milliseconds
TOO_LATE = OutputTag("too late")


class Flight(NamedTuple):
    scheduled: int
    delay: int
    origin: str
    destination: str

    def row(self) -> str:
        return f"{clock(self.scheduled)},{self.delay},{self.origin},{self.destination}"


def parse(line: str) -> Flight:
    _, scheduled, delay, origin, destination = line.split(",")
    return Flight(int(datetime.fromisoformat(f"{scheduled}Z").timestamp()) * 1000, int(delay), origin, destination)


def clock(time: int) -> str:
    return f"{datetime.fromtimestamp(time / 1000, UTC):%Y-%m-%d %H:%M}"


class Prompt(BoundedOutOfOrdernessWatermarks):  # a watermark after each flight, not only from time to time
    def on_event(self, event: Flight, event_timestamp: int, output: Any) -> None:
        super().on_event(event, event_timestamp, output)
        self.on_periodic_emit(output)


class Delays(AggregateFunction):  # its accumulator: how many flights, and the minutes of all their delays
    def create_accumulator(self) -> tuple[int, int]:
        return 0, 0

    def add(self, value: Flight, accumulator: tuple[int, int]) -> tuple[int, int]:
        return self.merge(accumulator, (1, value.delay))

    def merge(self, acc_a: tuple[int, int], acc_b: tuple[int, int]) -> tuple[int, int]:
        return acc_a[0] + acc_b[0], acc_a[1] + acc_b[1]

    def get_result(self, accumulator: tuple[int, int]) -> tuple[int, int]:
        return accumulator


class Numbered(ProcessAllWindowFunction[tuple[int, int], str, TimeWindow]):
    """A window's first result is number 1, its first correction number 2."""

    def process(self, context: Any, elements: Iterable[tuple[int, int]]) -> Iterable[str]:
        number = self._number(context).value() or 0
        self._number(context).update(number + 1)
        window: TimeWindow = context.window()
        for count, minutes in elements:
            mean = minutes / count
            yield f"{clock(window.start)},{clock(window.end)},{number + 1},{count},{minutes},{mean:.2f}"

    def clear(self, context: Any) -> None:
        self._number(context).clear()

    def _number(self, context: Any) -> ValueState[int]:
        state: ValueState[int] = context.window_state().get_state(ValueStateDescriptor("number", Types.INT()))
        return state


def main(flights: str, out: str, configuration: Configuration | None = None) -> None:
    env = StreamExecutionEnvironment.get_execution_environment(configuration)
    files = FileSource.for_record_stream_format(StreamFormat.text_line_format(), flights).build()
    lines = env.from_source(files, WatermarkStrategy.no_watermarks(), "flights")
    known = WatermarkStrategy.for_generator(lambda: Prompt(30 * MINUTE))
    hours = (
        lines.map(parse)
        .assign_timestamps_and_watermarks(known.with_timestamp_assigner(lambda flight, _: flight.scheduled))
        .window_all(TumblingEventTimeWindows.of(Time.hours(1)))
        .allowed_lateness(Time.hours(2))
        .side_output_late_data(TOO_LATE)
        .aggregate(Delays(), Numbered())
    )
    too_late = hours.get_side_output(TOO_LATE).map(Flight.row)
    for name, stream in (("delays", hours), ("too_late", too_late)):
        named = OutputFileConfig.builder().with_part_prefix(name).with_part_suffix(".csv").build()
        sink = FileSink.for_row_format(f"{out}/{name}", Encoder.simple_string_encoder())
        stream.sink_to(sink.with_output_file_config(named).build())
    env.execute("flights")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
