"""What the operators of a job count and how long they work, for those who look at it."""

from __future__ import annotations

import pytest

from windrow.connectors.discarding import DiscardingSink
from windrow.datastream import KeyedProcessFunction, ProcessFunction, StreamExecutionEnvironment
from windrow.datastream.output_tag import OutputTag
from windrow.operators.process import KeyedProcessOperator
from windrow.runtime.local.executor import LocalExecutor
from windrow.runtime.monitor.measures import measures_of
from windrow.runtime.stage.task_metrics import (
    BUSY_NANOS_BY_SUBTASK,
    CHANNELS,
    RECORDS_IN_BY_SUBTASK,
    RECORDS_OUT_BY_SUBTASK,
)
from windrow.runtime.stage.totals import Totals

LATE = OutputTag("odd")


def split_odd(value):
    if value % 2:
        yield LATE, value
    else:
        yield value


class Remember(KeyedProcessFunction):
    """Sets a timer for each key."""

    def process_element(self, value, ctx):
        ctx.timer_service().register_event_time_timer(1000 + value)
        yield value


class Split(ProcessFunction):
    """Odd numbers go aside."""

    def process_element(self, value, ctx):
        yield from split_odd(value)


def monitored(*, look: bool = True, batch_size: int | None = None) -> tuple[list[str], Totals]:
    """Numbers through a chain with a side output and an exchange."""
    env = StreamExecutionEnvironment.create_local_environment(2)
    numbers = env.from_collection(range(100)).map(lambda x: x).name("numbers")
    even = numbers.process(Split()).name("split")
    even.key_by(lambda x: x % 4).map(lambda x: x).name("keyed").sink_to(DiscardingSink()).name("even")
    even.get_side_output(LATE).sink_to(DiscardingSink()).name("odd")
    job = env._take_job("count")
    job.monitored = look
    with LocalExecutor(job, batch_size) as executor:
        while executor.run_batch():
            pass
    tags = [node.tag for node in job.nodes()] + [sink.tag for sink in job.sinks]
    return tags, executor.totals


@pytest.mark.parametrize("batch_size", [None, 7])
def test_every_operator_counts_what_comes_and_goes(batch_size):
    """Sources, operators in a chain and behind an exchange, side outputs, sinks; wherever batches are cut."""
    tags, totals = monitored(batch_size=batch_size)
    found = measures_of(totals)
    names = ["source", "numbers", "split", "keyed", "even", "odd"]
    in_order = sorted(tags, key=lambda tag: int(tag.split("-")[0]))
    by_name = {name: found[tag] for name, tag in zip(names, in_order, strict=True)}
    came = {name: sum(each.get("records_in", {}).values()) for name, each in by_name.items()}
    went = {name: sum(each.get("records_out", {}).values()) for name, each in by_name.items()}
    assert came == {"source": 0, "numbers": 100, "split": 100, "keyed": 50, "even": 50, "odd": 50}
    assert went == {"source": 100, "numbers": 100, "split": 100, "keyed": 50, "even": 0, "odd": 0}
    assert all(sum(by_name[name]["busy_nanos"].values()) > 0 for name in ("source", "numbers", "split", "keyed"))


def test_a_job_that_nobody_looks_at_measures_nothing():
    """There is not even a part of the chain that could."""
    for_lookers = {RECORDS_IN_BY_SUBTASK, RECORDS_OUT_BY_SUBTASK, BUSY_NANOS_BY_SUBTASK, CHANNELS}
    for look in (True, False):
        _, totals = monitored(look=look)
        names = {name for of in totals.measured.values() for name in of}
        assert names & for_lookers == (for_lookers if look else set())


def test_what_is_counted_does_not_depend_on_who_looks():
    """Accumulators, metrics and what was dropped are the same."""
    assert monitored(look=True)[1] == monitored(look=False)[1]


def test_what_is_stored_is_counted_behind_each_batch():
    """Keys, the next timer, and the bytes that were written; where nothing is stored nothing is said."""
    env = StreamExecutionEnvironment.create_local_environment(1)
    env.from_collection(range(20)).key_by(lambda x: x % 5).process(Remember()).sink_to(DiscardingSink())
    job = env._take_job("state")
    job.monitored = True
    with LocalExecutor(job, batch_size=10) as executor:
        executor.run_batch()
        (stored,) = [of for of in measures_of(executor.totals).values() if "state" in of]
    assert stored["state"] == {"0": [5, 0, 1000, None]}
    assert stored["state_bytes_written"]["0"] > 0


@pytest.mark.parametrize(("look", "asked"), [(True, 9), (False, 0)])
def test_an_operator_is_asked_once_per_batch_what_it_waits_for(monkeypatch, look, asked):
    """Where nobody looks it is never asked."""
    calls = []
    waiting = KeyedProcessOperator.waiting
    monkeypatch.setattr(KeyedProcessOperator, "waiting", lambda operator: calls.append(1) or waiting(operator))
    env = StreamExecutionEnvironment.create_local_environment(1)
    env.from_collection(range(100)).key_by(lambda x: x % 4).process(Remember()).sink_to(DiscardingSink())
    job = env._take_job("timers")
    job.monitored = look
    with LocalExecutor(job, 10) as executor:
        for _ in range(9):  # the tenth one ends the input, and timers fire
            executor.run_batch()
        totals = executor.totals
    assert len(calls) == asked
    found = [measures["waiting"] for measures in measures_of(totals).values() if "waiting" in measures]
    assert found == ([{"0": [1000, None, None]}] if look else [])
