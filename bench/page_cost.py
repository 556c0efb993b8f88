"""What it costs a job that somebody looks at it: processor time with the page and without, in turn.

``python -m bench.page_cost`` runs each job in one process, in the local runtime: what is measured in chains is the same
on Spark, where workers do it. Each job runs with few elements and with many, so that what a job costs to show at all
(the server, its description, the file) is told from what its running costs. What a look at the page takes is said
apart: a browser asks once a second.
"""

from __future__ import annotations

import contextlib
import io
import statistics
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from typing import Any
from unittest.mock import patch
from urllib.parse import urlsplit
from urllib.request import urlopen

from windrow.common import Configuration, Time, WatermarkStrategy
from windrow.connectors.discarding import DiscardingSink
from windrow.datastream import DataStream, KeyedProcessFunction, StreamExecutionEnvironment
from windrow.datastream.connectors.number_seq import NumberSequenceSource
from windrow.datastream.window import TumblingEventTimeWindows
from windrow.runtime.stage.stopwatch import Stopwatch

ROUNDS = 9
#: A job has so many times its unit of elements: few, and many.
SIZES = 100, 1_600
#: Part of what a page asks for once a second.
_ASKED = ("", "/findings", "/timeline", "/splits")


class Count(KeyedProcessFunction):
    """Counts elements, one by one."""

    def __init__(self) -> None:
        self._count = 0

    def process_element(self, value: Any, ctx: Any) -> Any:
        self._count += 1
        yield value[0], self._count


def numbers(env: StreamExecutionEnvironment, count: int) -> DataStream:
    """So many pairs: a key of 10,000, and a number."""
    source = NumberSequenceSource(0, count - 1)
    return env.from_source(source, WatermarkStrategy.no_watermarks(), "numbers").map(lambda n: (n % 10_000, n))


def windows(env: StreamExecutionEnvironment, thousands: int) -> None:
    """Columns all the way."""
    strategy = WatermarkStrategy.for_monotonous_timestamps().with_timestamp_assigner(lambda event, _: event[1])
    events = numbers(env, 20_000 * thousands)
    keyed = events.assign_timestamps_and_watermarks(strategy).key_by(lambda event: event[0])
    counted = keyed.window(TumblingEventTimeWindows.of(Time.seconds(60)))
    counted.reduce(lambda one, two: (one[0], one[1] + two[1])).sink_to(DiscardingSink())


def one_by_one(env: StreamExecutionEnvironment, thousands: int) -> None:
    """A process function, and functions that cannot be traced."""
    events = numbers(env, 1_000 * thousands)
    parsed = events.map(lambda event: (event[0], int(str(event[1]))))
    parsed.key_by(lambda event: event[0]).process(Count()).filter(lambda pair: pair[1] % 2).sink_to(DiscardingSink())


Program = Callable[[StreamExecutionEnvironment, int], None]


def seconds(program: Program, thousands: int, *, looked_at: bool) -> tuple[float, str | None]:
    """The processor time of the whole process, in seconds, and the page's address."""
    settings = {"windrow.runtime": "local", "windrow.ui.enabled": str(looked_at).lower()}
    env = StreamExecutionEnvironment.get_execution_environment(Configuration.from_dict(settings)).set_parallelism(2)
    program(env, thousands)
    with contextlib.redirect_stderr(io.StringIO()):
        started = time.process_time()
        client = env.execute_async("cost")
        client.get_job_execution_result().result()
        return time.process_time() - started, client.get_web_interface_url()


def look(url: str) -> float:
    """The processor time that one look takes, of who asks included, in milliseconds."""
    parts = urlsplit(url)
    started = time.process_time()
    for _ in range(20):
        for part in _ASKED:
            with urlopen(f"{parts.scheme}://{parts.netloc}{parts.fragment}{part}") as answer:
                answer.read()
    return (time.process_time() - started) / 20 * 1000


def handing_on() -> float:
    """What counting and timing cost an operator for each batch of elements, in microseconds: the best of some tries.

    On a busy machine the times of whole jobs differ by more than this is of them.
    """
    watch, counted = Stopwatch(), Counter[str]()
    times = []
    for _ in range(20):
        started = time.process_time()
        for _ in range(10_000):
            counted["operator"] += 1
            before = watch.turn_to("operator")
            counted["operator"] += 1
            watch.turn_to(before)
        times.append((time.process_time() - started) * 100)
    return min(times)


def turns(program: Program, thousands: int) -> int:
    """How often a job's stopwatch is looked at: twice for each batch of elements and operator."""
    looked = Counter[str]()
    turn_to = Stopwatch.turn_to

    def counting(watch: Stopwatch, worker: str | None) -> str | None:
        looked["turns"] += 1
        return turn_to(watch, worker)

    with patch.object(Stopwatch, "turn_to", counting):
        seconds(program, thousands, looked_at=True)
    return looked["turns"]


def running(times: dict[tuple[int, bool], list[float]]) -> tuple[float, float]:
    """What the page costs while a job runs, as a share of its time, and what it costs any job, in seconds.

    Args:
        times: Processor times, by the size of a job and whether it had a page.

    >>> running({(1, False): [1.0], (1, True): [1.2], (3, False): [3.0], (3, True): [3.22]})
    (0.01, 0.19)
    """
    few, many = sorted({size for size, _ in times})
    more = {shown: min(times[many, shown]) - min(times[few, shown]) for shown in (True, False)}
    share = more[True] / more[False] - 1
    fixed = min(times[few, True]) - min(times[few, False]) * (1 + share)
    return round(share, 4), round(fixed, 4)


def main() -> None:
    """Print two lines for each job."""
    tempfile.tempdir = tempfile.mkdtemp()
    batch = handing_on()
    print(f"a batch of elements that goes through an operator: {batch:.2f} us more, however many elements it has")
    for program in (windows, one_by_one):
        times: dict[tuple[int, bool], list[float]] = {}
        for number in range(ROUNDS + 1):
            for size in SIZES:
                for looked_at in (False, True):
                    spent, url = seconds(program, size, looked_at=looked_at)
                    if number:  # the first ones warm up
                        times.setdefault((size, looked_at), []).append(spent)
        share, fixed = running(times)
        without = times[SIZES[-1], False]
        print(
            f"the page, {program.__name__}: {share:+.1%} of the processor time of a running job, and "
            f"{fixed * 1000:.0f} ms once ({ROUNDS} rounds; without a page {min(without):.2f} to {max(without):.2f} s)"
        )
        batches = turns(program, SIZES[-1]) // 2
        part = batches * batch / statistics.median(without) / 1e6
        print(f"its batches went through an operator {batches:,} times, which is {part:.1%} of its processor time")
        if url is not None:
            print(f"a look at it: {look(url):.1f} ms")


if __name__ == "__main__":
    main()
