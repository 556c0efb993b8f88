"""Accumulators and metrics of whole programs, on every runtime."""

import threading

import pytest

from windrow.common import Configuration, JobStatus
from windrow.common.accumulators import (
    AverageAccumulator,
    IntCounter,
    IntMaximum,
    ListAccumulator,
    LongCounter,
    SimpleAccumulator,
)
from windrow.connectors.discarding import DiscardingSink
from windrow.datastream import KeyedProcessFunction, MapFunction, StreamExecutionEnvironment
from windrow.errors import UsageError, UserFunctionError
from windrow.metrics import DistributionSummary


class Longest(SimpleAccumulator):
    """A user's own: the longest text."""

    def __init__(self):
        self.text = ""

    def add(self, value):
        self.text = max(self.text, value, key=len)

    def get_local_value(self):
        return self.text

    def reset_local(self):
        self.text = ""

    def merge(self, other):
        self.add(other.text)


class Counting(MapFunction):
    """Counts what it is called with."""

    def open(self, runtime_context):
        self.context = runtime_context
        runtime_context.get_int_counter("opened").add(1)
        self.mapped = runtime_context.get_long_counter("mapped")
        self.largest, self.longest = IntMaximum(), Longest()
        runtime_context.add_accumulator("largest", self.largest)
        runtime_context.add_accumulator("longest", self.longest)
        self.waiting = 0

    def map(self, value):
        self.mapped.add(1)
        self.largest.add(value)
        self.longest.add("x" * value)
        self.context.get_histogram("last digits").add(value % 10)
        self.waiting += 1
        return value

    def close(self):
        self.context.get_int_counter("closed").add(1)
        self.context.get_double_counter("added at the end").add(self.waiting / 2)


class Sums(KeyedProcessFunction):
    """Counts elements of a keyed stream, and timers, under names that others use as well."""

    def open(self, runtime_context):
        self.opened = runtime_context.get_int_counter("opened")
        self.opened.add(1)
        self.mapped = runtime_context.get_long_counter("mapped")
        self.timers = ListAccumulator()
        runtime_context.add_accumulator("timers", self.timers)

    def process_element(self, value, ctx):
        self.mapped.add(100)
        ctx.timer_service().register_event_time_timer(value)

    def on_timer(self, timestamp, ctx):
        self.timers.add(timestamp)


class Measured(MapFunction):
    """Reports one metric of each kind."""

    def open(self, runtime_context):
        group = runtime_context.get_metrics_group()
        self.opened = group.counter("opened")
        self.opened.inc()
        self.values = group.add_group("values")
        self.even = self.values.counter("even")
        self.meter = self.values.meter("rate")
        self.spread = self.values.distribution("spread")
        self.last = -1
        group.gauge("last", lambda: self.last)

    def map(self, value):
        self.even.inc(1 - value % 2)
        self.meter.mark_event()
        self.spread.update(value)
        self.last = value
        return value

    def close(self):
        self.values.counter("closed").inc()
        self.last = -2


def local(parallelism=2):
    configuration = Configuration().set_string("windrow.runtime", "local")
    return StreamExecutionEnvironment.get_execution_environment(configuration).set_parallelism(parallelism)


def test_what_functions_add_is_in_the_result(env):
    """In open, map and close, of built-in and own classes: each element once, open and close once per subtask."""
    env.from_collection(range(25)).rebalance().map(Counting()).sink_to(DiscardingSink())
    result = env.execute()
    assert result.get_all_accumulator_results() == {
        "opened": 2,
        "mapped": 25,
        "largest": 24,
        "longest": "x" * 24,
        "last digits": {digit: 3 if digit < 5 else 2 for digit in range(10)},
        "closed": 2,
        "added at the end": 12.5,
    }
    assert result.get_accumulator_result("mapped") == 25
    assert result.get_accumulator_result("nothing") is None
    assert "- mapped: 25" in str(result).splitlines()


def test_operators_share_an_accumulator_by_its_name(env):
    """What a map and a keyed process function add under one name is one sum; timers may add as well."""
    mapped = env.from_collection(range(10)).map(Counting())
    mapped.key_by(lambda value: value % 3).process(Sums()).sink_to(DiscardingSink())
    result = env.execute()
    channels = 1  # of the collection, whose map is chained to it
    assert result.get_accumulator_result("opened") == channels + 2
    assert result.get_accumulator_result("mapped") == 10 + 10 * 100
    assert sorted(result.get_accumulator_result("timers")) == list(range(10))


def add_with(kind):
    """A function that adds 1 to an accumulator of a kind under the name "n"."""

    class Adds(MapFunction):
        def open(self, runtime_context):
            self.counter = kind()
            runtime_context.add_accumulator("n", self.counter)

        def map(self, value):
            self.counter.add(1)
            return value

    return Adds()


def test_one_name_of_two_types_fails_the_job(env):
    """In operators of different levels; the error names the accumulator, both types and both operators."""
    stream = env.from_collection(range(3)).map(add_with(IntCounter)).name("one")
    stream.rebalance().map(add_with(LongCounter)).name("other").sink_to(DiscardingSink())
    with pytest.raises(UsageError, match="accumulator 'n' is of type ") as raised:
        env.execute()
    for part in ("IntCounter in operator 'one'", "LongCounter in operator 'other'", "another name"):
        assert part in str(raised.value)


def test_one_name_of_two_types_in_one_chain():
    """It is found where the chain is opened."""
    stream = local().from_collection(range(3)).map(add_with(IntCounter)).name("one")
    stream.map(add_with(AverageAccumulator)).name("other").sink_to(DiscardingSink())
    with pytest.raises(UsageError, match=r"accumulator 'n' is of type .* operator '(one|other)'"):
        stream.get_execution_environment().execute()


def test_metrics_are_in_the_result(env):
    """Counters, meters and distributions over all subtasks; of gauges the last value before close, per subtask."""
    env.from_collection(range(9)).rebalance().map(Measured()).name("measured").sink_to(DiscardingSink())
    metrics = env.execute().get_metrics()
    gauges = metrics.pop("measured.last")
    assert metrics == {
        "measured.opened": 2,
        "measured.values.even": 5,
        "measured.values.rate": 9,
        "measured.values.spread": DistributionSummary(9, 36, 0, 8),
        "measured.values.closed": 2,
    }
    assert sorted(gauges) == [0, 1]
    assert sorted(gauges.values()) == [7, 8]


def test_metrics_of_operators_of_one_name_are_merged():
    """Unless they are of different kinds: then the second one is told apart."""

    class Gauged(MapFunction):
        def open(self, runtime_context):
            runtime_context.get_metrics_group().gauge("n", lambda: 7)

        map = staticmethod(lambda value: value)

    class Counted(MapFunction):
        def open(self, runtime_context):
            self.counter = runtime_context.get_metrics_group().counter("n")

        def map(self, value):
            self.counter.inc()
            return value

    env = local(1)
    stream = env.from_collection(range(3))
    for function in (Counted(), Counted(), Gauged()):
        stream = stream.map(function).name("m")
    stream.sink_to(DiscardingSink())
    metrics = env.execute().get_metrics()
    assert metrics.pop("m.n") == 6
    ((name, value),) = metrics.items()
    assert name.startswith("m (")
    assert value == {0: 7}


def test_a_gauge_that_fails_is_named():
    """The error is the user's, and says which gauge of which operator."""

    class Broken(MapFunction):
        def open(self, runtime_context):
            runtime_context.get_metrics_group().gauge("size", lambda: {}["size"])

        map = staticmethod(lambda value: value)

    env = local()
    env.from_collection([1]).map(Broken()).name("broken").sink_to(DiscardingSink())
    with pytest.raises(UserFunctionError, match="KeyError: 'size'") as raised:
        env.execute()
    assert (raised.value.operator, raised.value.element) == ("broken", "(none: gauge 'size' was called)")


def test_a_merge_that_fails_is_named():
    """So is an accumulator that cannot be merged: here a sum that leaves its range."""

    class Adds(MapFunction):
        def open(self, runtime_context):
            runtime_context.add_accumulator("n", IntCounter(2**31 - 1))

        map = staticmethod(lambda value: value)

    env = local()
    env.from_collection([1]).rebalance().map(Adds()).name("adds").sink_to(DiscardingSink())
    with pytest.raises(UserFunctionError, match="OverflowError: accumulator 'n'") as raised:
        env.execute()
    assert raised.value.operator == "adds"


def test_a_function_behind_a_union_is_opened_once_per_subtask():
    """Not once for each of the union's inputs."""
    env = local()
    stream = env.from_collection(range(5))
    stream.union(env.from_collection(range(5, 10))).map(Counting()).sink_to(DiscardingSink())
    result = env.execute()
    assert [result.get_accumulator_result(name) for name in ("opened", "mapped", "closed")] == [2, 10, 2]


def test_accumulators_can_be_read_while_a_local_job_runs():
    """In the middle of a batch: what was added by now, exactly the result when it is over."""
    reached, go_on = threading.Event(), threading.Event()

    class Waits(Counting):
        def map(self, value):
            if value == 6:
                reached.set()
                assert go_on.wait(30)
            return super().map(value)

        __deepcopy__ = lambda self, memo: type(self)()  # noqa: E731

    env = local(1)
    env.from_collection(range(10)).map(Waits()).map(Measured()).name("measured").sink_to(DiscardingSink())
    client = env.execute_async("waits")
    try:
        assert reached.wait(30)
        assert client.get_job_status().result() is JobStatus.RUNNING
        while_running = client.get_accumulators().result()
        assert (while_running["opened"], while_running["mapped"], while_running["largest"]) == (1, 6, 5)
        assert client.get_metrics().result()["measured.opened"] == 1
    finally:
        go_on.set()
    result = client.get_job_execution_result().result()
    assert result.get_accumulator_result("mapped") == 10
    assert client.get_accumulators().result() == result.get_all_accumulator_results()
    assert client.get_metrics().result().items() >= result.get_metrics().items()


@pytest.mark.parametrize("fails", [True, False])
def test_functions_are_closed_once(fails):
    """Each object that was opened, whether or not the job fails; what fails in close does not hide what failed."""
    calls = []

    class Noted(MapFunction):
        def open(self, runtime_context):
            calls.append("open")

        def map(self, value):
            if fails and value == 3:
                msg = "in map"
                raise ValueError(msg)
            return value

        def close(self):
            calls.append("close")
            msg = "in close"
            raise ValueError(msg)

    env = local(1 if fails else 2)
    env.from_collection(range(5)).rebalance().map(Noted()).name("noted").sink_to(DiscardingSink())
    with pytest.raises(UserFunctionError, match="in map" if fails else "in close") as raised:
        env.execute()
    if fails:
        assert any("in close" in note for note in raised.value.__notes__)
    else:
        assert raised.value.element == "(none: close was called)"
    assert calls.count("open") == calls.count("close") > 0
