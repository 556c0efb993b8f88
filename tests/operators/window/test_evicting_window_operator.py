"""The window operator with an evictor."""

from windrow.datastream.functions import AggregateFunction, WindowFunction
from windrow.datastream.window import (
    CountEvictor,
    CountTrigger,
    DeltaEvictor,
    EventTimeSessionWindows,
    Evictor,
    GlobalWindows,
    PurgingTrigger,
    TimeEvictor,
    TumblingEventTimeWindows,
)
from windrow.operators.window.contents import CONTENTS
from windrow.testing import Record, window_harness


class Elements(WindowFunction):
    def apply(self, key, window, inputs):
        yield list(inputs)


class Count(AggregateFunction):
    def create_accumulator(self):
        return 0

    def add(self, value, accumulator):
        return accumulator + 1

    def get_result(self, accumulator):
        return accumulator

    def merge(self, acc_a, acc_b):
        return acc_a + acc_b


class DropAll(Evictor):
    def evict_before(self, elements, size, window, evictor_context):
        elements.clear()

    def evict_after(self, elements, size, window, evictor_context):
        pass


def one_key(_value):
    return 0


def test_count_evictor_drops_the_oldest():
    """A CountEvictor removes from the front: the elements that were inserted first."""
    harness = window_harness(
        GlobalWindows.create(), key=one_key, function=Elements(), trigger=CountTrigger.of(3), evictor=CountEvictor.of(2)
    )
    harness.process_elements([("a", 3), ("b", 1), ("c", 2)])
    assert harness.values() == [["b", "c"]]


def test_time_evictor_removes_elements_on_the_cut_off():
    """A TimeEvictor removes elements whose timestamp is the newest less the size, and older ones."""
    harness = window_harness(
        GlobalWindows.create(), key=one_key, function=Elements(), trigger=CountTrigger.of(4), evictor=TimeEvictor.of(10)
    )
    harness.process_elements([("older", 9), ("newest", 20), ("on the cut-off", 10), ("inside", 11)])
    assert harness.values() == [["newest", "inside"]]


def test_time_evictor_needs_a_timestamp_on_the_first_element():
    """If the first element has no timestamp, a TimeEvictor removes nothing."""
    harness = window_harness(
        GlobalWindows.create(), key=one_key, function=Elements(), trigger=CountTrigger.of(3), evictor=TimeEvictor.of(10)
    )
    harness.process_elements([("none", None), ("old", 1), ("new", 100)])
    assert harness.values() == [["none", "old", "new"]]


def test_evicted_elements_leave_the_state():
    """What an evictor removes is gone for later firings too."""
    harness = window_harness(
        GlobalWindows.create(), key=one_key, function=Elements(), trigger=CountTrigger.of(1), evictor=CountEvictor.of(1)
    )
    harness.process_elements([("a", 1), ("b", 2)])
    buffers = [entry.value for entry in harness.state_entries() if entry.name == CONTENTS]
    assert [[element.value for element in buffer] for buffer in buffers] == [["b"]]


def test_evicting_after_the_function():
    """With do_evict_after the function sees what is removed afterwards."""
    evictor = DeltaEvictor.of(2, lambda element, last: last - element, do_evict_after=True)
    harness = window_harness(
        GlobalWindows.create(), key=one_key, function=Elements(), trigger=CountTrigger.of(2), evictor=evictor
    )
    harness.process_elements([(value, None) for value in (1, 3, 4, 4)])
    assert harness.values() == [[1, 3], [3, 4, 4]]


def test_purging_empties_the_buffer():
    """A purging trigger empties the buffer after the evictor has written it back."""
    harness = window_harness(
        GlobalWindows.create(),
        key=one_key,
        function=Elements(),
        trigger=PurgingTrigger.of(CountTrigger.of(2)),
        evictor=CountEvictor.of(5),
    )
    harness.process_elements([(value, None) for value in range(4)])
    assert harness.values() == [[0, 1], [2, 3]]
    assert harness.num_state_entries() == 0


def test_incremental_functions_combine_what_is_left():
    """With an evictor a reduce or aggregate function runs over the evicted buffer when the window fires."""
    for incremental, result in (({"reduce": lambda a, b: a + b}, 5), ({"aggregate": Count()}, 2)):
        harness = window_harness(TumblingEventTimeWindows(10), key=one_key, evictor=CountEvictor.of(2), **incremental)
        harness.process_elements([(value, 1) for value in (1, 2, 3)])
        harness.process_watermark(9)
        assert harness.records() == [Record(result, 9)]


def test_window_function_after_a_reduce():
    """A window function behind a reduce gets the one reduced value, with an evictor too."""
    harness = window_harness(
        TumblingEventTimeWindows(10), key=one_key, evictor=CountEvictor.of(2), reduce=max, function=Elements()
    )
    harness.process_elements([(value, 1) for value in (3, 1, 2)])
    harness.process_watermark(9)
    assert harness.values() == [[2]]


def test_an_emptied_buffer():
    """A window that an evictor emptied still calls its function; it aggregates to nothing's result, reduces to none."""
    expected = (({"function": Elements()}, [[]]), ({"aggregate": Count()}, [0]), ({"reduce": max}, []))
    for parts, values in expected:
        harness = window_harness(TumblingEventTimeWindows(10), key=one_key, evictor=DropAll(), **parts)
        harness.process_element(1, 1)
        harness.process_watermark(9)
        assert harness.values() == values


def test_buffers_of_merged_sessions_are_joined():
    """Merged sessions keep all elements, those of the target first."""
    harness = window_harness(EventTimeSessionWindows(10), key=one_key, function=Elements(), evictor=CountEvictor.of(3))
    harness.process_elements([("a", 0), ("c", 15), ("b", 1), ("bridge", 8)])
    harness.process_watermark(24)
    assert harness.records() == [Record(["b", "c", "bridge"], 24)]
