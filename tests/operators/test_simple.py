import numpy as np
import pytest

from windrow.datastream import FilterFunction, FlatMapFunction, MapFunction, OutputTag
from windrow.elements.batch import Batch
from windrow.errors import UserFunctionError
from windrow.operators.simple import FilterOperator, FlatMapOperator, MapOperator, ProjectOperator
from windrow.testing.harness import OperatorHarness

WORDS = [("a b", 1), ("", 2), ("c", 3)]


def records(operator, elements, key_selector=None):
    harness = OperatorHarness(operator, key_selector, name="op")
    harness.process_elements(elements)
    return [tuple(record) for record in harness.records()]


def test_map_keeps_timestamps():
    """A mapped element has the timestamp of the element it was made of."""
    assert records(MapOperator(len), WORDS) == [(3, 1), (0, 2), (1, 3)]


def test_map_calls_the_method_of_a_function_object():
    """A MapFunction is called through map."""

    class Twice(MapFunction):
        def map(self, value):
            return value * 2

    assert records(MapOperator(Twice()), [(1, 5)]) == [(2, 5)]


@pytest.mark.parametrize("failing", [0, 1, 2])
def test_an_error_names_operator_and_element(failing):
    """Whichever element of a batch a function fails on, the error names that one."""

    def fail(value):
        if value == failing:
            raise KeyError(value)
        return value

    with pytest.raises(UserFunctionError) as raised:
        records(MapOperator(fail), [(n, n) for n in range(3)])
    assert (raised.value.operator, raised.value.element) == ("op", str(failing))
    assert "in fail" in raised.value.user_traceback


def test_filter_keeps_elements_with_their_timestamps():
    """Timestamps of kept elements stay, as a list or as an array."""
    assert records(FilterOperator(lambda word: word), WORDS) == [("a b", 1), ("c", 3)]
    harness = OperatorHarness(FilterOperator(lambda n: n > 1), name="op")
    harness._operator.process_batch(Batch([1, 2, 3], np.array([10, 20, 30])))
    assert [tuple(record) for record in harness.records()] == [(2, 20), (3, 30)]


def test_filter_takes_any_truth():
    """What a filter returns counts by its truth, as in Python."""

    class NotEmpty(FilterFunction):
        def filter(self, value):
            return value

    assert records(FilterOperator(NotEmpty()), [([], 1), ([0], 2)]) == [([0], 2)]


def test_flat_map_takes_generators_lists_and_none():
    """A flat_map function returns an iterable, yields, or returns None for nothing."""

    def split(text):
        yield from text.split()

    assert records(FlatMapOperator(split), WORDS) == [("a", 1), ("b", 1), ("c", 3)]
    assert records(FlatMapOperator(lambda text: list(text) or None), [("xy", 1), ("", 2)]) == [("x", 1), ("y", 1)]


def test_flat_map_sends_tagged_values_to_side_outputs():
    """An (OutputTag, value) goes to that side output; a list of the two is an element."""
    tag = OutputTag("odd")
    harness = OperatorHarness(FlatMapOperator(lambda n: [(tag, n)] if n % 2 else [n, [tag, n]]), name="op")
    harness.process_elements([(1, 10), (2, 20)])
    assert harness.values() == [2, [tag, 2]]
    assert [tuple(record) for record in harness.side_output(tag)] == [(1, 10)]


def test_an_error_inside_a_generator_names_the_element():
    """A generator fails while it is read; the error still names its element."""

    def fail(value):
        yield 1 / value

    with pytest.raises(UserFunctionError, match="ZeroDivisionError") as raised:
        records(FlatMapOperator(fail), [(1, 1), (0, 1)])
    assert raised.value.element == "0"


@pytest.mark.parametrize(("fields", "expected"), [((1,), (2,)), ((2, 0), (3, 1))])
def test_project_gives_tuples(fields, expected):
    """Project gives a tuple of the fields asked for, also of a single one."""
    assert records(ProjectOperator(fields), [((1, 2, 3), 7)]) == [(expected, 7)]


def test_function_objects_use_the_state_of_each_elements_key():
    """On a keyed stream a map or flat_map object sees the state of the element's own key."""
    from windrow.common import Types
    from windrow.datastream.state import ValueStateDescriptor

    class Count(MapFunction):
        def open(self, runtime_context):
            self.state = runtime_context.get_state(ValueStateDescriptor("n", Types.INT()))

        def map(self, value):
            self.state.update((self.state.value() or 0) + 1)
            return value, self.state.value()

    class Counts(FlatMapFunction):
        def open(self, runtime_context):
            self.count = Count()
            self.count.open(runtime_context)

        def flat_map(self, value):
            yield self.count.map(value)

    for operator in (MapOperator(Count()), FlatMapOperator(Counts())):
        elements = [("a", 1), ("b", 1), ("a", 1)]
        assert [value for value, _ in records(operator, elements, lambda v: v)] == [("a", 1), ("b", 1), ("a", 2)]


def test_open_and_close_reach_the_function_and_an_error_in_open_names_the_operator():
    """Function objects are opened once and closed once; a failing open names the operator."""
    calls = []

    class Recorded(MapFunction):
        def open(self, runtime_context):
            calls.append(runtime_context.get_task_name())

        def close(self):
            calls.append("closed")

        def map(self, value):
            return value

    class Broken(Recorded):
        def open(self, runtime_context):
            raise OSError("no connection")

    harness = OperatorHarness(MapOperator(Recorded()), name="op")
    harness.close()
    assert calls == ["op", "closed"]
    with pytest.raises(UserFunctionError, match=r"no connection.*\n.*'op'.*open was called"):
        OperatorHarness(MapOperator(Broken()), name="op")
