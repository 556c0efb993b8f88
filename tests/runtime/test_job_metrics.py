"""Counts and measures of a job, as results and clients show them."""

import time

import pytest

from tests.runtime.sources.scripted import Script, ScriptedSource
from windrow.common import Time, WatermarkStrategy
from windrow.connectors.discarding import DiscardingSink
from windrow.datastream import AggregateFunction
from windrow.datastream.window import TumblingEventTimeWindows
from windrow.runtime.job_metrics import system_metrics
from windrow.runtime.stage.totals import Totals


class Count(AggregateFunction):
    def create_accumulator(self):
        return 0

    def add(self, value, accumulator):
        return accumulator + 1

    def get_result(self, accumulator):
        return accumulator

    def merge(self, one, other):
        return one + other


def test_watermarks_lag_skew_and_counts_are_there_while_the_job_runs(env):
    """Of a source without end: by split, by subtask and by operator, and what was dropped as late."""
    early = Script("early", [(number, number * 100) for number in range(50)], ends=False)
    late = Script("late", [(number, number * 10) for number in [*range(50), 0, 1]], ends=False)
    source = ScriptedSource([early, late], is_bounded=False)
    times = WatermarkStrategy.for_monotonous_timestamps()
    stream = env.from_source(source, times, "numbers").key_by(lambda number: number % 2)
    stream.window(TumblingEventTimeWindows.of(Time.milliseconds(50))).aggregate(Count()).name("counts").sink_to(
        DiscardingSink()
    )
    client = env.execute_async()
    try:
        shown = eventually(client, lambda shown: shown.get("counts.num_records_in") == 102)
    finally:
        client.cancel().result()
    splits = {"early": 4899, "late": 489}
    assert shown["Source: numbers.current_watermark_by_split"] == splits
    assert shown["Source: numbers.watermark_skew"] == 4899 - 489
    assert set(shown["Source: numbers.watermark_lag_by_split"]) == set(splits)
    assert shown["Source: numbers.current_output_watermark"] == {0: 4899, 1: 489}
    assert set(shown["counts.current_input_watermark"].values()) == {489}
    assert shown["counts.current_output_watermark"] == shown["counts.current_input_watermark"]
    lag = shown["counts.watermark_lag"][0]
    assert 0 < time.time() * 1000 - 489 - lag < 600_000
    assert shown["counts.num_records_in"] == 102


def eventually(client, condition):
    """The metrics as soon as they meet the condition, or after a minute."""
    for _ in range(600):
        shown = client.get_metrics().result()
        if condition(shown):
            break
        time.sleep(0.1)
    return shown


class Node:
    def __init__(self, tag, name):
        self.tag, self.name = tag, name


class Job:
    def __init__(self, *nodes):
        self._nodes = nodes

    def nodes(self):
        return iter(self._nodes)


def test_what_was_dropped_is_shown_by_its_name():
    """Operators count it under Flink's names."""
    totals = Totals()
    totals.counters["tag"] = {"num_late_records_dropped": 3}
    assert system_metrics(Job(Node("tag", "windows")), totals, 0) == {"windows.num_late_records_dropped": 3}


def test_operators_of_one_name_are_told_apart():
    """Their tags stand beside the name."""
    totals = Totals(measured={"1": {"num_records_in": 4}, "2": {"num_records_in": 5}})
    shown = system_metrics(Job(Node("1", "map"), Node("2", "map")), totals, 0)
    assert shown == {"map (1).num_records_in": 4, "map (2).num_records_in": 5}


@pytest.mark.parametrize("watermark", [-(2**63), 2**63 - 1])
def test_no_watermark_and_the_last_one_are_behind_nothing(watermark):
    """The watermark is shown, and no lag."""
    totals = Totals(measured={"1": {"current_input_watermark": {0: watermark}}})
    assert system_metrics(Job(Node("1", "map")), totals, 5) == {"map.current_input_watermark": {0: watermark}}


def test_a_sources_channels_are_counted_once_for_each_operator(env):
    """Counters of all subtasks of an operator, and of operators of one name, are added up."""
    from windrow.common import WatermarkStrategy
    from windrow.common.watermark import Watermark
    from windrow.common.watermark_strategy import WatermarkGenerator

    class AtTheEnd(WatermarkGenerator):
        def on_event(self, event, event_timestamp, output):
            output.emit_watermark(Watermark(1_000))

        def on_periodic_emit(self, output):
            pass

    strategy = WatermarkStrategy.for_generator(AtTheEnd).with_timestamp_assigner(lambda value, _: value)
    stream = env.from_collection(range(10)).assign_timestamps_and_watermarks(strategy).key_by(lambda n: n)
    for _ in range(2):
        stream.time_window(100).sum().name("sums").print()
    assert env.execute().get_dropped() == {"sums": 18}
