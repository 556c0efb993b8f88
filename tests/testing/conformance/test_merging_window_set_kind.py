import copy

import pytest

from tests.testing.conformance.cases import cases_of
from windrow.testing.conformance.failure import ConformanceFailure
from windrow.testing.conformance.merging_window_set_kind import run_merging_window_set_case

CASES = cases_of("merging_window_set")


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_case(case):
    """What Flink's own test expects of the set of merging windows holds."""
    run_merging_window_set_case(case)


SESSIONS = {"type": "EventTimeSessionWindows", "gap": 3}


def run(*steps, restored=()):
    operator = {"assigner": SESSIONS, "restored": list(restored)}
    run_merging_window_set_case({"operator": operator, "steps": list(steps)})


def test_wrong_expectation_fails():
    """A case fails if the windows it expects are others."""
    for case in CASES.values():
        for number, step in enumerate(case["steps"]):
            for field in {"expect_window", "expect", "expect_any_of"} & step.keys():
                changed = copy.deepcopy(case)
                changed["steps"][number][field] = [[98, 99]] if field == "expect_any_of" else [98, 99]
                with pytest.raises(ConformanceFailure, match=f"step {number} "):
                    run_merging_window_set_case(changed)


def test_unexpected_merge_fails():
    """A merge where none is expected makes the case fail, and so does the other way round."""
    with pytest.raises(ConformanceFailure, match="merge calls"):
        run({"add": [0, 3]}, {"add": [2, 5], "expect_merge": None})
    with pytest.raises(ConformanceFailure, match="merge calls"):
        run({"add": [0, 3]}, {"add": [4, 7], "expect_merge": {}})


def test_persist_counts_and_compares():
    """What is persisted is compared as a set; it is written as one list, and only if it has changed."""
    pairs = [[[0, 3], [0, 3]], [[10, 15], [10, 13]]]
    persist = {"persist": True, "expect_writes": 1, "expect_persisted": pairs}
    run({"add": [10, 13]}, {"add": [12, 15]}, {"add": [0, 3]}, persist, persist | {"expect_writes": 0})
    with pytest.raises(ConformanceFailure, match="writes of the windows"):
        run({"add": [0, 3]}, {"persist": True, "expect_writes": 2})
    with pytest.raises(ConformanceFailure, match="windows stored"):
        run({"add": [0, 3]}, persist)


def test_retired_window_is_gone():
    """A retired window has no state window any more, and retiring it again is an error."""
    gone = {"state_window": [0, 3], "expect": None}
    error = {"retire": [0, 3], "expect_error": "IllegalStateException"}
    run({"add": [0, 3]}, {"retire": [0, 3]}, gone, error)
