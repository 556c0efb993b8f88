import pytest

from tests.testing.conformance.cases import cases_of
from windrow.testing.conformance.failure import ConformanceFailure
from windrow.testing.conformance.interval_join_kind import play_interval_join

CASES = cases_of("interval_join")


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_case(case):
    """What Flink's own test expects of an interval join holds."""
    play_interval_join(case)


def joined(**changes):
    """A case in which a left element at 5 meets a right one at 6, both behind watermark 4."""
    operator = {
        "kind": "interval_join",
        "lower_bound": 0,
        "lower_inclusive": True,
        "upper_bound": 1,
        "upper_inclusive": True,
        "side_output_late_left": True,
        "side_output_late_right": False,
        "function_id": "join_pair",
    }
    steps = [
        {"left_watermark": 4},
        {"right_watermark": 4},
        {"left": {"value": ["key", 5, "lhs"], "ts": 5}},
        {"left": {"value": ["key", 3, "lhs"], "ts": 3}},
        {"snapshot_restore": True},
        {"right": {"value": ["key", 6, "rhs"], "ts": 6}},
    ]
    return {"id": "made up", "operator": {**operator, **changes}, "steps": steps}


LATE = {"side": "left", "value": ["key", 3, "lhs"], "ts": 3}
RIGHT = [
    {"expect": [{"value": [["key", 5, "lhs"], ["key", 6, "rhs"]], "ts": 6}]},
    {"expect_left_buffer": [5]},
    {"expect_right_buffer": [6]},
    {"expect_no_late_records": True},
]


def test_what_holds_is_accepted():
    """Output and late elements are seen across a restart, buffers as they are."""
    case = joined()
    play_interval_join({**case, "steps": case["steps"] + RIGHT, "expect_side": [LATE]})


@pytest.mark.parametrize(
    "wrong",
    [
        {"expect": []},
        {"expect": [{"value": [["key", 5, "lhs"], ["key", 6, "rhs"]], "ts": 5}]},
        {"expect_left_buffer": []},
        {"expect_right_buffer": [5]},
        {"expect_each_call": {"context": "timestamp", "equals": "timestamp of the left element"}},
        {"left": {"value": ["key", 7, "lhs"], "ts": 7}, "expect_error": "FlinkException"},
        {"no such step": 1},
    ],
)
def test_a_wrong_expectation_fails(wrong):
    """A case with a wrong expectation or an unknown step fails at that step."""
    case = joined()
    with pytest.raises(ConformanceFailure, match="step 6 "):
        play_interval_join({**case, "steps": [*case["steps"], wrong]})


def test_wrong_side_output_at_the_end_fails():
    """The late side outputs at the end of a case are compared, by side."""
    for wrong in ([], [{**LATE, "side": "right"}]):
        with pytest.raises(ConformanceFailure, match="late side outputs"):
            play_interval_join({**joined(), "expect_side": wrong})


def test_a_record_behind_its_watermark_is_noticed():
    """expect_no_late_records looks at records and watermarks in the order in which they came out."""
    case = joined()
    late = [{"left_watermark": 6}, {"right_watermark": 6}, {"right": {"value": ["key", 6, "rhs"], "ts": 6}}]
    steps = [*case["steps"], {"left": {"value": ["key", 6, "lhs"], "ts": 6}}, *late, {"expect_no_late_records": True}]
    with pytest.raises(ConformanceFailure, match="late record"):
        play_interval_join({**case, "steps": steps})


def test_the_context_is_checked():
    """join_check_context fails where a value's own timestamp is another than the context tells."""
    case = joined(function_id="join_check_context")
    case["steps"][2]["left"]["value"][1] = 4
    with pytest.raises(Exception, match="left timestamp in the context: expected 4, got 5"):
        play_interval_join(case)


def test_an_unknown_function_is_refused():
    """A case whose function is not known fails and names those that are."""
    with pytest.raises(ValueError, match="known are join_pair, join_check_context"):
        play_interval_join(joined(function_id="other"))
