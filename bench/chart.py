"""``python -m bench.chart``: the chart of the benchmark, from the file of its results."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from bench.environments import ROOT
from bench.suite import results
from bench.suite.rows import BATCH, MODES, ROWS, STREAM
from bench.suite.tables import shown_ratio

CHART = ROOT / "docs" / "benchmark.svg"
_TITLES = {
    BATCH: "batch query,\nbeside Flink's heap state",
    STREAM: "streaming query with a checkpoint,\nbeside Flink's RocksDB state",
}
_COLOUR, _GOAL = "#2a6f97", "#d1495b"
_NUMBER: dict[str, Any] = {"va": "center", "color": "white", "fontsize": 8}


def draw(rows: Mapping[str, Any], path: Path) -> None:
    """Draw how many times as fast as Flink's each row is, a panel for each mode.

    Args:
        rows: The kept results by row.
        path: The picture, whose ending says its format.

    Raises:
        ValueError: no row of them has Flink beside it.
    """
    import matplotlib as mpl
    from matplotlib.figure import Figure

    shown = [name for name in ROWS if any("ratio" in kept for kept in rows.get(name, {}).values())]
    if not shown:
        message = "no row was measured beside Flink: run `python -m bench` first"
        raise ValueError(message)
    # The same results give the same file: no random names in it, and no date.
    mpl.rcParams["svg.hashsalt"] = "windrow"
    figure = Figure(figsize=(11, 1.6 + 0.38 * len(shown)), layout="constrained")
    for axes, mode in zip(figure.subplots(1, len(MODES), sharey=True), MODES, strict=True):
        _panel(axes, shown, {name: rows[name][mode] for name in shown if mode in rows[name]}, mode)
    figure.savefig(path, metadata={"Date": None} if path.suffix == ".svg" else None)


def _panel(axes: Any, shown: list[str], kept: Mapping[str, Any], mode: str) -> None:
    places = range(len(shown))
    ratios = [kept.get(name, {}).get("ratio", 0) for name in shown]
    axes.barh(places, ratios, color=_COLOUR, height=0.6)
    for place, ratio in zip(places, ratios, strict=True):
        if ratio:
            # At the foot of its bar, where the mark of what is to be reached is not.
            axes.text(0.02, place, shown_ratio(ratio), transform=axes.get_yaxis_transform(), **_NUMBER)
    goals = [(ROWS[name].goals[mode], place) for place, name in enumerate(shown) if mode in ROWS[name].goals]
    axes.plot(*zip(*goals, strict=True), "|", color=_GOAL, markersize=14, markeredgewidth=2, label="to reach")
    axes.axvline(1, color="black", linewidth=0.8)
    axes.set(xscale="log", yticks=places, yticklabels=[ROWS[name].title for name in shown], title=_TITLES[mode])
    axes.set_xlabel("times Flink Java's events per second")
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:g}")
    axes.set_xlim(left=min([1.0, *filter(None, ratios)]) / 3)
    axes.legend(loc="lower right", fontsize=8)
    if not axes.yaxis_inverted():
        axes.invert_yaxis()
    axes.spines[["top", "right"]].set_visible(False)


@click.command()
@click.option("--results", "kept", default=results.PATH, type=click.Path(path_type=Path), help="The file of results.")
@click.option("--out", default=CHART, type=click.Path(path_type=Path), help="The picture: .svg or .png.")
def main(kept: Path, out: Path) -> None:
    """Draw the chart of the benchmark's results."""
    try:
        draw(results.read(kept), out)
    except ValueError as error:
        raise click.ClickException(str(error)) from error
    click.echo(f"drawn: {out}")


if __name__ == "__main__":
    main()
