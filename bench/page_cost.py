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
from windrow.elements.batch import Batch
from windrow.graph.job_graph import JobGraph, Node
from windrow.operators import base
from windrow.runtime.stage.chain import ChainedOutput, ChainParts
from windrow.runtime.stage.monitored_chain import MonitoredParts
from windrow.runtime.stage.stopwatch import Stopwatch
from windrow.state.paged import PagedKeyedState

ROUNDS = 20
#: A job has so many times its unit of elements: few, and many. Short runs that alternate are steadier than long ones.
SIZES = 50, 400
#: So many operators hand a batch on.
_CHAINED = 10
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


class Pass(base.Operator):
    """Gives what it is given."""

    def __init__(self, output: ChainedOutput) -> None:
        self._output = output

    def process_batch(self, batch: Batch) -> None:
        self._output.emit_batch(batch)


def chain(parts: ChainParts) -> ChainedOutput:
    """The output of a source, before operators that do nothing."""
    first = output = parts.output(_node(0), object_reuse=False)
    for number in range(1, _CHAINED + 1):
        node, before = _node(number), output
        output = parts.output(node, object_reuse=False)
        context = base.OperatorContext(node.name, output, base.Time(), PagedKeyedState(128), None)
        before.main.append(parts.operator(node, Pass(output), context, output))
    return first


def _node(number: int) -> Node:
    return Node(f"operator {number}", f"operator {number}", None, 0, 1, 1)


def handing_on() -> float:
    """What counting and timing cost an operator for each batch of elements, in microseconds: the best of some tries.

    On a busy machine the times of whole jobs differ by more than this is of them. Between operators that do nothing all
    that is looked at is in the processor's cache, so this is the least.
    """
    chains = chain(ChainParts()), chain(MonitoredParts(JobGraph("cost", 128, 1, [], [], batch_mode=False), 0))
    batch = Batch([1], [0])
    times: tuple[list[float], list[float]] = [], []
    for _ in range(40):
        for first, spent in zip(chains, times, strict=True):
            started = time.process_time()
            for _ in range(1_000):
                first.emit_batch(batch)
            spent.append(time.process_time() - started)
    plain, measured = map(min, times)
    return (measured - plain) / _CHAINED * 1000


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


#: Processor times of two runs each, by the size of a job and whether it had a page.
Round = dict[tuple[int, bool], list[float]]


def one_round(program: Program, number: int) -> tuple[Round, str | None]:
    """Runs with a page between runs without, or the other way round: what changes evenly meanwhile changes nothing."""
    times: Round = {}
    shown: str | None = None
    for size in SIZES:
        for outer in (False, True, True, False):
            looked_at = outer != bool(number % 2)
            spent, url = seconds(program, size, looked_at=looked_at)
            times.setdefault((size, looked_at), []).append(spent)
            shown = url or shown
    return times, shown


def running(times: Round) -> tuple[float, float]:
    """What the page costs while a job runs, as a share of its time, and what it costs any job, in seconds.

    Args:
        times: Of one round.

    >>> running({(1, False): [1.0], (1, True): [1.2], (3, False): [3.0], (3, True): [3.22]})
    (0.01, 0.19)
    """
    few, many = sorted({size for size, _ in times})
    mean = {run: statistics.mean(spent) for run, spent in times.items()}
    more = {shown: mean[many, shown] - mean[few, shown] for shown in (True, False)}
    share = more[True] / more[False] - 1
    fixed = mean[few, True] - mean[few, False] * (1 + share)
    return round(share, 4), round(fixed, 4)


def main() -> None:
    """Print some lines for each job."""
    tempfile.tempdir = tempfile.mkdtemp()
    batch = handing_on()
    print(f"a batch of elements that goes through an operator: {batch:.2f} us more, however many elements it has")
    for program in (windows, one_by_one):
        one_round(program, 0)  # it warms up
        rounds = [one_round(program, number) for number in range(ROUNDS)]
        found = [running(times) for times, _ in rounds]
        shares = [share for share, _ in found]
        low, _, high = statistics.quantiles(shares, n=4)
        error = statistics.stdev(shares) / len(shares) ** 0.5
        print(
            f"the page, {program.__name__}: {statistics.median(shares):+.1%} of the processor time of a running job "
            f"(median of {ROUNDS} rounds; half of them between {low:+.1%} and {high:+.1%}; their mean "
            f"{statistics.mean(shares):+.1%}, give or take {error:.1%}), and "
            f"{statistics.median(fixed for _, fixed in found) * 1000:.0f} ms once"
        )
        without = [times[SIZES[-1], False] for times, _ in rounds]
        apart = statistics.stdev(first / second - 1 for first, second in without)
        usual = statistics.median(spent for both in without for spent in both)
        print(f"without a page {usual:.2f} s, and one run is {apart:.1%} apart from another")
        batches = turns(program, SIZES[-1]) // 2
        part = batches * batch / usual / 1e6
        print(f"its batches went through an operator {batches:,} times, which is {part:.1%} of its processor time")
        url = rounds[-1][1]
        if url is not None:
            print(f"a look at it: {look(url):.1f} ms")


if __name__ == "__main__":
    main()
