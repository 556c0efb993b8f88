"""Conformance cases of kind ``time_window``: arithmetic of time windows."""

from __future__ import annotations

from typing import Any

from windrow.datastream.window import TimeWindow, WindowStagger
from windrow.testing.conformance.failure import ConformanceFailure, at_step, check
from windrow.testing.conformance.registry import handles


@handles("time_window")
def run_time_window_case(case: dict[str, Any]) -> None:
    """Play one case.

    Raises:
        ConformanceFailure: it does not hold.
    """
    for number, step in enumerate(case["steps"]):
        with at_step(number, step):
            _play(step)


def _play(step: dict[str, Any]) -> None:
    if "window_start" in step:
        given = step["window_start"]
        start = TimeWindow.get_window_start_with_offset(given["ts"], given["offset"], given["size"])
        check("window start", start, step["expect"])
    elif "intersects" in step:
        left, right = (TimeWindow(*bounds) for bounds in step["intersects"])
        check("left intersects right", left.intersects(right), step["expect"])
        check("right intersects left", right.intersects(left), step["expect"])
    elif "stagger_offset" in step:
        _check_stagger(step)
    else:
        msg = f"cases of kind time_window have no such step: {sorted(step)}"
        raise ConformanceFailure(msg)


def _check_stagger(step: dict[str, Any]) -> None:
    given = step["stagger_offset"]
    offset = WindowStagger[given["stagger"]].get_stagger_offset(given["processing_time"], given["size"])
    if "expect_range" in step:
        first, end = step["expect_range"]
        check(f"offset {offset} within [{first}, {end})", first <= offset < end, True)
    else:
        check("offset", offset, step["expect"])
