"""A spec as a script for the harness of an operator on two inputs: what it gives after each step."""

from collections import Counter

from tests.differential.jobs import Pair
from tests.differential.keyed_functions import KeyedCo
from windrow.operators.co_process import KeyedCoProcessOperator
from windrow.operators.interval_join import Interval, IntervalJoinOperator
from windrow.testing import Record, TwoInputOperatorHarness

_SIDES = ("late-left", "late-right", "side")


def run_script(spec):
    """Rows of output, timestamp and element; outputs are numbered by step."""
    harness = TwoInputOperatorHarness(_operator(spec["stage"]), lambda value: value[0], lambda value: value[0])
    rows, taken = [], Counter()

    def take(step):
        for item in harness.take_output():
            if isinstance(item, Record):
                rows.append([f"step{step:03}.main", item.timestamp, *item.value])
            else:
                rows.append([f"step{step:03}.watermark", item.watermark, "", 0, 0, ""])
        for side in _SIDES:
            records = harness.side_output(side)
            rows.extend([f"step{step:03}.{side}", each.timestamp, *each.value] for each in records[taken[side] :])
            taken[side] = len(records)

    for step, (second, what, *given) in enumerate(spec["script"]):
        if what == "w":
            (harness.process_watermark2 if second else harness.process_watermark1)(given[0])
        else:
            (harness.process_element2 if second else harness.process_element1)(tuple(given), given[1])
        take(step)
    harness.end_of_input()
    take(len(spec["script"]))
    return rows


def _operator(spec):
    if spec["op"] != "interval_join":
        return KeyedCoProcessOperator(KeyedCo(spec, ""))
    interval = Interval.of(
        spec["lower"],
        spec["upper"],
        lower_inclusive=not spec["lower_exclusive"],
        upper_inclusive=not spec["upper_exclusive"],
    )
    left, right = ("late-left" if spec["left_tag"] else None), ("late-right" if spec["right_tag"] else None)
    return IntervalJoinOperator(Pair(), interval, left, right)
