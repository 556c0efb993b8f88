"""What is expected of Windrow beside itself: one row's rate as a share of another's, and the memory of a worker."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from bench.suite.rows import BATCH, STREAM

#: A Python worker is to stay below this on every row.
WORKER_MIB = 1_024


@dataclass(frozen=True)
class Share:
    """One row is to be at least so much as fast as another in the same mode."""

    row: str
    other: str
    mode: str
    least: float


SHARES = (Share("sliding-fine", "sliding", BATCH, 0.6), Share("tumbling-batches", "tumbling", STREAM, 0.6))


def share_of(share: Share, rows: Mapping[str, Any]) -> float | None:
    """The share as it was measured; None if one of the two rows was not."""
    rates = []
    for name in (share.row, share.other):
        kept = rows.get(name, {}).get(share.mode)
        if kept is None:
            return None
        rates.append(kept["windrow"]["events_per_second"]["median"])
    return float(rates[0] / rates[1])


def worker_peaks(rows: Mapping[str, Any]) -> dict[tuple[str, str], int]:
    """The largest memory of a worker in MiB, by row and mode."""
    return {
        (name, mode): kept["windrow"]["worker_peak_mib"]
        for name, modes in rows.items()
        for mode, kept in modes.items()
        if "worker_peak_mib" in kept["windrow"]
    }
