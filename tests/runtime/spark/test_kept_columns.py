"""A job whose windows or results are kept as columns is started again on its checkpoint."""

import shutil
from collections import Counter

import pytest

from tests.runtime.local.window_programs import Sink
from windrow.common import WatermarkStrategy
from windrow.datastream import ProcessWindowFunction
from windrow.datastream.connectors.number_seq import NumberSequenceSource
from windrow.datastream.functions import ProcessJoinFunction
from windrow.datastream.window import EventTimeSessionWindows, SlidingEventTimeWindows
from windrow.errors import UserFunctionError

COUNT, SIZE, SLIDE, GAP, BEHIND = 12_000, 2_000, 500, 300, 200
TIMES = WatermarkStrategy.for_monotonous_timestamps().with_timestamp_assigner(lambda element, _: element[1])


def keyed_by(env, fails_at):
    """Numbers, by columns from the source on: key, time, one."""
    numbers = env.from_source(NumberSequenceSource(0, COUNT - 1), WatermarkStrategy.no_watermarks(), "numbers")
    checked = numbers.map(lambda n: n) if fails_at is None else numbers.map(lambda n: n if n != fails_at else [][n])
    half = COUNT // 2  # each of the two channels has one half of the numbers
    elements = checked.uid("checked").map(lambda n: (n * 7919 % 11, n % half, 1)).uid("elements")
    return elements.assign_timestamps_and_watermarks(TIMES).uid("times").key_by(lambda element: element[0])


def sliding(keyed):
    """Per key and window the greatest time, and how many elements came."""
    return keyed.window(SlidingEventTimeWindows.of(SIZE, SLIDE)).reduce(
        lambda a, b: (a[0], max(a[1], b[1]), a[2] + b[2])
    )


class Counts(ProcessWindowFunction):
    """What ``sliding`` gives, by a function that sees all elements."""

    def process(self, key, context, elements):
        yield key, max(element[1] for element in elements), len(elements)


def listed(keyed):
    """The same from elements that windows keep."""
    return keyed.window(SlidingEventTimeWindows.of(SIZE, SLIDE)).process(Counts())


def sessions(keyed):
    """Per key and session the greatest time, and how many elements came."""
    gap = EventTimeSessionWindows.with_gap(GAP)
    return (
        keyed.filter(has_activity)
        .key_by(lambda element: element[0])
        .window(gap)
        .reduce(lambda a, b: (a[0], max(a[1], b[1]), a[2] + b[2]))
    )


def has_activity(element):
    """Keys pause for a while, each at its own times."""
    return (element[1] + 100 * element[0]) % 2_000 < 1_200


def running(keyed):
    """Per element how many of its key have come until then."""
    return keyed.reduce(lambda a, b: (a[0], b[1], a[2] + b[2])).uid("results").map(lambda e: (e[0], 0, e[2]))


class Both(ProcessJoinFunction):
    """The times of both elements."""

    def process_element(self, left, right, ctx):
        yield left[0], left[1], right[1]


def joined(keyed):
    """Each element with those of its key that are a second later, or less."""
    return keyed.interval_join(keyed).between(1, BEHIND).process(Both())


def expected_of_joined():
    """Pairs of numbers."""
    by_key = {}
    for number in range(COUNT):
        by_key.setdefault(number * 7919 % 11, []).append(number % (COUNT // 2))
    pairs = [(key, a, b) for key, times in by_key.items() for a in times for b in times if 1 <= b - a <= BEHIND]
    return sorted(pairs)


def expected_of_sliding():
    """By key and the last slide of the window."""
    found = {}
    for number in range(COUNT):
        key, time = number * 7919 % 11, number % (COUNT // 2)
        for start in range(time // SLIDE * SLIDE - SIZE + SLIDE, time + 1, SLIDE):
            latest, count = found.get((key, start), (0, 0))
            found[key, start] = max(time, latest), count + 1
    return sorted((key, time, count) for (key, _), (time, count) in found.items())


def expected_of_sessions():
    """By key: times that are within the gap of each other."""
    times = {}
    for number in range(COUNT):
        element = number * 7919 % 11, number % (COUNT // 2)
        if has_activity(element):
            times.setdefault(element[0], []).append(element[1])
    found = []
    for key, of_key in times.items():
        before = None
        for time in sorted(of_key):
            if before is None or time > before + GAP:
                found.append([key, time, 0])
            found[-1][1:] = time, found[-1][2] + 1
            before = time
    return sorted(map(tuple, found))


def expected_of_running():
    """Each count of a key once."""
    counts = Counter(number * 7919 % 11 for number in range(COUNT))
    return sorted((key, 0, at + 1) for key, count in counts.items() for at in range(count))


def run(program, env, fails_at=None):
    """The program's sink."""
    sink = Sink()
    program(keyed_by(env, fails_at)).uid("sums").sink_to(sink).uid("out")
    return sink


def settings(checkpoint):
    return {
        "execution.checkpointing.dir": str(checkpoint),
        "windrow.source.elements-per-split": "1500",
        "windrow.source.splits-per-batch": "1",
    }


@pytest.fixture(scope="module")
def first_runs(tmp_path_factory):
    """Gives the checkpoint of a program that has failed, and what it had given out; each program fails once."""
    failed = {}

    def first_run(program, on_spark):
        if program not in failed:
            checkpoint = tmp_path_factory.mktemp("failed") / "checkpoint"
            env = on_spark(settings(checkpoint))
            sink = run(program, env, fails_at=4_000)
            with pytest.raises(UserFunctionError):
                env.execute()
            failed[program] = checkpoint, sink.elements
        return failed[program]

    return first_run


@pytest.mark.spark
@pytest.mark.parametrize("columns", [True, False])
@pytest.mark.parametrize(
    ("program", "expected"),
    [
        (sliding, expected_of_sliding),
        (listed, expected_of_sliding),
        (sessions, expected_of_sessions),
        (running, expected_of_running),
        (joined, expected_of_joined),
    ],
    ids=["sliding", "listed", "sessions", "running", "joined"],
)
def test_columns_are_read_by_columns_and_by_rows(program, expected, columns, on_spark, first_runs, tmp_path):
    """What keys had when the first run failed counts in the second one, whatever goes on with it."""
    checkpoint, given_out = first_runs(program, on_spark)
    shutil.copytree(checkpoint, tmp_path / "checkpoint")
    env = on_spark({**settings(tmp_path / "checkpoint"), "windrow.columns.enabled": str(columns).lower()})
    second = run(program, env)
    env.execute()
    assert sorted([*given_out, *second.elements]) == expected()
