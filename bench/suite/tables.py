"""The tables of results, in Markdown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from bench.suite.bars import (
    SHARES,
    SQL_MEAN,
    START_UP,
    WORKER_MIB,
    share_of,
    sql_mean,
    start_up_shares,
    worker_peaks,
)
from bench.suite.rows import BATCH, MODES, ROWS, STREAM

_HEADINGS = {
    BATCH: "**Batch query**, beside Flink Java with its state on the heap",
    STREAM: (
        "**Streaming query with a checkpoint**, beside Flink Java with RocksDB and an incremental checkpoint every 2 s"
    ),
}


def tables(rows: Mapping[str, Any]) -> str:
    """A table for each mode, and what else was expected."""
    parts = [_mode_table(rows, mode) for mode in MODES if any(mode in modes for modes in rows.values())]
    further = "\n".join(_further(rows))
    return "\n\n".join([*parts, further] if further else parts)


def shown_ratio(ratio: float) -> str:
    """A ratio with two digits, and no exponent.

    >>> shown_ratio(0.4849), shown_ratio(4.13), shown_ratio(99.82)
    ('0.48', '4.1', '100')
    """
    return f"{ratio:.0f}" if ratio >= 9.95 else f"{ratio:.2g}"


def _mode_table(rows: Mapping[str, Any], mode: str) -> str:
    lines = [
        f"{_HEADINGS[mode]} (thousand events/s; slowest, **median**, fastest run):",
        "",
        "| job | Windrow | Flink | Flink, object reuse | ratio | to reach | worker, MiB |",
        "|---|---:|---:|---:|---:|---:|---:|",
    ]
    for name, row in ROWS.items():
        kept = rows.get(name, {}).get(mode)
        if kept is None:
            continue
        flink = kept.get("flink", {})
        cells = [
            row.title,
            _rates(kept["windrow"]),
            _rates(flink),
            _rates(flink.get("object_reuse", {})),
            f"**{shown_ratio(kept['ratio'])}**" if "ratio" in kept else "",
            f"{row.goals[mode]:g}" if mode in row.goals else "",
            f"{kept['windrow'].get('worker_peak_mib', 0) or ''}",
        ]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def _rates(timing: Mapping[str, Any]) -> str:
    if not timing:
        return ""
    slowest, middle, fastest = (timing["events_per_second"][name] / 1000 for name in ("min", "median", "max"))
    return f"{slowest:,.0f} / **{middle:,.0f}** / {fastest:,.0f}"


def _further(rows: Mapping[str, Any]) -> Iterator[str]:
    for share in SHARES:
        measured = share_of(share, rows)
        if measured is not None:
            here, other = ROWS[share.row].title, ROWS[share.other].title
            yield f"- {here}: {measured:.0%} of what *{other}* does in the same mode (to reach: {share.least:.0%})"
    for (name, mode, engine), share_of_run in start_up_shares(rows).items():
        # A tenth is what runs are made for, and they are not all alike.
        if share_of_run > 1.2 * START_UP:
            who = engine.title()
            yield f"- *{ROWS[name].title}*, {mode}: starting the job is {share_of_run:.0%} of a run with {who}"
    for mode in MODES:
        mean = sql_mean(rows, mode)
        if mean is not None:
            yield (
                f"- Nexmark's queries in SQL, {mode}: {shown_ratio(mean)} times Flink SQL, the geometric mean"
                f" (to reach: {SQL_MEAN:g})"
            )
    peaks = worker_peaks(rows)
    if peaks:
        name, mode = max(peaks, key=lambda place: peaks[place])
        yield (
            f"- The largest Python worker: {peaks[name, mode]:,} MiB, in *{ROWS[name].title}*, {mode}"
            f" (to stay under: {WORKER_MIB:,} MiB)"
        )
