"""``python -m bench.check``: has Windrow become slower beside Flink than it was? For continuous integration.

A few rows are measured for some seconds each, on Windrow and on Flink in turns, and the best run of each counts: the
machine that others use has bad moments. The ratio may not be 30 % below the one that was recorded with the same effort.
What is, is measured once more before it counts; what is far from it after half of the runs needs no more of them.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path

import click

from bench.environments import ROOT, SetupError
from bench.measure import RunError
from bench.report import machine
from bench.suite.engines import ENGINES
from bench.suite.measuring import Effort, side_by_side
from bench.suite.rows import BATCH, ROWS, STREAM

RECORDED = ROOT / "bench" / "check_results.json"
CHECKED = (("tumbling", BATCH), ("tumbling", STREAM))
EFFORT = Effort(runs=6, seconds=1.5, object_reuse=False)
#: The share of the recorded ratio that is still good.
LEAST = 0.7
#: So much of it is far from the least.
CLEAR = 0.9
#: Where this variable is set, it is an error that Flink cannot be had; else the check is left out, and says so.
REQUIRE_FLINK = "WINDROW_REQUIRE_FLINK"

Ratio = Callable[[str, str, float | None], float]


def ratio(name: str, mode: str, recorded: float | None) -> float:
    """How many times as fast as Flink a row is now.

    Args:
        name: The row's.
        mode: How it is run.
        recorded: The ratio that it had; None: it is to be recorded, with all runs.

    Raises:
        SetupError: Flink cannot be had.
        RunError: one of the two failed, or its results are not the right ones.
    """

    def is_clear(rates: list[float]) -> bool:
        return recorded is not None and rates[0] >= CLEAR * recorded * rates[1]

    windrow, flink = side_by_side([ENGINES["windrow"], ENGINES["flink"]], ROWS[name], mode, EFFORT, is_clear)
    return windrow / flink


def slower(recorded: Mapping[str, float], measured: Ratio) -> list[str]:
    """What is to be said of each row that has become too slow, twice in a row.

    Args:
        recorded: The ratios that were recorded, by ``row mode``.
        measured: Measures a row in a mode.
    """
    found = []
    for name, mode in CHECKED:
        before = recorded[f"{name} {mode}"]
        tries: list[float] = []
        while len(tries) < 2 and all(now < LEAST * before for now in tries):
            tries.append(measured(name, mode, before))
            click.echo(f"{name}, {mode}: {tries[-1]:.2f} times Flink, recorded {before:.2f}")
        if all(now < LEAST * before for now in tries):
            shown = " and ".join(f"{now:.2f}" for now in tries)
            found.append(f"{name}, {mode}: {shown} times Flink, and at least {LEAST * before:.2f} is expected")
    return found


def record(measured: Ratio, path: Path) -> None:
    """Measure every checked row and keep the ratios."""
    ratios = {f"{name} {mode}": round(measured(name, mode, None), 3) for name, mode in CHECKED}
    kept = {"date": datetime.now(UTC).isoformat(timespec="seconds"), "machine": machine(), "ratios": ratios}
    path.write_text(json.dumps(kept, indent=2) + "\n")


@click.command()
@click.option("--record", "recording", is_flag=True, help="Record the ratios of this machine as the expected ones.")
def main(recording: bool) -> None:
    """Fail if the ratio to Flink of a row is 30 % below the recorded one, twice in a row."""
    try:
        if recording:
            record(ratio, RECORDED)
            return
        if not RECORDED.exists():
            message = f"nothing is recorded in {RECORDED}: run `python -m bench.check --record` on a quiet machine"
            raise click.ClickException(message)
        found = slower(json.loads(RECORDED.read_text())["ratios"], ratio)
    except SetupError as error:
        if os.environ.get(REQUIRE_FLINK):
            raise click.ClickException(str(error)) from error
        click.echo(f"left out: {error} ({REQUIRE_FLINK}=1 makes this an error)")
        return
    except RunError as error:
        raise click.ClickException(str(error)) from error
    if found:
        raise click.ClickException("slower beside Flink than recorded:\n" + "\n".join(found))


if __name__ == "__main__":
    main()
