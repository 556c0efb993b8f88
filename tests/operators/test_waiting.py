"""What operators say that they wait for event time with."""

from __future__ import annotations

from windrow.common.typeinfo import Types
from windrow.datastream import KeyedProcessFunction
from windrow.operators.process import KeyedProcessOperator
from windrow.operators.simple import MapOperator
from windrow.operators.table.keep_first import KeepFirstOperator
from windrow.operators.table.over import OverOperator
from windrow.operators.typed import TypedOperator
from windrow.operators.waiting import Waiting
from windrow.testing import OperatorHarness


class Remember(KeyedProcessFunction):
    """Sets a timer for each element, seven milliseconds on."""

    def process_element(self, value, ctx):
        ctx.timer_service().register_event_time_timer(ctx.timestamp() + 7)

    def on_timer(self, timestamp, ctx):
        yield ctx.get_current_key()


def test_the_earliest_timer_of_any_key_is_waited_for():
    """Whoever has set it; it fires when the watermark has reached it."""
    harness = OperatorHarness(KeyedProcessOperator(Remember()), key_selector=lambda value: value)
    assert harness._operator.waiting() is None
    harness.process_elements([("b", 20), ("a", 10)])
    assert harness._operator.waiting() == Waiting(17)
    harness.process_watermark(17)
    assert harness._operator.waiting() == Waiting(27)


def test_an_operator_with_a_declared_type_waits_as_it_does_without():
    """The conversion of results has no time."""
    harness = OperatorHarness(TypedOperator(KeyedProcessOperator(Remember()), Types.STRING()), key_selector=str)
    harness.process_elements([("a", 10)])
    assert harness._operator.waiting() == Waiting(17)


def test_rows_that_wait_for_their_turn_are_waited_for():
    """Of SQL's OVER, and of the first row of each key."""
    for operator in (OverOperator([], by_rows=False, preceding=None), KeepFirstOperator()):
        harness = OperatorHarness(operator, key_selector=lambda row: row[0])
        harness.process_elements([(("a", 1), 20), (("b", 1), 10)])
        assert harness._operator.waiting() == Waiting(10)


def test_most_operators_wait_for_nothing():
    """What comes goes on at once."""
    assert MapOperator(str).waiting() is None
