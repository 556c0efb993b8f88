"""Programs that begin with what another program has left: state is found by uid."""

import re
from pathlib import Path

import pytest

from tests.datastream.streams.restarts import ListSink, local_env
from tests.runtime.spark.state_assignment import test_compatibility as refused
from tests.runtime.spark.state_assignment.locally import rescaled
from windrow.common import Duration, Types, WatermarkStrategy
from windrow.datastream import KeyedProcessFunction, OutputTag
from windrow.datastream.state import ValueStateDescriptor
from windrow.datastream.window import TumblingEventTimeWindows
from windrow.runtime.local.executor import LocalExecutor

COUNT, SIZE, BATCHES = 60, 5, 4
DOCS = Path(__file__).parents[4] / "docs" / "deploying.md"
ODD = OutputTag("odd", Types.INT())


class Counting(KeyedProcessFunction):
    """How many elements of its key came before each, and a timer that fires behind the last one."""

    def __init__(self, name):
        self.name = name

    def open(self, runtime_context):
        self.count = runtime_context.get_state(ValueStateDescriptor("count", Types.LONG()))

    def process_element(self, value, ctx):
        count = (self.count.value() or 0) + 1
        self.count.update(count)
        ctx.timer_service().register_event_time_timer(10 * COUNT)
        if value[0] % 2:
            yield ODD, value[0]
        yield (*value, f"{self.name} {count}")

    def on_timer(self, timestamp, ctx):
        yield (self.name, "over", ctx.get_current_key(), self.count.value())


def numbers(env, uid="numbers", count=COUNT):
    times = WatermarkStrategy.for_bounded_out_of_orderness(Duration.of_millis(3))
    stream = env.from_collection([(number,) for number in range(count)]).uid(uid)
    times = times.with_timestamp_assigner(lambda value, _: value[0])
    return stream.assign_timestamps_and_watermarks(times).uid(f"times of {uid}")


def counted(stream, uid, by=3, parallelism=2):
    keyed = stream.filter(lambda value: isinstance(value[0], int)).key_by(lambda value, by=by: value[0] % by)
    return keyed.process(Counting(uid)).uid(uid).set_parallelism(parallelism)


def summed(stream):
    windows = stream.key_by(lambda value: value[0] % 2).window(TumblingEventTimeWindows.of(20))
    return windows.reduce(lambda a, b: (a[0] + b[0],)).uid("sums")


def same(value):
    return value


def of_program(program, sink):
    env = local_env(2)
    for stream in program(env):
        stream.sink_to(sink)
    return env._take_job(None)


def run(first, second=None):
    """What comes if ``second`` begins behind some batches with what ``first`` has left; None: it goes on itself."""
    sink = ListSink()
    executor = LocalExecutor(of_program(first, sink), SIZE, clock=lambda: 0)
    try:
        for _ in range(BATCHES):
            assert executor.run_batch()
        if second is not None:
            executor = rescaled(executor, of_program(second, sink), SIZE)
        while executor.run_batch():
            pass
    finally:
        executor.close()
    return sorted(map(repr, sink.elements))


def plain(env):
    return [counted(numbers(env), "counts")]


def with_stateless(env):
    return [counted(numbers(env).map(same).name("same").filter(lambda _: True), "counts").map(same)]


def behind_an_exchange(env):
    return [counted(numbers(env).rebalance().map(same).set_parallelism(3), "counts")]


def two(env):
    stream = numbers(env)
    return [counted(stream, "counts"), counted(stream, "others", by=5)]


def two_in_another_order(env):
    stream = numbers(env)
    others = counted(stream, "others", by=5, parallelism=4)
    return [counted(stream.map(same), "counts", parallelism=1), others]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (plain, with_stateless),
        (with_stateless, plain),
        (plain, behind_an_exchange),
        (behind_an_exchange, plain),
        (two, two_in_another_order),
        (two_in_another_order, two),
    ],
    ids=[
        "stateless operators are added",
        "stateless operators are taken away",
        "an exchange comes in between",
        "an exchange goes",
        "operators are moved",
        "operators are moved back",
    ],
)
def test_results_are_those_of_a_program_that_never_changed(first, second):
    """Whatever stands where, state and timers are their operator's, and time goes on."""
    assert run(first, second) == run(first)


def two_in_a_row(env):
    return [counted(counted(numbers(env), "counts"), "others")]


def test_an_operator_that_is_added_begins_with_nothing():
    """What came before it was there is not counted; the one in front of it goes on."""
    found = run(plain, two_in_a_row)
    both = [eval(each) for each in found if "counts" in each and "others" in each]
    assert [value[1:] for value in sorted(both)] == [
        (f"counts {number // 3 + 1}", f"others {(number - BATCHES * SIZE) // 3 + 1}")
        for number in range(BATCHES * SIZE, COUNT)
    ]


def joined(env):
    return [summed(numbers(env).union(numbers(env, "more", COUNT // 2)))]


def single(env):
    return [summed(numbers(env))]


def test_a_source_that_is_added_is_read_from_its_beginning():
    """Windows wait for it as far as they have not fired; a source that was there goes on where it was."""
    total = sum(eval(each)[0] for each in run(single, joined))
    late = BATCHES * SIZE // 20 * 20 - 20  # windows up to there have fired
    assert total == sum(range(COUNT)) + sum(range(late, COUNT // 2))


def test_a_source_that_is_taken_away_holds_nothing_back():
    """The others' watermarks alone count, from then on."""
    both = sum(range(COUNT)) + sum(range(BATCHES * SIZE))
    assert sum(eval(each)[0] for each in run(joined, single)) == both


def joined_in_another_order(env):
    more = numbers(env, "more", COUNT // 2)
    return [summed(more.union(numbers(env)))]


def test_sources_may_stand_in_another_order():
    """Each goes on where it was, and not where the one was that stood in its place."""
    assert run(joined, joined_in_another_order) == run(joined)


def short(env, stream):
    """A stream that has ended when the other program begins."""
    return stream.union(numbers(env, "short", 2 * SIZE))


def with_short(env):
    return [counted(short(env, numbers(env)), "counts")]


def with_a_chain_behind_an_end(env):
    moved = numbers(env, "short", 2 * SIZE).rebalance().map(same).uid("moved")
    return [counted(moved.union(numbers(env)), "counts")]


def test_a_chain_that_is_added_behind_what_has_ended_has_ended():
    """Nothing comes from it, and nobody waits for it."""
    assert run(with_short, with_a_chain_behind_an_end) == run(with_short)


def only_short(env):
    return [counted(numbers(env, "short", 2 * SIZE), "counts")]


def test_a_source_is_read_that_is_added_to_a_job_that_has_ended():
    """What has ended begins to give again; its time is over, its state is not."""
    found = run_to_the_end(only_short, with_short)
    assert [number for number, *_ in found] == [*range(2 * SIZE), *range(COUNT)]
    assert max(int(shown.split()[-1]) for _, shown in found) == (2 * SIZE + COUNT) // 3 + 1


def run_to_the_end(first, second):
    """What comes if ``second`` begins when ``first`` has ended."""
    sink = ListSink()
    executor = LocalExecutor(of_program(first, sink), SIZE, clock=lambda: 0)
    while executor.run_batch():
        pass
    with rescaled(executor, of_program(second, sink), SIZE) as going_on:
        while going_on.run_batch():
            pass
    return [element for element in sink.elements if isinstance(element[0], int)]


def with_side_output(env):
    stream = counted(numbers(env), "counts")
    return [stream, stream.get_side_output(ODD)]


def test_side_outputs_come_and_go():
    """What comes from then on goes there; nothing else changes."""
    found, before = run(plain, with_side_output), run(plain)
    assert [each for each in found if each.startswith("(")] == before
    assert sorted(int(each) for each in found if not each.startswith("(")) == list(range(BATCHES * SIZE + 1, COUNT, 2))
    assert [each for each in run(with_side_output, plain) if each.startswith("(")] == before


#: The rows of the table in the docs, and the tests above (or in test_compatibility.py) that run them.
ROWS = {
    "the parallelism": test_results_are_those_of_a_program_that_never_changed,
    "operators without state added, taken away, moved": test_results_are_those_of_a_program_that_never_changed,
    "operators with state moved, or behind other exchanges": test_results_are_those_of_a_program_that_never_changed,
    "operators with state added": test_an_operator_that_is_added_begins_with_nothing,
    "operators with state taken away": refused.test_state_that_nobody_claims_is_named_and_lost_if_that_is_wanted,
    "sources added": test_a_source_that_is_added_is_read_from_its_beginning,
    "sources taken away": test_a_source_that_is_taken_away_holds_nothing_back,
    "sources in another order": test_sources_may_stand_in_another_order,
    "sinks and side outputs added, taken away": test_side_outputs_come_and_go,
    "another kind of windows, or of source, under a `uid`": refused.test_other_kinds_are_refused,
    "the max parallelism": refused.test_other_kinds_are_refused,
}


def test_the_docs_have_these_rows():
    """Each row of the table says what a test shows."""
    _, _, behind = DOCS.read_text().partition("| changed since the savepoint |")
    table = behind.partition("\n\n")[0]
    assert re.findall(r"^\| ([^|]+) \|", table, re.MULTILINE) == list(ROWS)
