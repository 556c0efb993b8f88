"""The check that Windrow has not become slower beside Flink."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from bench import check
from bench.environments import SetupError

RECORDED = {f"{name} {mode}": 10.0 for name, mode in check.CHECKED}


@pytest.fixture
def recorded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A ratio of ten was recorded for every row."""
    path = tmp_path / "check_results.json"
    path.write_text(json.dumps({"ratios": RECORDED}))
    monkeypatch.setattr(check, "RECORDED", path)
    return path


def ratios(*measured: float) -> check.Ratio:
    left: Iterator[float] = iter(measured)
    return lambda name, mode, recorded: next(left)


def test_ratios_near_the_recorded_ones_are_measured_once() -> None:
    """Seven tenths of what was recorded are enough."""
    assert check.slower(RECORDED, ratios(7.0, 20.0, 10.0)) == []


def test_row_that_is_too_slow_gets_a_second_chance() -> None:
    """The second measurement decides."""
    assert check.slower(RECORDED, ratios(6.9, 7.1, 10.0, 10.0)) == []


def test_row_that_is_too_slow_twice_is_told_with_both_ratios() -> None:
    """The line says what was measured and what was expected."""
    found = check.slower(RECORDED, ratios(10.0, 6.0, 5.0, 10.0))
    assert found == ["tumbling, stream: 6.00 and 5.00 times Flink, and at least 7.00 is expected"]


@pytest.mark.parametrize(
    ("rates", "recorded", "enough"), [([9.0, 1.0], 10, True), ([8.9, 1.0], 10, False), ([20.0, 1.0], None, False)]
)
def test_what_is_far_from_the_least_needs_no_more_runs(
    monkeypatch: pytest.MonkeyPatch, rates: list[float], recorded: float | None, enough: bool
) -> None:
    """Nine tenths of what was recorded; what is recorded has all of its runs."""
    asked = []

    def measured(engines: object, row: object, mode: str, effort: object, are_enough: Callable[..., bool]) -> object:
        asked.append(are_enough(rates))
        return rates

    monkeypatch.setattr(check, "side_by_side", measured)
    assert check.ratio("tumbling", "batch", recorded) == rates[0] / rates[1]
    assert asked == [enough]


def test_recorded_ratios_are_those_that_are_compared(recorded: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """--record writes what a later check reads."""
    monkeypatch.setattr(check, "ratio", ratios(1.0, 2.0))
    assert CliRunner().invoke(check.main, ["--record"]).exit_code == 0
    assert json.loads(recorded.read_text())["ratios"] == dict(zip(RECORDED, [1.0, 2.0], strict=True))


def test_slower_row_fails_the_command(recorded: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The exit code is what continuous integration looks at."""
    monkeypatch.setattr(check, "ratio", ratios(1.0, 1.0, 10.0, 10.0))
    done = CliRunner().invoke(check.main)
    assert done.exit_code == 1
    assert "tumbling, batch: 1.00 and 1.00 times Flink" in done.output


@pytest.mark.parametrize(("required", "code"), [("", 0), ("1", 1)])
def test_missing_flink_is_an_error_where_it_is_required(
    recorded: Path, monkeypatch: pytest.MonkeyPatch, required: str, code: int
) -> None:
    """Else one line says that nothing was checked, and why."""

    def refuse(name: str, mode: str, recorded: float | None) -> float:
        message = "cannot have apache-flink: no network"
        raise SetupError(message)

    monkeypatch.setenv(check.REQUIRE_FLINK, required)
    monkeypatch.setattr(check, "ratio", refuse)
    done = CliRunner().invoke(check.main)
    assert done.exit_code == code
    assert "cannot have apache-flink: no network" in done.output
