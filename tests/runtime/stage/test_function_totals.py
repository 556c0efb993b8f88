"""What one operator counts."""

from collections import Counter

import pytest

from windrow.errors import UserFunctionError
from windrow.graph.job_graph import Node
from windrow.operators.runtime_context import OperatorRuntimeContext
from windrow.runtime.stage.function_totals import FunctionTotals
from windrow.runtime.stage.totals import Totals


@pytest.fixture
def context():
    return OperatorRuntimeContext("name", parallelism=3, subtask_index=2)


@pytest.fixture
def counters():
    return Counter()


@pytest.fixture
def totals(context, counters):
    return FunctionTotals(Node("tag", "name", None, 1, 3, 1), context, counters)


def count(context, counters, number):
    counters["dropped"] += number
    context.get_int_counter("n").add(number)
    context.get_metrics_group().counter("metric").inc(number)


def shown(part):
    return part.counters, part.accumulator_results(), part.metrics


def test_a_part_is_what_was_counted_since_the_last(totals, context, counters):
    """Reading it changes nothing, settling begins the next one."""
    assert totals.part() == Totals()
    for number in (2, 3):
        count(context, counters, number)
        expected = {"tag": {"dropped": number}}, {"n": number}, {"tag": {"metric": number}}
        assert shown(totals.part()) == shown(totals.part()) == expected
        totals.settle()
    assert shown(totals.part()) == ({}, {"n": 0}, {"tag": {"metric": 0}})


def test_what_a_failed_run_has_counted_can_be_discarded(totals, context, counters):
    """What was settled before it stays settled."""
    count(context, counters, 2)
    totals.settle()
    count(context, counters, 3)
    totals.discard()
    assert shown(totals.part()) == ({}, {"n": 0}, {"tag": {"metric": 0}})
    assert context.get_metrics_group().counter("metric").get_count() == 2


def test_an_accumulator_says_which_operator_it_is_of(totals, context, counters):
    """For the error of two types under one name."""
    count(context, counters, 1)
    assert totals.part().accumulators["n"].operator == "name"


def test_gauges_are_read_by_subtask(totals, context):
    """Unless they are not to be read; one that fails is named."""
    values = [7]
    context.get_metrics_group().gauge("g", lambda: values[0])
    assert totals.part().metrics == {"tag": {"g": {2: 7}}}
    assert totals.part(gauges=False).metrics == {}
    values.clear()
    with pytest.raises(UserFunctionError, match="IndexError") as raised:
        totals.part()
    assert "gauge 'g'" in raised.value.element
