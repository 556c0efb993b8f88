"""What was counted, from many parts."""

from collections import Counter

import pytest

from windrow.common.accumulators import IntCounter, IntMaximum, ListAccumulator
from windrow.elements.codec import dumps, loads
from windrow.errors import UsageError, UserFunctionError
from windrow.metrics import DistributionSummary
from windrow.runtime.stage.totals import AccumulatorTotal, SplitCounts, Totals, merge_metrics


def part(number, operator="one"):
    """A part with something of everything."""
    return Totals(
        {"tag": Counter({"dropped": number})},
        {"n": AccumulatorTotal(IntCounter(number), operator)},
        {"tag": {"n": number, "spread": DistributionSummary(1, number, number, number), "g": {number: number * 10}}},
    )


def test_parts_are_merged():
    """Counters and accumulators are added up, metrics by their kinds."""
    totals = Totals()
    for number in (1, 2):
        totals.merge(part(number))
    assert totals.counters == {"tag": {"dropped": 3}}
    assert totals.accumulator_results() == {"n": 3}
    assert totals.metrics == {"tag": {"n": 3, "spread": DistributionSummary(2, 3, 1, 2), "g": {1: 10, 2: 20}}}


def test_merged_leaves_the_first_as_it_was():
    """Another thread may be reading it; the copy shares nothing with it."""
    first = part(1)
    both = first.merged(part(2))
    assert (first.accumulator_results(), both.accumulator_results()) == ({"n": 1}, {"n": 3})
    assert (first.counters, first.metrics) == (part(1).counters, part(1).metrics)
    assert both.counters == {"tag": {"dropped": 3}}


def test_nothing_counted_is_nothing():
    """An accumulator without a value is something: the result lists it."""
    assert not Totals()
    assert Totals(accumulators={"n": AccumulatorTotal(IntCounter(), "one")})
    assert Totals(metrics={"tag": {"n": 0}})


def test_one_name_of_two_types_is_an_error():
    """It names the accumulator, both types and both operators."""
    totals = part(1)
    with pytest.raises(UsageError, match="'n' is of type IntCounter in operator 'one' and of type IntMaximum in "):
        totals.merge(Totals(accumulators={"n": AccumulatorTotal(IntMaximum(1), "other")}))


def test_a_class_is_known_by_its_name():
    """After a restart a class of the main program is another object."""

    def made():
        return type("Mine", (ListAccumulator,), {"__module__": "__main__", "merge": lambda *_: None})()

    totals = Totals(accumulators={"n": AccumulatorTotal(made(), "one")})
    totals.merge(Totals(accumulators={"n": AccumulatorTotal(made(), "one")}))
    assert totals.accumulator_results() == {"n": []}


def test_a_merge_that_fails_names_operator_and_accumulator():
    """As any function of the user."""
    totals = part(2**31 - 1)
    with pytest.raises(UserFunctionError, match="OverflowError") as raised:
        totals.merge(part(1, "other"))
    assert raised.value.operator == "other"
    assert "accumulator 'n'" in raised.value.element


def test_a_metric_of_another_kind_takes_the_place_of_the_first():
    """Within one operator a function that does so says that it no longer means the other one."""
    metrics = {"n": 5}
    merge_metrics(metrics, {"n": {0: 7}})
    assert metrics == {"n": {0: 7}}


def test_totals_are_pickled():
    """On their way from workers, and beside the checkpoint."""
    arrived = loads(dumps(part(3)))
    assert arrived.accumulator_results() == {"n": 3}
    assert (arrived.counters, arrived.metrics) == (part(3).counters, part(3).metrics)


def test_a_split_that_is_gone_is_counted_no_more():
    """What a source of very many files counts does not grow with them; other subtasks keep theirs."""
    total = SplitCounts({0: Counter(a=3, b=1), 1: Counter(z=9)}, {0: frozenset("ab"), 1: frozenset("z")})
    total = total.merged(SplitCounts({0: Counter(c=2)}, {0: frozenset("bc")}))
    assert total.counted == {0: Counter(b=1, c=2), 1: Counter(z=9)}
    total = total.merged(SplitCounts({0: Counter(c=2)}))  # in the middle of a batch
    assert total.counted[0] == Counter(b=1, c=4)
    total = total.merged(SplitCounts({0: Counter(c=1)}, {0: frozenset("b")}))  # it has ended with its last record
    assert total.by_split() == Counter(b=1, c=5, z=9)


def test_counts_of_splits_are_kept_over_batches_as_far_as_splits_are_there():
    """A thousand files one after the other leave the counts of the last one."""
    totals = Totals()
    for number in range(1000):
        counted = SplitCounts({0: Counter({str(number): 5})}, {0: frozenset()})
        totals.merge(Totals(measured={"files": {"num_records_by_split": counted}}))
    assert totals.measured["files"]["num_records_by_split"].by_split() == Counter({"999": 5})


def test_a_tuple_is_replaced_as_a_whole():
    """A task's channels are all of them: fewer ones leave none behind."""
    metrics = {"channels": ((1, True, True), (2, True, True))}
    merge_metrics(metrics, {"channels": ((3, True, True),)})
    assert metrics == {"channels": ((3, True, True),)}
