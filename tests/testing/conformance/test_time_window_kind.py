import copy

import pytest

from tests.testing.conformance.cases import cases_of
from windrow.testing.conformance.failure import ConformanceFailure
from windrow.testing.conformance.time_window_kind import run_time_window_case

CASES = cases_of("time_window")


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_case(case):
    """What Flink's own test expects of time window arithmetic holds."""
    run_time_window_case(case)


def test_wrong_expectation_fails():
    """Each step with a changed expectation makes its case fail."""
    for case in CASES.values():
        for number, step in enumerate(case["steps"]):
            changed = copy.deepcopy(case)
            if "expect_range" in step:
                changed["steps"][number]["expect_range"] = [-1, 0]
            else:
                changed["steps"][number]["expect"] = "wrong"
            with pytest.raises(ConformanceFailure, match=f"step {number} "):
                run_time_window_case(changed)
