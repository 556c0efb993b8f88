"""Functions that change what they are given, or what they have given away: nobody else sees it."""

import pytest

from tests.trials.trial import Trial, play, rows
from windrow.common import Duration, Row, Time, Types, WatermarkStrategy
from windrow.datastream import OutputTag
from windrow.datastream.functions import (
    AggregateFunction,
    BroadcastProcessFunction,
    CoGroupFunction,
    FilterFunction,
    JoinFunction,
    KeyedProcessFunction,
    MapFunction,
    ProcessFunction,
    ProcessJoinFunction,
    ProcessWindowFunction,
    ReduceFunction,
)
from windrow.datastream.state import ListStateDescriptor, MapStateDescriptor, ValueStateDescriptor
from windrow.datastream.window import CountEvictor, CountTrigger, SlidingEventTimeWindows, TumblingEventTimeWindows

KEY = Types.STRING()
LOCAL = ("local",)


def _spoil(element):
    element["n"] = -1
    return element


def _elements(env, *times):
    strategy = WatermarkStrategy.for_bounded_out_of_orderness(Duration.of_millis(0)).with_timestamp_assigner(
        lambda element, _: element["t"]
    )
    return env.from_collection([{"k": "a", "t": time, "n": 1} for time in times]).assign_timestamps_and_watermarks(
        strategy
    )


def _keyed(env, *times):
    return _elements(env, *times).key_by(lambda element: element["k"], KEY)


def _collected(stream):
    return list(stream.execute_and_collect())


class AddInPlace(ReduceFunction):
    def reduce(self, value1, value2):
        value1["n"] += value2["n"]
        return value1


class ListAll(AggregateFunction):
    def create_accumulator(self):
        return []

    def add(self, value, accumulator):
        accumulator.append(value["n"])
        return accumulator

    def get_result(self, accumulator):
        return accumulator

    def merge(self, first, second):
        return first + second


class SpoilAll(ProcessWindowFunction):
    """Gives the sum of the elements, and changes all of them."""

    def process(self, key, context, elements):
        yield sum(element["n"] for element in elements)
        for element in elements:
            _spoil(element)
        elements.clear()


def _early(stream):
    """Fires for every element, and again at the end."""
    return stream.window(TumblingEventTimeWindows.of(Time.milliseconds(100))).trigger(CountTrigger.of(1))


def _reduce_behind_map(env, folder):
    stream = _early(_keyed(env, 1, 2, 3)).reduce(AddInPlace())
    return _collected(stream.map(lambda element: (element["n"], _spoil(element))[0]))


def _aggregate_behind_map(env, folder):
    def change(numbers):
        numbers.append("changed")
        return numbers

    return _collected(_early(_keyed(env, 1, 2)).aggregate(ListAll()).map(change))


def _window_function(env, folder):
    return _collected(_early(_keyed(env, 1, 2, 3)).process(SpoilAll()))


def _evictor(env, folder):
    return _collected(_early(_keyed(env, 1, 2, 3)).evictor(CountEvictor.of(2)).process(SpoilAll()))


def _sliding_reduce(env, folder):
    windows = _keyed(env, 10, 11, 12).window(SlidingEventTimeWindows.of(Time.milliseconds(20), Time.milliseconds(5)))
    return [element["n"] for element in _collected(windows.reduce(AddInPlace()))]


def _sliding_process(env, folder):
    windows = _keyed(env, 10, 11, 12).window(SlidingEventTimeWindows.of(Time.milliseconds(20), Time.milliseconds(5)))
    return _collected(windows.process(SpoilAll()))


class Remember(KeyedProcessFunction):
    """Gives what each kind of state holds, changes what it has read and what it has stored."""

    def open(self, runtime_context):
        self.value = runtime_context.get_state(ValueStateDescriptor("value", Types.PICKLED_BYTE_ARRAY()))
        self.list = runtime_context.get_list_state(ListStateDescriptor("list", Types.PICKLED_BYTE_ARRAY()))
        self.map = runtime_context.get_map_state(MapStateDescriptor("map", Types.STRING(), Types.PICKLED_BYTE_ARRAY()))

    def process_element(self, value, ctx):
        if self.value.value() is None:
            stored = {"n": 1}
            self.value.update(stored)
            self.list.add(stored)
            self.map.put("stored", stored)
            stored["n"] = 100
        yield "value", self.value.value()
        yield "list", self.list.get()[0]
        yield "map", self.map.get("stored")
        for read in (self.value.value(), *self.list, *self.map.values()):
            _spoil(read)


def _state(env, folder):
    stream = _keyed(env, 1, 2).process(Remember())
    return _collected(stream.map(lambda pair: (pair[0], pair[1]["n"], _spoil(pair[1]))[:2]))


def _branches(env, folder):
    elements = _elements(env, 1, 2)
    changed = elements.map(_spoil).map(lambda element: ("changed", element["n"]))
    return sorted(_collected(changed.union(elements.map(lambda element: ("as it was", element["n"])))))


def _branches_behind_exchange(env, folder):
    elements = _elements(env, 1)
    changed = elements.key_by(lambda element: element["k"]).process(Spoil())
    other = elements.key_by(lambda element: element["n"]).process(Look())
    return sorted(_collected(changed.union(other)))


class Spoil(KeyedProcessFunction):
    def process_element(self, value, ctx):
        yield "changed", _spoil(value)["n"]


class Look(KeyedProcessFunction):
    def process_element(self, value, ctx):
        yield "as it was", value["n"]


SIDE = OutputTag("side")


class BothOutputs(ProcessFunction):
    def process_element(self, value, ctx):
        yield value
        yield SIDE, value


def _side_output(env, folder):
    main = _elements(env, 1).process(BothOutputs())
    side = main.get_side_output(SIDE).map(lambda element: ("side", element["n"]))
    changed = main.map(_spoil).map(lambda element: ("main", element["n"]))
    return sorted(_collected(changed.union(side)))


def _union_with_itself(env, folder):
    elements = _elements(env, 1)
    return _collected(elements.union(elements).map(lambda element: element["n"] + _spoil(element)["n"]))


class Rules(BroadcastProcessFunction):
    def process_element(self, value, ctx):
        return []

    def process_broadcast_element(self, value, ctx):
        before = value["n"]
        _spoil(value)
        yield before


def _broadcast(env, folder):
    rules = _elements(env, 1, 2).broadcast(MapStateDescriptor("rules", Types.STRING(), Types.INT()))
    return _collected(env.from_collection([1]).rebalance().connect(rules).process(Rules()))


class Total(MapFunction):
    """Gives one and the same list for every element."""

    def open(self, runtime_context):
        self.all = []

    def map(self, value):
        self.all.append(value)
        return self.all


def _same_list(env, folder):
    return _collected(env.from_collection([1, 2, 3]).map(Total()).map(list))


def _growing(numbers):
    buffer = []
    for number in range(numbers):
        buffer.append(number)
        yield buffer


def _same_list_from_generator(env, folder):
    return _collected(env.from_collection([3]).flat_map(_growing).map(list))


def _same_list_in_a_tuple(env, folder):
    return _collected(env.from_collection(["a", "b"]).map(Total()).map(lambda n: ("n", n)).map(lambda pair: pair[1]))


class SameAsBefore(FilterFunction):
    """Keeps each element to compare the next one with it."""

    def open(self, runtime_context):
        self.last = None

    def filter(self, value):
        last, self.last = self.last, value
        return last is None or last["n"] == value["n"]


def _kept_by_filter(env, folder):
    elements = env.from_collection([{"n": 1} for _ in range(10_000)])  # more than one operator sees at a time
    return len(_collected(elements.filter(SameAsBefore()).map(_spoil)))


class Pairs(ProcessJoinFunction):
    def process_element(self, left, right, ctx):
        yield left["n"], right["n"]
        _spoil(left)
        _spoil(right)


def _interval_join(env, folder):
    left, right = _keyed(env, 1, 2), _keyed(env, 1, 2)
    return _collected(left.interval_join(right).between(Time.milliseconds(-5), Time.milliseconds(5)).process(Pairs()))


class PairInPlace(JoinFunction):
    def join(self, first, second):
        pair = first["n"], second["n"]
        _spoil(first)
        _spoil(second)
        return pair


def _window_join(env, folder):
    joined = _elements(env, 1, 2).join(_elements(env, 3, 4)).where(lambda e: e["k"]).equal_to(lambda e: e["k"])
    return _collected(joined.window(TumblingEventTimeWindows.of(Time.milliseconds(100))).apply(PairInPlace()))


class CoGroupInPlace(CoGroupFunction):
    def co_group(self, first, second):
        yield sum(element["n"] for element in (*first, *second))
        for element in (*first, *second):
            _spoil(element)


def _co_group(env, folder):
    grouped = _elements(env, 1, 2).co_group(_elements(env, 3)).where(lambda e: e["k"]).equal_to(lambda e: e["k"])
    windows = grouped.window(TumblingEventTimeWindows.of(Time.milliseconds(100))).trigger(CountTrigger.of(1))
    return _collected(windows.apply(CoGroupInPlace()))


def _own_list(env, folder):
    mine = [{"n": 1}, Row(n=2)]
    stream = env.from_collection(mine).map(_spoil)
    stream.map(lambda element: element["n"])
    mine[0]["n"] = 3
    first = [element["n"] for element in _collected(stream)]
    second = [element["n"] for element in _collected(env.from_collection(mine).map(lambda element: element))]
    return first, second, [element["n"] for element in mine]


def _two_runs(env, folder):
    elements = env.from_collection([{"n": 1}])
    return [_collected(elements.map(lambda element: (element["n"], _spoil(element))[0])) for _ in range(2)]


def _object_reuse(env, folder):
    env.get_config().enable_object_reuse()
    return _collected(env.from_collection([1, 2, 3]).map(Total()).map(len))


TRIALS = [
    Trial("a map that changes what a window with early firings keeps", _reduce_behind_map, gives=[1, 2, 3]),
    Trial(
        "a map that changes a kept accumulator",
        _aggregate_behind_map,
        gives=[[1, "changed"], [1, 1, "changed"]],
        runtimes=LOCAL,
    ),
    Trial("a window function that changes its elements", _window_function, gives=[1, 2, 3], runtimes=LOCAL),
    Trial("a window function behind an evictor that changes its elements", _evictor, gives=[1, 2, 2], runtimes=LOCAL),
    Trial("a reduce in place on sliding windows", _sliding_reduce, gives=[3, 3, 3, 3], runtimes=LOCAL),
    Trial("a process function on sliding windows changes elements", _sliding_process, gives=[3] * 4, runtimes=LOCAL),
    Trial(
        "what is read from state and what was put there are changed",
        _state,
        gives=[("value", 1), ("list", 1), ("map", 1)] * 2,
    ),
    Trial(
        "one of two branches changes elements",
        _branches,
        gives=[("as it was", 1)] * 2 + [("changed", -1)] * 2,
    ),
    Trial(
        "one of two keyed branches changes elements",
        _branches_behind_exchange,
        gives=[("as it was", 1), ("changed", -1)],
        runtimes=LOCAL,
    ),
    Trial("main and side output of one object", _side_output, gives=[("main", -1), ("side", 1)]),
    Trial("a union of a stream with itself", _union_with_itself, gives=[0, 0], runtimes=LOCAL),
    Trial("several subtasks change what is broadcast", _broadcast, gives=[1, 1, 1, 1], runtimes=LOCAL),
    Trial("a map that gives one list again and again", _same_list, gives=[[1], [1, 2], [1, 2, 3]]),
    Trial(
        "a generator that yields one list again and again",
        _same_list_from_generator,
        gives=[[0], [0, 1], [0, 1, 2]],
        runtimes=LOCAL,
    ),
    Trial("a list given again and again in a tuple", _same_list_in_a_tuple, gives=[["a"], ["a", "b"]], runtimes=LOCAL),
    Trial("a filter that keeps what a map changes", _kept_by_filter, gives=10_000, runtimes=LOCAL),
    Trial("an interval join that changes its elements", _interval_join, gives=[(1, 1)] * 4),
    Trial("a window join that changes its elements", _window_join, gives=[(1, 1)] * 4, runtimes=LOCAL),
    Trial("a co-group that changes its elements", _co_group, gives=[1, 2, 3], runtimes=LOCAL),
    Trial("elements of the program's own list", _own_list, gives=([-1, -1], [3, 2], [3, 2]), runtimes=LOCAL),
    Trial("a second run of a job that changes its elements", _two_runs, gives=[[1], [1]], runtimes=LOCAL),
    Trial("one list again and again, with object reuse", _object_reuse, gives=[3, 3, 3], runtimes=LOCAL),
]


@pytest.mark.parametrize(("runtime", "trial"), rows(TRIALS))
def test_nobody_sees_what_another_one_changes(trial, env, tmp_path):
    """Every function has its elements for itself, unless object reuse is on."""
    play(trial, env, tmp_path)
