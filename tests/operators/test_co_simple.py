import pytest

from tests.operators.two_input_harness import TwoInputHarness
from windrow.common import Types
from windrow.common.limits import NO_TIMESTAMP
from windrow.datastream import CoFlatMapFunction, CoMapFunction, OutputTag
from windrow.datastream.state import ValueStateDescriptor
from windrow.errors import TypeConversionError, UserFunctionError
from windrow.operators.co_simple import CoFlatMapOperator, CoMapOperator, KeyedCoFlatMapOperator, KeyedCoMapOperator
from windrow.operators.typed import TypedOperator

SIDE = OutputTag("side")


class Signs(CoMapFunction):
    def map1(self, value):
        return 1 // value and value

    def map2(self, value):
        return None if value is None else -value


class Spread(CoFlatMapFunction):
    def flat_map1(self, value):
        return range(value)

    def flat_map2(self, value):
        if value is None:
            return None
        return [(SIDE, value), value]


class Lifecycle(CoMapFunction):
    def open(self, runtime_context):
        self.calls = ["open"]

    def close(self):
        self.calls.append("close")

    def map1(self, value):
        return self.calls

    map2 = map1


class Swap(CoMapFunction, CoFlatMapFunction):
    """Gives what came before on either input of the key."""

    def open(self, runtime_context):
        self.last = runtime_context.get_state(ValueStateDescriptor("last"))

    def map1(self, value):
        before = self.last.value()
        self.last.update(value)
        return before

    def flat_map1(self, value):
        return [self.map1(value)]

    map2, flat_map2 = map1, flat_map1


def records(harness):
    return [tuple(record) for record in harness.records()]


def test_each_input_has_its_method_and_elements_keep_their_timestamps():
    """map1 sees the first input, map2 the second; results have the element's timestamp."""
    harness = TwoInputHarness(CoMapOperator(Signs()))
    harness.process_element1(1, 10)
    harness.process_element2(1, 5)
    harness.process_element2(2)
    assert records(harness) == [(1, 10), (-1, 5), (-2, NO_TIMESTAMP)]


def test_none_is_no_element():
    """What a CoMapFunction returns as None is dropped, as PyFlink does; other false values are not."""
    harness = TwoInputHarness(CoMapOperator(Signs()))
    harness.process_element2(None)
    harness.process_element2(0)
    assert harness.values() == [0]


def test_flat_map_gives_any_number_and_side_outputs():
    """Results of an iterable go out one by one, tagged ones to their side output, None is nothing."""
    harness = TwoInputHarness(CoFlatMapOperator(Spread()))
    harness.process_element1(2, 10)
    harness.process_element2(None, 11)
    harness.process_element2("x", 12)
    assert records(harness) == [(0, 10), (1, 10), ("x", 12)]
    assert [tuple(record) for record in harness.side_output(SIDE)] == [("x", 12)]


@pytest.mark.parametrize(("operator", "function"), [(CoMapOperator, Signs), (CoFlatMapOperator, Spread)])
def test_errors_name_operator_and_element(operator, function):
    """What the user's function raises is shown with where and on what."""
    with pytest.raises(UserFunctionError) as raised:
        TwoInputHarness(operator(function()), name="op").process_element1("v")
    assert (raised.value.operator, raised.value.element) == ("op", "'v'")


def test_functions_are_opened_and_closed():
    """open is called once before the first element, close at the end."""
    function = Lifecycle()
    harness = TwoInputHarness(CoMapOperator(function))
    harness.process_element1(1)
    harness.close()
    assert function.calls == ["open", "close"]


@pytest.mark.parametrize("operator", [KeyedCoMapOperator, KeyedCoFlatMapOperator])
def test_on_keyed_streams_both_inputs_share_the_state_of_a_key(operator):
    """What one method stores of a key, the other one sees, and of no other key."""
    harness = TwoInputHarness(operator(Swap()), key1=abs, key2=abs)
    for value in (1, -1, 2):
        harness.process_element1(value)
    harness.process_element2(-1)
    harness.process_element2(-2)
    assert [value for value in harness.values() if value] == [1, -1, 2]


@pytest.mark.parametrize("operator", [CoMapOperator, CoFlatMapOperator])
def test_without_keys_there_is_no_keyed_state(operator):
    """Asking for keyed state fails in open, also if one of the inputs has keys."""
    with pytest.raises(UserFunctionError, match="needs a keyed stream"):
        TwoInputHarness(operator(Swap()), key1=abs)


def test_results_of_either_input_are_converted():
    """A declared type holds for what both methods return."""
    harness = TwoInputHarness(TypedOperator(CoMapOperator(Signs()), Types.ROW([Types.INT()])))
    with pytest.raises(TypeConversionError, match="another type than declared"):
        harness.process_element2(2)
