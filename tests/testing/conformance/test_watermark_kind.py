"""The cases of kind watermark, and that their runner can fail."""

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from windrow.testing.conformance.watermark_kind import run_watermark_case

TABLE = Path(__file__).parents[2] / "conformance_data"
CASES: dict[str, dict[str, Any]] = {
    case["id"]: case
    for path in sorted(TABLE.glob("*.json"))
    for case in json.loads(path.read_text(encoding="utf-8"))
    if case["operator"].get("kind") == "watermark"
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_flinks_cases_pass(case: dict[str, Any]) -> None:
    """Every case of Flink's table passes."""
    run_watermark_case(case)


def expectations(case: dict[str, Any]) -> list[int]:
    return [number for number, step in enumerate(case["steps"]) if any(key.startswith("expect") for key in step)]


def spoiled(step: dict[str, Any]) -> dict[str, Any]:
    """The step with another expectation."""
    step = copy.deepcopy(step)
    for key, expected in step.items():
        if key == "expect_error":
            step["construct"]["timeout"] = 1
        elif key == "expect_channel":
            step[key] = {name: value if name == "channel" else "other" for name, value in expected.items()}
        elif key.startswith("expect"):
            step[key] = not expected if isinstance(expected, bool) else ["other"] if isinstance(expected, list) else 77
    return step


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_every_expectation_counts(case: dict[str, Any]) -> None:
    """A case fails when any single expectation of it is changed."""
    for number in expectations(case):
        changed = copy.deepcopy(case)
        changed["steps"][number] = spoiled(case["steps"][number])
        with pytest.raises(AssertionError, match=f"step {number} "):
            run_watermark_case(changed)


def assign_case(generator: dict[str, Any] | None, steps: list[dict[str, Any]], **more: Any) -> dict[str, Any]:
    operator = {"generator": generator, "timestamp": "the element value", "auto_interval": 50, **more}
    return {"id": "case", "operator": {"kind": "watermark", "assign_operator": operator}, "steps": steps}


@pytest.mark.parametrize("generator", [None, {"type": "Never"}, {"type": "NoWatermarksGenerator"}])
def test_expected_timestamps_are_those_of_all_queued_records(generator: dict[str, Any] | None) -> None:
    """Negative timestamps and the bounds of 64 bits pass as they are."""
    timestamps = [-(2**63), -1, 0, 1, 2**63 - 1]
    elements = [{"element": {"value": timestamp}} for timestamp in timestamps]
    run_watermark_case(assign_case(generator, [*elements, {"expect_timestamps": timestamps}]))
    with pytest.raises(AssertionError, match="timestamps"):
        run_watermark_case(assign_case(generator, [*elements, {"expect_timestamps": timestamps[1:]}]))


def test_then_empty_fails_when_something_is_left() -> None:
    """Without then_empty the rest stays queued, with it there must be none."""
    steps: list[dict[str, Any]] = [
        {"element": {"value": 2, "ts": 1}},
        {"processing_time": 50},
        {"expect": [{"value": 2, "ts": 2}], "order": "exact", "then_empty": False},
        {"input_status": "IDLE"},
        {"expect": [{"watermark": 1}], "order": "exact", "then_empty": True},
    ]
    run_watermark_case(assign_case({"type": "Periodic"}, steps))
    steps[2]["then_empty"] = True
    with pytest.raises(AssertionError, match="output after that"):
        run_watermark_case(assign_case({"type": "Periodic"}, steps))


@pytest.mark.parametrize(
    ("case", "named"),
    [
        ({"id": "case", "operator": {"kind": "watermark", "other": {}}, "steps": []}, "other"),
        (assign_case({"type": "Periodic"}, [{"jump": 1}]), "jump"),
        (assign_case({"type": "Elaborate"}, []), "Elaborate"),
        (assign_case({"type": "Periodic"}, [], timestamp="the moon"), "the moon"),
    ],
)
def test_what_the_runner_does_not_know_is_an_error(case: dict[str, Any], named: str) -> None:
    """Nothing unknown is passed over."""
    with pytest.raises(ValueError, match=named):
        run_watermark_case(case)
