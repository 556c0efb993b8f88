"""The file of results: every row by its modes, each with the day and the machine it was measured on."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from typing import Any

from bench.environments import ROOT
from bench.report import machine
from bench.suite.measuring import Measured, Timing

PATH = ROOT / "bench" / "results.json"


def read(path: Path = PATH) -> dict[str, Any]:
    """The kept rows by name; none where there is no file."""
    return dict(json.loads(path.read_text())["rows"]) if path.exists() else {}


def merge(rows: Mapping[str, Any], path: Path = PATH) -> None:
    """Put measured rows in the place of those that are kept; the others stay."""
    kept = read(path)
    for name, modes in rows.items():
        kept[name] = kept.get(name, {}) | modes
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"rows": kept}, indent=2) + "\n")


def entry(windrow: Measured, flink: Measured | None, load: float) -> dict[str, Any]:
    """A row in one mode as plain data; ``load`` is how many others wanted a processor before."""
    data: dict[str, Any] = {
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "machine": machine(),
        "load_before": round(load, 1),
        "windrow": _engine(windrow),
    }
    if flink is not None:
        data["flink"] = _engine(flink)
        rate = median_rate(windrow.timing)
        data["ratio"] = round(rate / median_rate(flink.timing), 3)
        if flink.object_reuse is not None:
            data["ratio_to_object_reuse"] = round(rate / median_rate(flink.object_reuse), 3)
    return data


def median_rate(timing: Timing) -> float:
    """Events per second."""
    return timing.events / median(timing.seconds)


def _engine(measured: Measured) -> dict[str, Any]:
    data: dict[str, Any] = {"version": measured.version, **_timing(measured.timing)}
    if measured.object_reuse is not None:
        data["object_reuse"] = _timing(measured.object_reuse)
    if measured.worker_peak_mib:
        data["worker_peak_mib"] = measured.worker_peak_mib
    return data


def _timing(timing: Timing) -> dict[str, Any]:
    rates = sorted(timing.events / seconds for seconds in timing.seconds)
    return {
        "events": timing.events,
        "seconds": [round(seconds, 3) for seconds in timing.seconds],
        "start_up_seconds": round(timing.start_up, 3),
        "events_per_second": {"min": round(rates[0]), "median": round(median_rate(timing)), "max": round(rates[-1])},
    }
