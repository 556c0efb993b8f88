import copy

import pytest

from tests.testing.conformance.cases import cases_of
from windrow.testing.conformance.assigner_kind import run_assigner_case
from windrow.testing.conformance.failure import ConformanceFailure

CASES = cases_of("assigner")


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_case(case):
    """What Flink's own test expects of a window assigner holds."""
    run_assigner_case(case)


@pytest.mark.parametrize(
    ("field", "wrong"),
    [("expect_windows", [[1, 2]]), ("expect_merges", [{"sources": [[1, 2]], "result": [1, 2]}]), ("equals", "other")],
)
def test_wrong_expectation_fails(field, wrong):
    """A case whose expectation is wrong fails, whichever step it is in."""
    steps = [(case, number) for case in CASES.values() for number, step in enumerate(case["steps"]) if field in step]
    assert steps
    for case, number in steps:
        changed = copy.deepcopy(case)
        changed["steps"][number][field] = wrong
        with pytest.raises(ConformanceFailure, match=f"step {number} "):
            run_assigner_case(changed)


def test_missing_error_fails():
    """A construction that should be refused but is not makes the case fail."""
    step = {"construct": {"type": "EventTimeSessionWindows", "gap": 1}, "expect_error": "IllegalArgumentException"}
    with pytest.raises(ConformanceFailure, match="got none"):
        run_assigner_case({"operator": {"assigner": None}, "steps": [step]})
