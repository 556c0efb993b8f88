"""What is expected beside ratios: one row's share of another's rate, a worker's memory, runs that are long enough."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from statistics import geometric_mean, median
from typing import Any

from bench.suite.rows import BATCH, STREAM

#: A Python worker is to stay below this on every row.
WORKER_MIB = 1_024
#: Starting the job is to be no more than this share of a run.
START_UP = 0.1


@dataclass(frozen=True)
class Share:
    """One row is to be at least so much as fast as another in the same mode."""

    row: str
    other: str
    mode: str
    least: float


SHARES = (Share("sliding-fine", "sliding", BATCH, 0.6), Share("tumbling-batches", "tumbling", STREAM, 0.6))


#: The queries of Nexmark in SQL: the geometric mean of their ratios is to be at least so much.
SQL_QUERIES, SQL_MEAN = "sql-q", 3.0


def sql_mean(rows: Mapping[str, Any], mode: str) -> float | None:
    """The geometric mean of the ratios to Flink of Nexmark's queries in SQL; None if none was measured.

    >>> sql_mean({"sql-q0": {"batch": {"ratio": 2.0}}, "sql-q1": {"batch": {"ratio": 8.0}}}, "batch")
    4.0
    """
    ratios = [
        modes[mode]["ratio"]
        for name, modes in rows.items()
        if name.startswith(SQL_QUERIES) and "ratio" in modes.get(mode, {})
    ]
    return geometric_mean(ratios) if ratios else None


def share_of(share: Share, rows: Mapping[str, Any]) -> float | None:
    """The share as it was measured; None if one of the two rows was not."""
    rates = []
    for name in (share.row, share.other):
        kept = rows.get(name, {}).get(share.mode)
        if kept is None:
            return None
        rates.append(kept["windrow"]["events_per_second"]["median"])
    return float(rates[0] / rates[1])


def start_up_shares(rows: Mapping[str, Any]) -> dict[tuple[str, str, str], float]:
    """The share of a run that starting the job takes, by row, mode and engine."""
    return {
        (name, mode, engine): kept[engine]["start_up_seconds"] / median(kept[engine]["seconds"])
        for name, modes in rows.items()
        for mode, kept in modes.items()
        for engine in ("windrow", "flink")
        if engine in kept
    }


def worker_peaks(rows: Mapping[str, Any]) -> dict[tuple[str, str], int]:
    """The largest memory of a worker in MiB, by row and mode."""
    return {
        (name, mode): kept["windrow"]["worker_peak_mib"]
        for name, modes in rows.items()
        for mode, kept in modes.items()
        if "worker_peak_mib" in kept["windrow"]
    }
