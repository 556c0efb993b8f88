import copy

import pytest

from tests.testing.conformance.cases import cases_of
from windrow.testing.conformance.failure import ConformanceFailure
from windrow.testing.conformance.trigger_kind import run_trigger_case

CASES = cases_of("trigger")


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_case(case):
    """What Flink's own test expects of a trigger holds."""
    run_trigger_case(case)


@pytest.mark.parametrize(
    ("field", "wrong"),
    [
        ("expect_result", "PURGE_AND_RUN"),
        ("expect_counts", {"state_entries": 99}),
        ("expect_counts", {"per_window": [{"window": [0, 2], "event_timers": 99}]}),
        ("expect_firings", [{"window": [7, 8], "result": "FIRE"}]),
        ("expect_can_merge", "perhaps"),
        ("expect_inner_calls", {"callback": "clear", "times": 99}),
        ("expect_overrides_all_trigger_methods", False),
    ],
)
def test_wrong_expectation_fails(field, wrong):
    """A case whose expectation is wrong fails, whichever step it is in."""
    steps = [(case, number) for case in CASES.values() for number, step in enumerate(case["steps"]) if field in step]
    assert steps
    for case, number in steps:
        changed = copy.deepcopy(case)
        changed["steps"][number][field] = wrong
        with pytest.raises(ConformanceFailure, match=f"step {number} "):
            run_trigger_case(changed)
