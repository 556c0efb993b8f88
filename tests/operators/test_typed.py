from functools import partial

import pytest

from windrow.common import Row, Types
from windrow.datastream import OutputTag
from windrow.datastream.functions import CoMapFunction
from windrow.errors import TypeConversionError
from windrow.operators.base import Operator, TwoInputOperator
from windrow.operators.co_simple import CoMapOperator
from windrow.operators.simple import FlatMapOperator, MapOperator
from windrow.operators.typed import TypedOperator, all_fit
from windrow.testing.harness import OperatorHarness

NAMED = Types.ROW_NAMED(["word", "n"], [Types.STRING(), Types.INT()])
PAIR = Types.TUPLE([Types.STRING(), Types.DOUBLE()])


def run(operator, values):
    harness = OperatorHarness(operator, name="op")
    harness.process_elements([(value, 1) for value in values])
    return harness


def test_results_become_the_declared_type():
    """Tuples emitted where a named row is declared can be addressed by name; ints become floats, lists tuples."""
    values = run(TypedOperator(MapOperator(lambda v: v), NAMED), [("a", 1), {"n": 2, "word": "b"}]).values()
    assert values == [Row(word="a", n=1), Row(word="b", n=2)]
    assert run(TypedOperator(MapOperator(lambda v: v), PAIR), [["a", 1]]).values() == [("a", 1.0)]


@pytest.mark.parametrize("operator", [MapOperator(lambda v: v), FlatMapOperator(lambda v: [v])])
def test_a_result_that_does_not_fit_names_the_operator(operator):
    """An element of another type than declared ends the job with operator, field and value."""
    with pytest.raises(TypeConversionError, match=r"'op'.*field n.*'x'"):
        run(TypedOperator(operator, NAMED), [("a", "x")])


def test_side_outputs_are_left_alone():
    """The declared type is that of the main output."""
    tag = OutputTag("side")
    harness = run(TypedOperator(FlatMapOperator(lambda v: [(tag, v)]), Types.INT()), ["text"])
    assert [record.value for record in harness.side_output(tag)] == ["text"]


@pytest.mark.parametrize(
    ("declared", "fitting", "others"),
    [
        (Types.INT(), [1, -5], [2**31, True, 1.0, None]),
        (Types.LONG(), [2**63 - 1], [2**63]),
        (Types.BYTE(), [127, -128], [128]),
        (Types.STRING(), ["a", None], [1]),
        (Types.DOUBLE(), [1.5], [1]),
        (Types.BOOLEAN(), [True], [1, None]),
        (Types.FLOAT(), [], [0.1]),
        (PAIR, [("a", 1.0), (None, 2.0)], [("a", 1), ["a", 1.0], ("a",), None]),
        (NAMED, [], [Row(word="a", n=1)]),
        (Types.PICKLED_BYTE_ARRAY(), [object()], []),
    ],
)
def test_all_fit_is_true_only_where_conversion_changes_nothing(declared, fitting, others):
    """Where all_fit is true, converting gives the same values; anything else is converted one by one."""
    assert all_fit(declared, fitting)
    assert list(map(declared.to_internal_type, fitting)) == fitting
    for other in others:
        assert not all_fit(declared, [*fitting, other])


def test_time_and_state_reach_the_operator_inside():
    """Everything a runtime calls reaches the operator that is wrapped."""
    from windrow.operators.ingestion_time import IngestionTimeOperator

    make = partial(TypedOperator, IngestionTimeOperator(), Types.INT())
    harness = OperatorHarness(make)
    assert harness._operator.forwards_time is False
    harness.set_processing_time(50)
    harness.process_element(1)
    assert (
        harness.snapshot() != OperatorHarness(partial(TypedOperator, IngestionTimeOperator(), Types.INT())).snapshot()
    )
    assert [tuple(record) for record in harness.records()] == [(1, 50)]


class Same(CoMapFunction):
    def map1(self, value):
        return value

    def map2(self, value):
        return value


def test_it_does_all_that_its_operator_does():
    """Nothing that an operator may be asked is answered by the base in its place."""
    made = TypedOperator(CoMapOperator(Same()), Types.INT())
    asked = {name for kind in (Operator, TwoInputOperator) for name in vars(kind) if not name.startswith("_")}
    own = {*vars(made), *vars(TypedOperator)}
    assert sorted(asked - own) == ["redistribution", "why_rows"]
