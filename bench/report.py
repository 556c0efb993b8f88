"""What was measured, for people and for programs."""

from __future__ import annotations

import os
import platform
from datetime import UTC, datetime
from typing import Any

from rich.table import Table

from bench.measure import Measurement
from bench.peers import BASELINE
from bench.workload import BOUND_MS, KEYS, PARALLELISM, WINDOW_MS


def ratios(measurements: list[Measurement]) -> dict[str, float]:
    """Each peer's median rate as a multiple of Flink's with heap state; empty if that was not measured."""
    medians = {each.name: each.rates()[1] for each in measurements}
    if BASELINE not in medians:
        return {}
    return {name: rate / medians[BASELINE] for name, rate in medians.items()}


def table(measurements: list[Measurement], failures: dict[str, str]) -> Table:
    """The table to print."""
    shown = Table(title="Keyed tumbling 60 s sum, thousand events per second")
    shown.add_column("")
    for heading in ("events", "min", "median", "max", "x Flink heap"):
        shown.add_column(heading, justify="right", no_wrap=True)
    by_name = ratios(measurements)
    for each in measurements:
        rates = [f"{rate / 1000:,.1f}" for rate in each.rates()]
        ratio = f"{by_name[each.name]:.3g}" if each.name in by_name else "-"
        shown.add_row(each.title, f"{each.events:,}", *rates, ratio)
    for title in failures:
        shown.add_row(title, *["-"] * 5)
    return shown


def memory_lines(measurements: list[Measurement]) -> list[str]:
    """What is to be said about the memory of Python workers."""
    return [
        f"{each.title}: one Python worker held at most {each.worker_peak_kib / 1024:,.0f} MiB"
        for each in measurements
        if each.worker_peak_kib
    ]


def record(measurements: list[Measurement], failures: dict[str, str], load: float) -> dict[str, Any]:
    """Everything as plain data; ``load`` is how many others wanted a processor before the first run."""
    by_name = ratios(measurements)
    return {
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "machine": machine(),
        "load_before": round(load, 1),
        "job": {"keys": KEYS, "window_ms": WINDOW_MS, "out_of_order_ms": BOUND_MS, "parallelism": PARALLELISM},
        "peers": [_entry(each, by_name.get(each.name)) for each in measurements],
        "failed": failures,
    }


def _entry(each: Measurement, ratio: float | None) -> dict[str, Any]:
    slowest, middle, fastest = (round(rate) for rate in each.rates())
    entry: dict[str, Any] = {
        "name": each.name,
        "title": each.title,
        "version": each.version,
        "events": each.events,
        "seconds": each.seconds,
        "events_per_second": {"min": slowest, "median": middle, "max": fastest},
    }
    if ratio is not None:
        entry["times_flink_heap"] = round(ratio, 4)
    if each.worker_peak_kib:
        entry["worker_peak_mib"] = round(each.worker_peak_kib / 1024)
    return entry


def machine() -> dict[str, Any]:
    """The size of this machine and the versions that matter."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return {
        "cpus": os.cpu_count(),
        "memory_gib": round(memory, 1),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
    }
