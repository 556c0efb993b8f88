import pytest
from hypothesis import given
from hypothesis import strategies as st

from windrow.common.limits import LONG_MAX, MAX_WATERMARK
from windrow.datastream.functions import FoldFunction, ReduceFunction
from windrow.datastream.state import ValueStateDescriptor
from windrow.errors import UsageError, UserFunctionError
from windrow.operators.reduce import BatchFoldOperator, BatchReduceOperator, FoldOperator, ReduceOperator
from windrow.testing.harness import OperatorHarness

ELEMENTS = [(("a", 1), 10), (("b", 5), 20), (("a", 2), 30)]


def add(left, right):
    return left[0], left[1] + right[1]


def harness_of(operator, **options):
    return OperatorHarness(operator, key_selector=lambda value: value[0], **options)


def test_streaming_reduce_emits_each_result_so_far():
    """In streaming each element gives its key's result so far, with the element's timestamp."""
    harness = harness_of(ReduceOperator(add))
    harness.process_elements(ELEMENTS)
    assert [tuple(record) for record in harness.records()] == [(("a", 1), 10), (("b", 5), 20), (("a", 3), 30)]


def test_batch_reduce_emits_each_key_once_at_the_end():
    """In batch each key's last result comes with the last watermark, in the order of the keys' first elements."""
    harness = harness_of(BatchReduceOperator(add))
    harness.process_elements(ELEMENTS)
    assert harness.records() == []
    harness.process_watermark(MAX_WATERMARK)
    assert [tuple(record) for record in harness.records()] == [(("a", 3), LONG_MAX), (("b", 5), LONG_MAX)]


@pytest.mark.parametrize("operator", [ReduceOperator, BatchReduceOperator])
def test_results_survive_a_restore(operator):
    """A reduce goes on from its stored results: Flink's Java reduce does, PyFlink's loses them."""
    harness = harness_of(operator(add))
    harness.process_elements(ELEMENTS)
    restored = harness_of(operator(add), snapshot=harness.snapshot())
    restored.process_element(("a", 4), 40)
    restored.process_watermark(MAX_WATERMARK)
    assert ("a", 7) in restored.values()


def test_a_reduce_may_change_its_first_argument():
    """What was emitted before stays as it was; in Flink it is written out by then."""

    def add_in_place(left, right):
        left[1] += right[1]
        return left

    harness = OperatorHarness(ReduceOperator(add_in_place), key_selector=lambda value: value[0])
    harness.process_elements([(["a", 1], 10), (["a", 2], 20)])
    assert [record.value for record in harness.records()] == [["a", 1], ["a", 3]]


def test_a_result_of_none_is_none():
    """After a result of None the next element starts anew, as in Flink's value state."""
    harness = OperatorHarness(ReduceOperator(lambda a, b: None), key_selector=lambda value: 0)
    harness.process_elements([(1, 0), (2, 0), (3, 0)])
    assert harness.values() == [1, None, 3]


def test_an_error_names_the_element():
    """An error in the reduce function names the element that was added."""
    with pytest.raises(UserFunctionError) as raised:
        harness_of(ReduceOperator(add)).process_elements([*ELEMENTS, (("b",), 40)])
    assert raised.value.element == "('b',)"


def test_reduce_needs_keys():
    """A reduce on a stream without keys is refused."""
    with pytest.raises(UsageError, match="key_by"):
        OperatorHarness(ReduceOperator(add)).process_element(("a", 1), 1)


class Gathered(FoldFunction):
    """Changes the value so far, and what is in it."""

    def fold(self, accumulator, value):
        accumulator.setdefault(value[0], []).append(value[1])
        return accumulator


def test_fold_emits_each_value_so_far():
    """Each key begins with a copy of the initial value; what was emitted does not change any more."""
    initial = {}
    harness = harness_of(FoldOperator(Gathered(), initial))
    harness.process_elements(ELEMENTS)
    assert [tuple(record) for record in harness.records()] == [({"a": [1]}, 10), ({"b": [5]}, 20), ({"a": [1, 2]}, 30)]
    assert initial == {}


def test_batch_fold_emits_each_key_once_at_the_end():
    """In batch each key's last value comes with the last watermark."""
    harness = harness_of(BatchFoldOperator(lambda text, value: text + str(value[1]), ">"))
    harness.process_elements(ELEMENTS)
    harness.process_watermark(MAX_WATERMARK)
    assert [tuple(record) for record in harness.records()] == [(">12", LONG_MAX), (">5", LONG_MAX)]


def test_fold_survives_a_restore():
    """A fold goes on from its stored values, and takes the initial value for new keys only."""
    harness = harness_of(FoldOperator(Gathered(), {}))
    harness.process_elements(ELEMENTS)
    restored = harness_of(FoldOperator(Gathered(), {"new": [0]}), snapshot=harness.snapshot())
    restored.process_elements([(("a", 3), 40), (("c", 1), 50)])
    assert restored.values() == [{"a": [1, 2, 3]}, {"new": [0], "c": [1]}]


def test_a_fold_to_none_starts_anew():
    """As in Flink's value state, None is no value."""
    harness = harness_of(FoldOperator(lambda total, value: None if value[1] == 5 else total + value[1], 100))
    harness.process_elements([(("a", 1), 0), (("a", 5), 0), (("a", 2), 0)])
    assert harness.values() == [101, None, 102]


def test_an_error_in_a_fold_names_the_element():
    """Also where it is the key's first."""
    with pytest.raises(UserFunctionError) as raised:
        harness_of(FoldOperator(lambda total, value: total + value[1], "text")).process_elements(ELEMENTS)
    assert raised.value.element == "('a', 1)"


@given(
    steps=st.lists(st.one_of(st.tuples(st.sampled_from("abc"), st.integers(0, 9)), st.just("store"), st.just("cut")))
)
def test_results_are_those_of_a_loop_over_the_elements(steps):
    """However batches are cut and wherever state is stored, also if a result changes in place or is None."""

    def reduce(left, right):
        left[1].append(right[1][0])
        return None if right[1][0] == 7 else left

    harness = OperatorHarness(ReduceOperator(reduce), key_selector=lambda value: value[0])
    expected, so_far, batch = [], {}, []
    for step in [*steps, "cut"]:
        if isinstance(step, tuple):
            key, number = step
            held = so_far.get(key)
            so_far[key] = [number] if held is None else None if number == 7 else [*held, number]
            expected.append(None if so_far[key] is None else (key, so_far[key]))
            batch.append(((key, [number]), 0))
        else:
            harness.process_elements(batch)
            batch = []
            if step == "store":
                harness.snapshot()
    assert harness.values() == expected


@pytest.mark.parametrize("operator", [ReduceOperator, BatchReduceOperator])
def test_a_function_that_may_use_state_has_its_element_s_key(operator):
    """It has an ``open``, where it can ask for keyed state."""

    class Counting(ReduceFunction):
        def open(self, runtime_context):
            self.count = runtime_context.get_state(ValueStateDescriptor("count"))

        def reduce(self, value1, value2):
            self.count.update((self.count.value() or 1) + 1)
            return value2[0], self.count.value()

    harness = harness_of(operator(Counting()))
    harness.process_elements([((key, 0), 0) for key in "abab"])
    harness.process_element(("a", 0), 0)
    harness.process_watermark(MAX_WATERMARK)
    assert harness.values()[-2:] == [("b", 2), ("a", 3)] or harness.values() == [("a", 3), ("b", 2)]
