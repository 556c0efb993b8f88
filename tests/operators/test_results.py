"""From what a function returned to the outputs, in every operator whose functions give any number of results."""

import pytest

from windrow.common import Types, WatermarkStrategy
from windrow.datastream import (
    BroadcastProcessFunction,
    CoFlatMapFunction,
    CoProcessFunction,
    KeyedProcessFunction,
    OutputTag,
    ProcessFunction,
    RuntimeExecutionMode,
    StreamExecutionEnvironment,
)
from windrow.datastream.functions import ProcessJoinFunction
from windrow.datastream.state import MapStateDescriptor
from windrow.errors import TypeConversionError, UsageError, UserFunctionError
from windrow.operators.process import ProcessOperator
from windrow.operators.simple import FlatMapOperator
from windrow.testing.harness import OperatorHarness

SIDE = OutputTag("side")
RULES = MapStateDescriptor("rules")


class Returns(ProcessFunction):
    def __init__(self, results):
        self.results = results

    def process_element(self, value, ctx):
        return self.results


def results_of(results):
    harness = OperatorHarness(ProcessOperator(Returns(results)), name="op")
    harness.process_element("v", 3)
    return harness


@pytest.mark.parametrize("results", [[1, 2], (1, 2), {1: "a", 2: "b"}, iter([1, 2]), (n for n in (1, 2)), range(1, 3)])
def test_any_iterable_is_results(results):
    """A list, a tuple, a generator: each item is a result."""
    assert results_of(results).values() == [1, 2]


def test_none_is_no_result():
    """A function that returns nothing emits nothing."""
    assert results_of(None).values() == []


@pytest.mark.parametrize("results", [5, True, "text", b"bytes", (SIDE, 1)], ids=repr)
def test_a_single_value_is_refused(results):
    """What is no list of results, or would come out in pieces, is an error that says what to do."""
    with pytest.raises(UsageError) as raised:
        results_of(results)
    assert str(raised.value) == (
        f"the function of operator 'op' returned {results!r}; yield each result, or return a list of results or None"
    )


def test_a_list_may_hold_a_side_output():
    """In a list (OutputTag, value) goes to the side output."""
    harness = results_of([(SIDE, 1), 2])
    assert (harness.values(), [record.value for record in harness.side_output(SIDE)]) == ([2], [1])


@pytest.mark.parametrize("results", [5, (SIDE, 1)], ids=repr)
def test_flat_map_refuses_single_values(results):
    """flat_map needs an iterable too, and no side output that is in none."""
    with pytest.raises(UsageError, match="yield each result"):
        OperatorHarness(FlatMapOperator(lambda _: results), name="op").process_element("v", 1)


def test_flat_map_may_give_the_letters_of_a_text():
    """A text is an iterable of its letters, and flat_map's function gives an iterable."""
    harness = OperatorHarness(FlatMapOperator(lambda text: text), name="op")
    harness.process_element("ab", 1)
    assert harness.values() == ["a", "b"]


class OnTimer(KeyedProcessFunction):
    def process_element(self, value, ctx):
        ctx.timer_service().register_event_time_timer(5)

    def on_timer(self, timestamp, ctx):
        return "on_timer"


class CoFlatMap(CoFlatMapFunction):
    def flat_map1(self, value):
        return None

    def flat_map2(self, value):
        return "flat_map2"


class CoProcess(CoProcessFunction):
    def process_element1(self, value, ctx):
        return None

    def process_element2(self, value, ctx):
        return "process_element2"


class Broadcast(BroadcastProcessFunction):
    def process_element(self, value, ctx):
        return None

    def process_broadcast_element(self, value, ctx):
        return "process_broadcast_element"


class Join(ProcessJoinFunction):
    def process_element(self, left, right, ctx):
        return "join"


@pytest.mark.parametrize(
    ("build", "returned"),
    [
        (lambda keyed: keyed.process(OnTimer()), "on_timer"),
        (lambda keyed: keyed.connect(keyed).flat_map(CoFlatMap()), "flat_map2"),
        (lambda keyed: keyed.connect(keyed).key_by(0, 0).process(CoProcess()), "process_element2"),
        (lambda keyed: keyed.map(tuple).connect(keyed.map(tuple).broadcast(RULES)).process(Broadcast()), "broadcast"),
        (lambda keyed: keyed.interval_join(keyed).between(0, 0).process(Join()), "join"),
    ],
    ids=["on_timer", "co_flat_map", "co_process", "broadcast", "interval_join"],
)
@pytest.mark.parametrize("mode", [RuntimeExecutionMode.STREAMING, RuntimeExecutionMode.BATCH])
def test_every_kind_of_function_is_checked(build, returned, mode):
    """A text in place of results is refused wherever a function gives any number of results."""
    env = StreamExecutionEnvironment.create_local_environment(1)
    env.set_runtime_mode(mode)
    times = WatermarkStrategy.for_monotonous_timestamps().with_timestamp_assigner(lambda pair, _: pair[1])
    keyed = env.from_collection([("a", 1)]).assign_timestamps_and_watermarks(times).key_by(lambda pair: pair[0])
    with pytest.raises(UsageError, match=rf"returned '.*{returned}.*'; yield each result"):
        build(keyed).execute_and_collect(limit=9)


def test_what_fails_further_down_is_not_the_functions_fault():
    """A result that does not fit the operator behind is an error of that operator, not of the function that made it."""
    env = StreamExecutionEnvironment.create_local_environment(1)
    letters = env.from_collection([1]).process(Returns(["a"])).name("first")
    letters.map(lambda letter: letter, Types.INT()).name("second").print()
    with pytest.raises(TypeConversionError, match="'second'"):
        env.execute()


def test_an_error_of_the_function_stays_its_own():
    """A generator that raises half way is named with its element."""

    class Fails(ProcessFunction):
        def process_element(self, value, ctx):
            yield 1
            raise KeyError(value)

    with pytest.raises(UserFunctionError) as raised:
        OperatorHarness(ProcessOperator(Fails()), name="op").process_element("v", 1)
    assert (raised.value.operator, raised.value.element) == ("op", "'v'")
