import copy

import pytest

from tests.testing.conformance.cases import cases_of
from windrow.testing.conformance.contract_kind import play_contract
from windrow.testing.conformance.failure import ConformanceFailure

CASES = cases_of("window_contract")


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_case(case):
    """What Flink's own test expects between a window operator and its parts holds."""
    play_contract(case)


@pytest.mark.parametrize(
    ("field", "wrong"),
    [
        ("expect_function_calls", [{"key": 7, "window": [0, 7], "contents": [7]}]),
        ("expect_trigger_calls", {"callback": "on_element", "times": 99}),
        ("expect_assign_calls", {"value": 0, "times": 99}),
        ("expect_counts", {"state_entries": 99}),
        ("expect_counts", {"event_timers": 99}),
        ("expect_counts", {"processing_timers": 99}),
        ("expect_counts", {"cats": 0}),
        ("expect_records", [{"value": 7, "ts": 7}]),
        ("expect_all_output", [{"watermark": 7}]),
        ("expect_side", [{"value": 7, "ts": 7}]),
        ("expect_named_side", {"no such output": [{"value": 7, "ts": 7}]}),
        ("expect_context_time", {"callback": "function", "domain": "event", "values": [99]}),
    ],
)
def test_wrong_expectation_fails(field, wrong):
    """A case whose expectation is wrong fails, whichever step it is in."""
    steps = [(case, number) for case in CASES.values() for number, step in enumerate(case["steps"]) if field in step]
    assert steps
    for case, number in steps:
        changed = copy.deepcopy(case)
        changed["steps"][number] = {field: wrong}
        with pytest.raises(ConformanceFailure, match=f"step {number} "):
            play_contract(changed)


MERGING = {
    "operators": ["window"],
    "assigner": {"type": "Scripted", "is_event_time": True, "merging": True},
    "allowed_lateness": 0,
    "side_output_late": False,
    "state": "list",
}
ELEMENT = {"element": {"value": 0, "ts": 0}}


@pytest.mark.parametrize(
    ("expected", "holds"),
    [
        ({"times": 1}, True),
        ({"times": 2}, False),
        ({"includes": [[0, 2]]}, True),
        ({"includes": [[0, 2], [2, 4]]}, False),
    ],
)
def test_merge_calls_are_compared(expected, holds):
    """expect_merge_calls looks at how often the assigner was asked to merge, and at the windows it got."""
    case = {"operator": MERGING, "steps": [{"assign": [[0, 2]]}, ELEMENT, {"expect_merge_calls": expected}]}
    if holds:
        play_contract(case)
    else:
        with pytest.raises(ConformanceFailure, match="step 2 "):
            play_contract(case)


def test_windows_to_merge_are_compared():
    """A merge script fails if the assigner is asked to merge other windows."""
    script = {"merge_script": {"expect_windows": [[0, 9]], "sources": [[0, 2]], "result": [0, 2]}}
    with pytest.raises(ConformanceFailure, match="windows to merge"):
        play_contract({"operator": MERGING, "steps": [{"assign": [[0, 2]]}, script, ELEMENT]})


def test_unknown_steps_and_actions_fail():
    """What the player does not know is an error, not a pass."""
    with pytest.raises(ConformanceFailure, match="unknown step 'dance'"):
        play_contract({"operator": MERGING, "steps": [{"dance": 1}]})
    with pytest.raises(Exception, match="unknown action 'dance'"):
        play_contract(
            {"operator": MERGING, "steps": [{"assign": [[0, 2]]}, {"on_element": {"do": [{"dance": 1}]}}, ELEMENT]}
        )
