"""Joins and co-groups as window functions over the union of two streams."""

from collections import defaultdict
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from windrow.datastream.functions import CoGroupFunction, FlatJoinFunction, JoinFunction, WindowFunction
from windrow.datastream.output_tag import OutputTag
from windrow.datastream.window import (
    CountEvictor,
    CountTrigger,
    DynamicEventTimeSessionWindows,
    EventTimeSessionWindows,
    Evictor,
    TumblingEventTimeWindows,
)
from windrow.errors import UsageError, UserFunctionError
from windrow.operators.tagged_union import TaggedUnion
from windrow.operators.window.co_group import CoGroupWindowFunction, JoinWindowFunction, LateTags
from windrow.operators.window.spec import WindowSpec, build
from windrow.testing import OperatorHarness, Record

ONE, TWO = TaggedUnion.one, TaggedUnion.two
TENS = TumblingEventTimeWindows(10)
LATE = LateTags("late first", "late second")
PAIRS = JoinWindowFunction(lambda first, second: (first[1], second[1]))
LISTS = CoGroupWindowFunction(lambda first, second: [([n for _, n in first], [n for _, n in second])])


def harness(function, assigner=TENS, **parts):
    spec = WindowSpec(assigner, function=function, name="joined", **parts)
    return OperatorHarness(build(spec), lambda element: element.value[0], name="joined")


def test_pairs_in_the_order_of_the_first_then_of_the_second():
    """Each element of the first stream meets each of the second, with the window's maximum timestamp."""
    current = harness(PAIRS)
    current.process_elements([(TWO(("k", 1)), 3), (ONE(("k", "a")), 9), (ONE(("k", "b")), 0), (TWO(("k", 2)), 1)])
    current.process_elements([(ONE(("other", 7)), 5), (TWO(("k", 7)), 10)])
    current.process_watermark(100)
    assert current.records() == [Record(pair, 9) for pair in [("a", 1), ("a", 2), ("b", 1), ("b", 2)]]


def test_a_co_group_sees_one_side_alone():
    """The function is called with an empty list where a stream has nothing; elements are in the order of arrival."""
    current = harness(LISTS)
    current.process_elements([(ONE(("a", 2)), 3), (TWO(("b", 3)), 4), (ONE(("a", 1)), 1)])
    current.process_watermark(9)
    assert current.records() == [Record(([2, 1], []), 9), Record(([], [3]), 9)]


def test_a_late_element_within_the_lateness_fires_all_pairs_again():
    """Each element within the allowed lateness makes its window fire with all that it has."""
    current = harness(PAIRS, allowed_lateness=10)
    current.process_elements([(ONE(("k", "a")), 1), (TWO(("k", 1)), 1)])
    current.process_watermark(18)
    current.process_element(TWO(("k", 2)), 2)
    current.process_watermark(19)
    current.process_element(TWO(("k", 3)), 2)
    assert current.values() == [("a", 1), ("a", 1), ("a", 2)]
    assert current.counters == {"num_late_records_dropped": 1}


def test_late_elements_go_out_as_they_came_in():
    """Those of each stream go to their side output, with their timestamps and without the tag of the union."""
    current = harness(PAIRS, late_tag=LATE)
    current.process_watermark(9)
    current.process_elements([(ONE(("k", "a")), 1), (TWO(("k", 1)), 2), (ONE(("k", "b")), 10)])
    assert current.side_output("late first") == [Record(("k", "a"), 1)]
    assert current.side_output("late second") == [Record(("k", 1), 2)]
    assert current.counters == {}


def test_late_elements_with_an_evictor():
    """The evicting operator sends late elements to the same side outputs."""
    current = harness(PAIRS, late_tag=LATE, evictor=CountEvictor.of(1))
    current.process_watermark(9)
    current.process_element(TWO(("k", 1)), 2)
    assert current.side_output("late second") == [Record(("k", 1), 2)]


def test_sessions_of_both_streams_merge():
    """An element of either stream can bring two sessions together; pairs of the merged one are all pairs."""
    current = harness(PAIRS, EventTimeSessionWindows.with_gap(5))
    current.process_elements([(ONE(("k", "a")), 0), (TWO(("k", 1)), 8), (TWO(("k", 2)), 4), (ONE(("k", "b")), 20)])
    current.process_watermark(100)
    assert sorted(current.records()) == [Record(("a", 1), 12), Record(("a", 2), 12)]


def test_a_dynamic_gap_sees_the_tagged_element():
    """A gap extractor can tell the streams apart."""
    gap = DynamicEventTimeSessionWindows.with_dynamic_gap(lambda element: 10 if element.is_one() else 1)
    current = harness(LISTS, gap)
    current.process_elements([(ONE(("k", 1)), 0), (TWO(("k", 2)), 9), (TWO(("k", 3)), 12)])
    current.process_watermark(100)
    assert current.records() == [Record(([1], [2]), 9), Record(([], [3]), 12)]


def test_a_trigger_counts_both_streams():
    """A count trigger fires by elements, of whichever stream."""
    current = harness(PAIRS, trigger=CountTrigger.of(2))
    current.process_elements([(ONE(("k", "a")), 1), (TWO(("k", 1)), 1), (TWO(("k", 2)), 1), (TWO(("k", 3)), 1)])
    assert current.values() == [("a", 1), ("a", 1), ("a", 2), ("a", 3)]


class OnlyTheFirst(Evictor):
    """Removes what is from the second stream."""

    def evict_before(self, elements, size, window, evictor_context):
        elements[:] = [element for element in elements if element.value.is_one()]

    def evict_after(self, elements, size, window, evictor_context):
        pass


def test_an_evictor_sees_the_tagged_elements():
    """What an evictor removes before the function is called takes no part."""
    current = harness(LISTS, evictor=OnlyTheFirst())
    current.process_elements([(ONE(("k", 1)), 1), (TWO(("k", 2)), 1)])
    current.process_watermark(9)
    assert current.values() == [([1], [])]


class Halves(FlatJoinFunction):
    """Yields a pair, or sends it aside if it is odd."""

    def join(self, first, second):
        total = first[1] + second[1]
        if total % 2 == 0:
            return [total // 2, total // 2]
        return [(OutputTag("odd"), total)] if total > 1 else None


def test_a_flat_join_gives_any_number_of_results():
    """None is none, and an (OutputTag, value) goes to that side output with the window's timestamp."""
    current = harness(JoinWindowFunction(Halves(), flat=True))
    current.process_elements([(ONE(("k", 0)), 1), (TWO(("k", 1)), 1), (TWO(("k", 2)), 1), (TWO(("k", 3)), 1)])
    current.process_watermark(9)
    assert current.values() == [1, 1]
    assert current.side_output("odd") == [Record(3, 9)]


def test_a_co_group_can_use_side_outputs():
    """An (OutputTag, value) that a co-group yields goes to that side output."""
    alone = CoGroupWindowFunction(lambda first, second: [] if first and second else [(OutputTag("alone"), "k")])
    current = harness(alone)
    current.process_element(ONE(("k", 0)), 1)
    current.process_watermark(9)
    assert (current.values(), current.side_output("alone")) == ([], [Record("k", 9)])


class Lifecycle(JoinFunction, CoGroupFunction):
    def __init__(self):
        self.calls = []

    def open(self, runtime_context):
        self.calls.append(runtime_context.get_task_name())

    def close(self):
        self.calls.append("close")

    def join(self, first, second):
        return self.calls[:]

    def co_group(self, first, second):
        yield self.calls[:]


@pytest.mark.parametrize("adapter", [JoinWindowFunction, CoGroupWindowFunction])
def test_functions_are_opened_and_closed(adapter):
    """A function object is opened with the runtime context before it is called, and closed with the operator."""
    function = Lifecycle()
    current = harness(adapter(function))
    current.process_elements([(ONE(("k", 1)), 1), (TWO(("k", 2)), 1)])
    current.process_watermark(9)
    current.close()
    assert current.values() == [["joined"]]
    assert function.calls == ["joined", "close"]


def test_an_error_names_the_pair():
    """What a join function raises is an error of the operator on the two elements."""
    current = harness(JoinWindowFunction(lambda first, second: first[1] / second[1]))
    current.process_elements([(ONE(("k", 1)), 1), (TWO(("k", 1)), 1), (TWO(("k", 0)), 1)])
    with pytest.raises(
        UserFunctionError, match=r"(?s)ZeroDivisionError.*'joined' on element \(\('k', 1\), \('k', 0\)\)"
    ):
        current.process_watermark(9)


@pytest.mark.parametrize("result", [7, "text"])
def test_a_flat_join_has_to_return_many(result):
    """A flat join that returns one value is told to yield it."""
    current = harness(JoinWindowFunction(lambda first, second: result, flat=True))
    current.process_elements([(ONE(("k", 1)), 1), (TWO(("k", 1)), 1)])
    with pytest.raises(UsageError, match=f"the join function of operator 'joined' returned {result!r}; yield each"):
        current.process_watermark(9)


class Firing(WindowFunction):
    """Emits each firing with its window, so that the last one of a window can be found."""

    def __init__(self):
        self._pairs = JoinWindowFunction(lambda first, second: (first, second))

    def apply(self, key, window, inputs):
        yield window, key, list(self._pairs.apply(key, window, inputs))


STEPS = st.lists(
    st.one_of(
        st.tuples(st.sampled_from([ONE, TWO]), st.sampled_from("ab"), st.integers(0, 60)),
        st.integers(1, 20),  # the watermark moves on by so much
    ),
    max_size=40,
)


@given(STEPS, st.sampled_from([0, 7, 30]))
def test_late_elements_by_brute_force(steps, lateness):
    """A window's last firing has all pairs of its elements that were not late; the others are all in the outputs."""
    current = harness(Firing(), allowed_lateness=lateness, late_tag=LATE)
    watermark = 0
    kept, late = defaultdict(lambda: ([], [])), ([], [])
    current.process_watermark(watermark)
    for number, step in enumerate(steps):
        if isinstance(step, int):
            watermark += step
            current.process_watermark(watermark)
            continue
        side, key, timestamp = step
        element = (key, number)
        start = timestamp - timestamp % 10
        lists = late if start + 9 + lateness <= watermark else kept[start, key]
        lists[side is TWO].append(element)
        current.process_element(side(element), timestamp)
    current.process_watermark(1000)
    fired = {(window.start, key): pairs for window, key, pairs in current.values()}
    assert fired == {place: list(product(*lists)) for place, lists in kept.items()}
    assert [record.value for record in current.side_output("late first")] == late[0]
    assert [record.value for record in current.side_output("late second")] == late[1]
