"""What it costs a job that somebody looks at it: processor time with the page and without, in turn.

``python -m bench.page_cost`` runs each job in one process, in the local runtime: what is measured in chains is the same
on Spark, where workers do it. What a look at the page takes is said apart: a browser asks once a second.
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
from urllib.parse import urlsplit
from urllib.request import urlopen

from windrow.common import Configuration, Time, WatermarkStrategy
from windrow.connectors.discarding import DiscardingSink
from windrow.datastream import KeyedProcessFunction, StreamExecutionEnvironment
from windrow.datastream.window import TumblingEventTimeWindows
from windrow.runtime.stage.stopwatch import Stopwatch

ROUNDS = 9
#: Part of what a page asks for once a second.
_ASKED = ("", "/findings", "/timeline", "/splits")


class Count(KeyedProcessFunction):
    """Counts elements, one by one."""

    def __init__(self) -> None:
        self._count = 0

    def process_element(self, value: Any, ctx: Any) -> Any:
        self._count += 1
        yield value[0], self._count


def windows(env: StreamExecutionEnvironment) -> None:
    """Columns all the way."""
    strategy = WatermarkStrategy.for_monotonous_timestamps().with_timestamp_assigner(lambda event, _: event[1])
    events = env.from_collection([(number % 10_000, number) for number in range(1_000_000)])
    keyed = events.assign_timestamps_and_watermarks(strategy).key_by(lambda event: event[0])
    counted = keyed.window(TumblingEventTimeWindows.of(Time.seconds(60)))
    counted.reduce(lambda one, two: (one[0], one[1] + two[1])).sink_to(DiscardingSink())


def one_by_one(env: StreamExecutionEnvironment) -> None:
    """A process function, and functions that cannot be traced."""
    events = env.from_collection([(number % 10_000, number) for number in range(300_000)])
    parsed = events.map(lambda event: (event[0], int(str(event[1]))))
    parsed.key_by(lambda event: event[0]).process(Count()).filter(lambda pair: pair[1] % 2).sink_to(DiscardingSink())


def seconds(program: Callable[[StreamExecutionEnvironment], None], *, looked_at: bool) -> tuple[float, str | None]:
    """The processor time of the whole process, in seconds, and the page's address."""
    settings = {"windrow.runtime": "local", "windrow.ui.enabled": str(looked_at).lower()}
    env = StreamExecutionEnvironment.get_execution_environment(Configuration.from_dict(settings)).set_parallelism(2)
    program(env)
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


def main() -> None:
    """Print a line for each job."""
    tempfile.tempdir = tempfile.mkdtemp()
    for program in (windows, one_by_one):
        times: dict[bool, list[float]] = {True: [], False: []}
        for number in range(2 * ROUNDS + 2):
            looked_at = number % 2 == 1
            spent, url = seconds(program, looked_at=looked_at)
            if number > 1:  # the first two warm up
                times[looked_at].append(spent)
        without, with_page = statistics.median(times[False]), statistics.median(times[True])
        least = min(times[True]) / min(times[False]) - 1
        print(
            f"the page, {program.__name__}: {without:.2f} s of processor time without, {with_page:.2f} s with "
            f"({with_page / without - 1:+.1%}; the best of each {least:+.1%})"
        )
        if url is not None:
            print(f"a look at it: {look(url):.1f} ms")
    print(
        f"a batch of elements that goes through an operator: {handing_on():.2f} us more, however many elements it has"
    )


if __name__ == "__main__":
    main()
