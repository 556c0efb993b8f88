"""What operators that give nothing wait for, in a sentence."""

from __future__ import annotations

from typing import Any

import pytest

from tests.ui.records import NOON, batch, link, of_splits, running, vertex, windowed
from windrow.runtime.monitor.findings import findings
from windrow.runtime.monitor.holding import Holding
from windrow.runtime.monitor.next_output import next_output, what_it_waits_for
from windrow.runtime.monitor.record import Entry

AT = NOON + 60_000
#: The window of the first minute, whose end the watermark has not reached.
WINDOW = [NOON + 59_999, NOON, NOON + 60_000]


def said(measured: dict[str, Any], job: Entry | None = None) -> list[str]:
    record = running(job or windowed(), batch(3, AT, measured))
    return [finding.text for finding in next_output(record, Holding(record), NOON, AT)]


def standing(watermark: int | None, *waiting: list[Any], ahead: bool = True, last: int | None = None) -> dict[str, Any]:
    """Two splits, of which orders-3 stands at the watermark; what the windows wait for."""
    splits = {"orders-3": [watermark, False, False], "orders-0": [AT if ahead else watermark, False, False]}
    channels = {"0": [watermark, True, True]}
    measured = of_splits(splits, dict.fromkeys(splits, AT), channels)
    measured["windows"] |= {"waiting": {str(number): each for number, each in enumerate(waiting)}}
    if watermark is not None:
        measured["windows"]["input_watermark"] = {"0": watermark}
    if last is not None:
        measured["windows"]["last"] = {"0": last}
    return measured


HELD = standing(NOON + 41_000, WINDOW)
CASES = {
    "a split holds it back": (
        HELD,
        "window 12:00:00 to 12:01:00 of `windows` fires when the watermark reaches 12:00:59.999; it stands at 12:00:41,"
        " held back by `orders-3`",
    ),
    "all splits have come as far": (
        standing(NOON + 41_000, WINDOW, ahead=False),
        "window 12:00:00 to 12:01:00 of `windows` fires when the watermark reaches 12:00:59.999; it stands at 12:00:41,"
        " where `orders-3` and `orders-0` stand",
    ),
    "there is no watermark": (
        standing(None, WINDOW),
        "window 12:00:00 to 12:01:00 of `windows` fires when the watermark reaches 12:00:59.999; there is none yet",
    ),
    "it is no window": (
        standing(NOON + 41_000, [NOON + 50_000, None, None]),
        "`windows` waits for the watermark to reach 12:00:50; it stands at 12:00:41, held back by `orders-3`",
    ),
    "the end is waited for": (
        standing(NOON + 41_000, ["end", None, None]),
        "`windows` waits for the watermark to reach its end; it stands at 12:00:41, held back by `orders-3`",
    ),
    "several subtasks wait": (
        standing(NOON + 41_000, ["end", None, None], WINDOW, [NOON + 119_999, NOON + 60_000, NOON + 120_000]),
        "window 12:00:00 to 12:01:00 of `windows` fires when the watermark reaches 12:00:59.999; it stands at 12:00:41,"
        " held back by `orders-3`",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_it_says_which_watermark_is_missing(name):
    """Of the first window that is to fire, or of the first time at which there is something to do."""
    measured, sentence = CASES[name]
    assert said(measured) == [sentence]


@pytest.mark.parametrize(
    "measured",
    [
        standing(NOON + 41_000),
        standing(NOON + 41_000, WINDOW, last=AT - 1_000),
        standing(NOON + 59_999, WINDOW),
        standing(AT + 5_000, WINDOW),
    ],
    ids=["nothing waits", "something has just come out", "the watermark is there", "it is past that"],
)
def test_where_nothing_is_missing_it_says_nothing(measured):
    """What an operator has said of itself may be older than its watermark."""
    assert said(measured) == []


def test_operators_that_wait_for_the_same_are_in_one_sentence():
    """Of two hundred windows of one stream nobody reads two hundred sentences."""
    job = windowed()
    job["vertices"].append(vertex("others", level=1, inputs=[{"head": "orders", "channels": 2}]))
    job["links"].append(link("orders", "others", "HASH"))
    (sentence,) = said({**HELD, "others": HELD["windows"]}, job)
    assert sentence.startswith("window 12:00:00 to 12:01:00 of `windows` and `others` fires when")


def test_an_operator_that_is_chained_waits_for_what_holds_its_chain():
    """It has no channels of its own."""
    job = windowed()
    job["vertices"].append(vertex("timers", level=1))
    job["links"].append(link("windows", "timers"))
    measured = {**HELD, "timers": {"waiting": {"0": [NOON + 50_000, None, None]}}}
    measured["timers"]["input_watermark"] = {"0": NOON + 41_000}
    assert "`timers` waits for the watermark to reach 12:00:50; it stands at 12:00:41, held back by `orders-3`" in said(
        measured, job
    )


def test_it_is_among_what_there_is_to_know_of_a_job():
    """As a note: nothing has to be done."""
    found = {finding.kind: finding for finding in findings(running(windowed(), batch(3, AT, HELD)), AT)}
    assert found["next"].level == "note"
    assert found["next"].place == "orders-3"
    assert found["next"].vertices == ("windows",)


def test_of_many_operators_those_whose_time_comes_first_are_told():
    """A terminal has no room for two hundred sentences."""
    job, measured = windowed(), standing(NOON + 41_000)
    for number in range(20):
        job["vertices"].append(vertex(f"timers {number}", level=1, inputs=[{"head": "orders", "channels": 2}]))
        job["links"].append(link("orders", f"timers {number}", "HASH"))
        measured[f"timers {number}"] = {"waiting": {"0": [NOON + 60_000 - number, None, None]}}
    told = said(measured, job)
    assert len(told) == 5
    assert [sentence.split("`")[1] for sentence in told] == [f"timers {number}" for number in range(19, 14, -1)]


def test_of_one_operator_it_is_told_while_it_gives_something():
    """And of one that waits for nothing, or of a job that is over, nothing is."""
    measured = standing(NOON + 41_000, WINDOW, last=AT)
    assert said(measured) == []
    record = running(windowed(), batch(3, AT, measured))
    assert what_it_waits_for(record, "windows", AT) == CASES["a split holds it back"][1]
    assert what_it_waits_for(record, "orders", AT) is None
    record.add({"type": "state", "state": "FINISHED", "at": AT})
    assert what_it_waits_for(record, "windows", AT) is None
