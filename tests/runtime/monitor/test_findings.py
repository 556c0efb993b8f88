"""Sentences that say why there is no result yet."""

from __future__ import annotations

from typing import Any

import pytest

from tests.ui.records import NOON, batch, job_entry, link, of_splits, running, vertex, windowed
from windrow.runtime.monitor.findings import findings
from windrow.runtime.monitor.monitor import JobMonitor
from windrow.runtime.monitor.record import Entry
from windrow.runtime.stage.task_metrics import CHANNELS, SPLITS
from windrow.runtime.stage.totals import Totals

AT = NOON + 60_000
HELD_AT = NOON + 7_000
OPEN = {"0": [HELD_AT, True, True], "1": [AT, False, False]}


def said(job: Entry, *batches: Entry, now: int = AT) -> list[str]:
    return [finding.text for finding in findings(running(job, *batches), now)]


def splits(quiet_since: int | None, watermark: Any = HELD_AT, **others: list[Any]) -> Entry:
    """orders-3 is quiet since then, orders-0 has just had records."""
    last = {"orders-0": AT} | ({} if quiet_since is None else {"orders-3": quiet_since})
    channels = OPEN if watermark is not None else {"0": [None, True, True], "1": [AT, False, False]}
    measured = of_splits(
        {"orders-0": [AT, False, False], "orders-3": [watermark, False, False]} | others, last, channels
    )
    return batch(3, AT, measured)


HAD_NONE = "`orders-3` has had no records for 42 s"
CASES = {
    "a quiet split holds the others": (
        windowed(),
        splits(AT - 42_000),
        f"{HAD_NONE} and holds the watermark at 12:00:07: with_idleness would let the others go on",
    ),
    "it is about to be idle": (
        windowed(idle_timeout=60_000),
        splits(AT - 42_000),
        f"{HAD_NONE} and holds the watermark at 12:00:07: it counts as idle after 60 s without records",
    ),
    "it never had a record": (
        windowed(),
        splits(None, None),
        "`orders-3` has had no records since the job started, 60 s ago, so there is no watermark yet and `windows` "
        "waits: with_idleness would let the others go on",
    ),
    "the slowest split has records": (
        windowed(),
        splits(AT - 100),
        "`orders-3` is 53 s of event time behind and holds the watermark at 12:00:07: `windows` waits for the slowest; "
        "with_watermark_alignment keeps the others from running ahead",
    ),
    "it is the only one": (
        windowed(),
        batch(3, AT, of_splits({"orders-3": [HELD_AT, False, False]}, {"orders-3": AT - 42_000}, OPEN)),
        f"{HAD_NONE} and holds the watermark at 12:00:07: event time goes on with its next record",
    ),
    "a reader has no split": (
        windowed(),
        batch(
            3,
            AT,
            of_splits(
                {"orders-3": [AT, False, False]}, {"orders-3": AT}, {"0": [AT, True, True], "1": [None, True, True]}
            ),
        ),
        "`orders, subtask 1` has no split and so no watermark, and `windows` waits: with_idleness would let the others "
        "go on, and so would a parallelism no larger than the number of splits",
    ),
    "all splits are idle": (
        windowed(idle_timeout=10_000),
        batch(
            3,
            AT,
            of_splits({"orders-3": [HELD_AT, True, False]}, {"orders-3": AT - 42_000}, {"0": [HELD_AT, False, False]}),
        ),
        "all splits of `orders` are idle: the last ones came 42 s ago, and event time stands still until records come",
    ),
    "one is idle": (
        windowed(idle_timeout=10_000),
        splits(AT, AT, **{"orders-9": [HELD_AT, True, False]}),
        "`orders-9` is idle and holds nothing back",
    ),
    "alignment holds some": (
        windowed(),
        splits(AT, AT, **{"orders-9": [AT, False, True]}),
        "`orders-9` waits until the slowest split of the alignment group has caught up",
    ),
    "nothing gives the stream time": (
        windowed(makes_watermarks=False),
        batch(3, AT, {"windows": {"channels": {"0": [None, True, True]}, "records_in": {"0": 5}}}),
        "`windows` waits for event time, and `orders` has no watermarks: give it a WatermarkStrategy, in from_source "
        "or by assign_timestamps_and_watermarks",
    ),
    "late records": (
        windowed(),
        batch(3, AT, {"windows": {"records_in": {"0": 200}, "dropped": {"num_late_records_dropped": 5}}}),
        "`windows` has dropped 5 late records, 2.5% of what came: the watermark was past their windows; a larger "
        "out-of-orderness, allowed_lateness or side_output_late_data keeps them",
    ),
    "a batch query runs": (
        {**windowed(), "runtime": "spark"},
        batch(None, AT, {}, progress={"tasks_finished": 3, "tasks": 8, "stages_finished": 1, "stages": 3}),
        "3 of 8 tasks are over, in stage 2 of 3; what operators count is known when the batch is over",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_a_job_says_what_it_waits_for(name):
    """What is held, by whom, since when, and what to do."""
    job, last, sentence = CASES[name]
    assert said(job, last) == [sentence]


def test_a_job_that_goes_on_says_nothing():
    """Splits that have just had records, and are close to each other, are no news."""
    assert said(windowed(), splits(AT, AT - 500)) == []


def test_a_job_that_is_over_says_nothing():
    """Nothing is waited for any more."""
    record = running(windowed(), splits(AT - 42_000))
    record.add({"type": "state", "state": "FINISHED", "at": AT})
    assert findings(record, AT) == []


def test_a_job_that_starts_again_says_why():
    """The last failure, and how often there was one."""
    record = running(windowed())
    for _ in range(2):
        record.add({"type": "failure", "at": AT, "name": "ValueError", "message": "no number"})
    record.add({"type": "state", "state": "RESTARTING", "at": AT})
    assert [finding.text for finding in findings(record, AT)] == [
        "the job has failed (ValueError: no number), 2 times so far, and waits for its next start"
    ]


def test_the_split_is_found_over_several_levels():
    """Two windows, one behind the other, wait for one split: that is one sentence that names both."""
    second = vertex("daily", level=2, waits_for_time=True, inputs=[{"head": "windows", "channels": 1}])
    job = windowed()
    job["vertices"].append(second)
    job["links"].append(link("windows", "daily", "HASH"))
    measured = splits(None, None)
    measured["vertices"]["daily"] = {"channels": {"0": [None, True, True]}, "records_in": {"0": 0}}
    assert said(job, measured) == [
        "`orders-3` has had no records since the job started, 60 s ago, so there is no watermark yet and `windows` and "
        "`daily` wait: with_idleness would let the others go on"
    ]


def test_a_channel_without_splits_is_named_by_its_source():
    """A source whose parts are known has an operator behind it that makes the watermarks, for each channel."""
    source = vertex("numbers", "source", parallelism=2, makes_watermarks=False)
    time = vertex("time", makes_watermarks=True, parallelism=2)
    windows = vertex("windows", level=1, inputs=[{"head": "numbers", "channels": 2}])
    job = job_entry([source, time, windows], [link("numbers", "time"), link("time", "windows", "HASH")])
    measured = {
        "numbers": {"last": {"0": AT, "1": AT - 9_000}},
        "time": {"output_watermark": {"0": AT, "1": HELD_AT}},
        "windows": {"channels": {"0": [AT, True, True], "1": [HELD_AT, True, True]}},
    }
    assert said(job, batch(0, AT, measured)) == [
        "`numbers, channel 1` has had no records for 9 s and holds the watermark at 12:00:07: with_idleness would let "
        "the others go on"
    ]


def rebalanced() -> tuple[Entry, dict[str, Any]]:
    """A source without time, an exchange, and behind that the operator that makes watermarks, in two subtasks."""
    source = vertex("numbers", "source", makes_watermarks=False)
    time = vertex("time", level=1, makes_watermarks=True, parallelism=2, inputs=[{"head": "numbers", "channels": 1}])
    windows = vertex("windows", level=2, waits_for_time=True, inputs=[{"head": "time", "channels": 1}])
    links = [link("numbers", "time", "REBALANCE"), link("time", "windows", "HASH")]
    measured = {
        "numbers": {"last": {"0": AT}},
        "time": {
            "channels": {"0": [None, True, True]},
            "records_in": {"0": 5, "1": 5},
            "output_watermark": {"0": AT, "1": HELD_AT},
            "last": {"0": AT, "1": AT - 9_000},
        },
        "windows": {"channels": {"0": [HELD_AT, True, True]}, "records_in": {"0": 5}},
    }
    return job_entry([source, time, windows], links), measured


def test_an_exchange_in_front_of_the_watermarks_is_no_lack_of_them():
    """A stream gets its time where an operator gives it one, on whatever level; that one's subtasks hold it back."""
    job, measured = rebalanced()
    assert said(job, batch(0, AT, measured)) == [
        "`time, subtask 1` has had no records for 9 s and holds the watermark at 12:00:07: with_idleness would let the "
        "others go on"
    ]
    job["vertices"][1]["makes_watermarks"] = False
    (sentence,) = said(job, batch(0, AT, measured))
    assert sentence.startswith("`windows` waits for event time, and `numbers` has no watermarks")


@pytest.mark.timeout(20)
def test_a_job_whose_streams_part_and_meet_often_is_looked_through_once():
    """Thirty diamonds, one behind the other, have a thousand million paths."""
    vertices, links = [vertex("numbers", "source")], []
    measured: dict[str, Any] = {"numbers": {"last": {"0": AT - 9_000}}}
    for level in range(1, 31):
        before = [each["id"] for each in vertices if each["level"] == level - 1]
        for side in "ab":
            tag = f"{side}{level}"
            inputs = [{"head": each, "channels": 1} for each in before]
            vertices.append(vertex(tag, level=level, inputs=inputs))
            links += [link(each, tag, "HASH") for each in before]
            measured[tag] = {"channels": {str(n): [HELD_AT, True, True] for n in range(len(before))}}
    (sentence,) = said(job_entry(vertices, links), batch(0, AT, measured))
    assert sentence.startswith("`numbers` has had no records for 9 s and holds the watermark at 12:00:07")


def test_a_batch_that_takes_long_is_no_quiet_split():
    """What comes in it is known when it is over: until then all stand as the one before has left them."""
    job = windowed()
    assert said(job, splits(AT, AT), now=AT + 60_000) == []
    slow = splits(AT - 60_000, AT)
    slow["started"] = AT - 60_000  # orders-3 had records up to then
    assert said(job, slow) == []


def test_how_long_a_split_is_quiet_is_known_up_to_the_last_batch():
    """And not up to now, if that was long ago."""
    (sentence,) = said(windowed(), splits(AT - 42_000), now=AT + 60_000)
    assert sentence.startswith(HAD_NONE)


def test_where_all_splits_are_equally_quiet_idleness_is_no_help():
    """Nobody would go on."""
    quiet = batch(
        3, AT, of_splits({"a": [HELD_AT, False, False], "b": [AT, False, False]}, dict.fromkeys("ab", NOON), OPEN)
    )
    assert said(windowed(), quiet) == [
        "`a` has had no records for 60 s and holds the watermark at 12:00:07: event time goes on with its next record"
    ]


def test_a_job_that_is_looked_at_in_the_middle_of_a_batch_can_be_quiet():
    """Where the runtime knows what was counted, it does not have to wait for the end of the batch."""
    clock = [NOON]
    monitor = JobMonitor(windowed(), clock=lambda: clock[0])
    measured = {
        "orders": {SPLITS: {0: {"a": (HELD_AT, False, False), "b": (HELD_AT, False, False)}}},
        "windows": {CHANNELS: ((HELD_AT, True, True),)},
    }
    with monitor.reading() as record:
        record.add({"type": "state", "state": "RUNNING", "at": NOON})
        for second in (0, 60):
            clock[0] = NOON + 1000 * second
            monitor._live = lambda: Totals(measured=measured)
            monitor._look()
        assert {finding.place for finding in findings(record, clock[0])} == {"a", "b"}


def test_a_split_that_went_on_for_longer_would_be_let_go_on():
    """It has records that wait, though it is quiet now, too."""
    watermarks = {"a": [HELD_AT, False, False], "b": [AT, False, False]}
    (sentence,) = said(windowed(), batch(3, AT, of_splits(watermarks, {"a": NOON, "b": NOON + 10_000}, OPEN)))
    assert sentence.endswith("with_idleness would let the others go on")
