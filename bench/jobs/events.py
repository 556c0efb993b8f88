"""The events of the jobs, as a stream and as plain tuples.

Number ``i`` of ``n`` becomes a place in event time, so that both readers of a source, each with one half of the
numbers, move through the same event time: ``bench/workload.py`` says how. The event at a place has a key of 10,000, a
value below 1,000 and its place with nine bits turned over as its time in milliseconds: out of order by up to half a
second.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from bench.workload import BOUND_MS
from windrow.common import Duration, WatermarkStrategy
from windrow.common.watermark_strategy import TimestampAssigner
from windrow.datastream import DataStream, StreamExecutionEnvironment
from windrow.datastream.connectors.number_seq import NumberSequenceSource

Event = tuple[int, int, int]


@dataclass(frozen=True)
class Events:
    """So many events.

    With ``bursts`` a key is active for 20 s and gets an event a second, and then never again. With ``ones`` every value
    is 1, which makes the results of a running sum independent of the order in which events arrive. Jobs that read
    events from files find them in the folder that has their count as its name. Results are compared where they are
    ``checked``.
    """

    count: int
    bursts: bool = False
    ones: bool = False
    files: Path | None = None
    checked: bool = False

    def stream(self, env: StreamExecutionEnvironment) -> DataStream:
        """The events with their timestamps and watermarks, by Python lambdas."""
        half = (self.count + 1) // 2
        odd = 2 * half - 1
        source = NumberSequenceSource(0, self.count - 1)
        numbers = env.from_source(source, WatermarkStrategy.no_watermarks(), "numbers")
        if self.bursts:
            events = numbers.map(
                lambda i: (
                    (p := 2 * i if i < half else 2 * i - odd) // 20_000 * 1_000 + (p * 7_919 ^ p >> 7) % 10_000 % 1_000,
                    p % 1_000,
                    p ^ 511,
                )
            )
        else:
            events = numbers.map(
                lambda i: (((p := 2 * i if i < half else 2 * i - odd) * 7_919 ^ p >> 7) % 10_000, p % 1_000, p ^ 511)
            )
        if self.ones:
            events = events.map(lambda event: (event[0], 1, event[2]))
        return events.assign_timestamps_and_watermarks(WATERMARKS)

    def plain(self) -> Iterator[Event]:
        """The events in the order of their places.

        >>> list(Events(3).plain())
        [(0, 0, 511), (7919, 1, 510), (5838, 2, 509)]
        """
        for place in range(self.count):
            key = (place * 7_919 ^ place >> 7) % 10_000
            if self.bursts:
                key = place // 20_000 * 1_000 + key % 1_000
            yield key, 1 if self.ones else place % 1_000, place ^ 511


class EventTime(TimestampAssigner):
    """An event carries its own timestamp."""

    def extract_timestamp(self, value: Event, record_timestamp: int) -> int:
        return value[2]


WATERMARKS = WatermarkStrategy.for_bounded_out_of_orderness(Duration.of_millis(BOUND_MS)).with_timestamp_assigner(
    EventTime()
)
