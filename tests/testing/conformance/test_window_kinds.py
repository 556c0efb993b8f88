import copy

import pytest

from tests.testing.conformance.cases import cases_of
from windrow.testing.conformance.failure import ConformanceFailure
from windrow.testing.conformance.window_kinds import play_window

CASES = {**cases_of("window"), **cases_of("evicting_window")}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_case(case):
    """What Flink's own test expects of a window operator holds."""
    play_window(case)


@pytest.mark.parametrize(
    "wrong",
    [
        {"expect": [{"watermark": -1}], "order": "any"},
        {"expect": [{"value": ["key1", 1], "ts": 0}], "order": "exact"},
        {"expect_side": [{"value": ["key1", 1], "ts": 0}]},
        {"expect_window_state": {"key": "key1", "window": [0, 7], "contents": [1]}},
        {"watermark": 0, "expect_error": "UnsupportedOperationException"},
        {"no such step": 1},
    ],
)
@pytest.mark.parametrize("case", [next(iter(CASES.values())), next(reversed(CASES.values()))], ids=["first", "last"])
def test_wrong_expectation_fails(case, wrong):
    """A case with a wrong expectation or an unknown step fails at that step."""
    with pytest.raises(ConformanceFailure, match="step 1 "):
        play_window({**case, "steps": [{"watermark": -5}, wrong]})


def test_wrong_side_output_at_the_end_fails():
    """The late side output at the end of a case is compared."""
    case = next(case for case in CASES.values() if case.get("expect_side"))
    with pytest.raises(ConformanceFailure, match="late side output"):
        play_window({**case, "expect_side": []})


def test_buffered_contents_are_compared():
    """expect_window_state sees what is buffered for a key and window."""
    case = copy.deepcopy(next(case for case in CASES.values() if case["operator"]["function_id"] == "list_sum"))
    case["operator"].update(assigner={"type": "TumblingEventTimeWindows", "size": 10, "offset": 0})
    element = {"element": {"value": ["key", 1], "ts": 5}}
    check = {"key": "key", "window": [0, 10], "contents": [["key", 1]]}
    play_window({**case, "steps": [element, {"expect_window_state": check}]})
    with pytest.raises(ConformanceFailure, match="window contents"):
        play_window({**case, "steps": [element, element, {"expect_window_state": check}]})
