"""Records of jobs that nobody has run: of many operators, of many splits, of what a test wants to see."""

from __future__ import annotations

from typing import Any

from windrow.runtime.monitor.record import FORM, Entry, JobRecord

#: 2025-11-25 12:00:00 UTC.
NOON = 1_764_072_000_000


def vertex(tag: str, kind: str = "operator", level: int = 0, **more: Any) -> dict[str, Any]:
    """A vertex as ``described_job`` describes it."""
    return {
        "id": tag,
        "name": tag,
        "kind": kind,
        "level": level,
        "parallelism": 1,
        "columns": None if kind == "sink" else True,
        "form": "" if kind == "sink" else "columns",
        "inputs": [],
        "makes_watermarks": kind == "source",
        "idle_timeout": None,
        "state": None,
        "waits_for_time": False,
        **more,
    }


def link(source: str, target: str, ship_strategy: str = "FORWARD", side: str | None = None) -> dict[str, Any]:
    """How elements get from one vertex to another."""
    return {
        "source": source,
        "target": target,
        "side": side,
        "ship_strategy": ship_strategy,
        "exchange": ship_strategy != "FORWARD",
        "combined": False,
    }


def job_entry(vertices: list[dict[str, Any]], links: list[dict[str, Any]], **more: Any) -> Entry:
    """The first entry of a record."""
    return {
        "type": "job",
        "form": FORM,
        "id": "0123456789abcdef0123456789abcdef",
        "name": "orders",
        "started": NOON,
        "runtime": "local",
        "mode": "STREAMING",
        "unbounded": True,
        "parallelism": 1,
        "max_parallelism": 128,
        "object_reuse": False,
        "restart_strategy": "none",
        "checkpoint_dir": None,
        "savepoint_dir": None,
        "configuration": {"windrow.runtime": "local"},
        "parameters": {},
        "versions": {"windrow": "0.1.0"},
        "vertices": vertices,
        "links": links,
        **more,
    }


def batch(number: int | None, ended: int, vertices: dict[str, Any], **more: Any) -> Entry:
    """A batch that took 100 ms."""
    return {
        "type": "batch",
        "batch": number,
        "batches": 1,
        "started": ended - 100,
        "ended": ended,
        "vertices": vertices,
    } | more


def running(job: Entry, *batches: Entry) -> JobRecord:
    """A job that runs since noon."""
    record = JobRecord()
    for entry in [job, {"type": "state", "state": "RUNNING", "at": NOON}, *batches]:
        record.add(entry)
    return record


def windowed(**of_source: Any) -> Entry:
    """Orders in windows: a source, a window of event time behind an exchange, a sink."""
    source = vertex("orders", "source", parallelism=2, **of_source)
    windows = vertex("windows", level=1, waits_for_time=True, inputs=[{"head": "orders", "channels": 2}])
    links = [link("orders", "windows", "HASH"), link("windows", "print", "GLOBAL")]
    return job_entry([source, windows, vertex("print", "sink", level=2)], links)


def of_splits(watermarks: dict[str, list[Any]], last: dict[str, int], channels: dict[str, list[Any]]) -> dict[str, Any]:
    """What is measured where all splits are in the first of two readers."""
    return {
        "orders": {"splits": {"0": watermarks}, "last_by_split": last, "records_out": {"0": 100}},
        "windows": {"channels": channels, "records_in": {"0": 100}},
    }


def wide(operators: int) -> JobRecord:
    """A job of so many operators, in ten levels, each with two inputs from the level before."""
    per_level = max(1, operators // 10)
    vertices, links = [], []
    for number in range(operators):
        level, row = divmod(number, per_level)
        vertices.append(vertex(f"operator {number}", "source" if level == 0 else "operator", level))
        before = sorted({row, (row + 1) % per_level}) if level else []
        first = number - row - per_level
        links += [link(f"operator {first + each}", f"operator {number}", "HASH") for each in before]
    measured = {
        each["id"]: {
            "records_in": {"0": 1000},
            "records_out": {"0": 900},
            "busy_nanos": {"0": 1_000_000 * (number + 1)},
        }
        for number, each in enumerate(vertices)
    }
    return running(job_entry(vertices, links), batch(0, NOON + 1000, {}), batch(1, NOON + 2000, measured))


def of_many_splits(splits: int, batches: int = 30) -> JobRecord:
    """A job whose source has so many splits, of which every tenth is idle."""
    entries = []
    for number in range(batches):
        at = NOON + 1000 * (number + 1)
        watermarks = {f"orders-{n}": [at - 20 * n, n % 10 == 9, False] for n in range(splits)}
        last = dict.fromkeys(watermarks, at)
        entries.append(batch(number, at, of_splits(watermarks, last, {"0": [at - 20 * splits, True, True]})))
    return running(windowed(), *entries)


def shop() -> JobRecord:
    """Orders and payments of a shop, joined and counted by the minute; a partition of the orders has gone quiet."""
    time = vertex("clicks by user", level=1, state="reduced values in TimeWindows of event time", waits_for_time=True)
    vertices = [
        vertex("Source: orders", "source", parallelism=2, columns=False, form="rows: it gives rows"),
        vertex("Source: payments", "source", parallelism=2, columns=False, form="rows: it gives rows"),
        vertex("parse orders", parallelism=2, columns=False, form="rows: its input is rows"),
        vertex("parse payments", parallelism=2, columns=False, form="rows: its input is rows"),
        vertex(
            "paid within ten minutes",
            level=1,
            parallelism=2,
            inputs=[{"head": "Source: orders", "channels": 2}, {"head": "Source: payments", "channels": 2}],
        ),
        {
            **time,
            "id": "turnover by minute",
            "name": "turnover by minute",
            "level": 2,
            "parallelism": 2,
            "inputs": [{"head": "paid within ten minutes", "channels": 1}],
        },
        vertex("format", level=2, parallelism=2),
        vertex("Sink: turnover", "sink", level=3, parallelism=2),
        vertex("Sink: late payments", "sink", level=3, parallelism=2),
    ]
    links = [
        link("Source: orders", "parse orders"),
        link("Source: payments", "parse payments"),
        link("parse orders", "paid within ten minutes", "HASH"),
        link("parse payments", "paid within ten minutes", "HASH"),
        link("paid within ten minutes", "turnover by minute", "HASH"),
        link("turnover by minute", "format"),
        link("turnover by minute", "Sink: late payments", "GLOBAL", "late"),
        link("format", "Sink: turnover", "GLOBAL"),
    ]
    job = job_entry(vertices, links, name="turnover of the shop", runtime="spark", checkpoint_dir="/data/turnover")
    batches = [_of_shop(number) for number in range(60)]
    return running(job, *batches)


def _of_shop(number: int) -> Entry:
    at = NOON + 2000 * (number + 1)
    quiet = min(number, 38)
    splits = {
        f"{topic}-{n}": at - 1500 - 4000 * n - (2000 if topic == "payments" else 0)
        for topic in ("orders", "payments")
        for n in range(4)
    }
    splits["orders-3"] = NOON + 2000 * (quiet + 1) - 4000
    last = dict.fromkeys(splits, at) | {"orders-3": NOON + 2000 * (quiet + 1)}
    held = splits["orders-3"]
    seen = number + 1

    def of(topic: str) -> dict[str, Any]:
        mine = {split: [mark, False, False] for split, mark in splits.items() if split.startswith(topic)}
        return {
            "splits": {str(n): dict(list(mine.items())[n::2]) for n in range(2)},
            "records_by_split": dict.fromkeys(mine, 5200 * seen),
            "last_by_split": {split: last[split] for split in mine},
            "records_out": {"0": 10_400 * seen, "1": 10_400 * seen},
            "busy_nanos": {"0": 90_000_000 * seen, "1": 80_000_000 * seen},
            "output_watermark": {"0": at, "1": held},
        }

    def through(read: int, written: int, millis: int) -> dict[str, Any]:
        half = {"0": read * seen // 2, "1": read * seen // 2}
        return {
            "records_in": half,
            "records_out": {"0": written * seen // 2, "1": written * seen // 2},
            "busy_nanos": {"0": 1_000_000 * millis * seen, "1": 900_000 * millis * seen},
            "input_watermark": {"0": held, "1": held},
        }

    minute = held // 60_000 * 60_000
    channels = {str(n): [held if n == 1 else at, True, True] for n in range(4)}
    measured = {
        "Source: orders": of("orders"),
        "Source: payments": of("payments"),
        "parse orders": through(20_800, 20_800, 150),
        "parse payments": through(20_800, 20_400, 120),
        "paid within ten minutes": {**through(41_200, 19_600, 520), "channels": channels},
        "turnover by minute": {
            **through(19_600, 40, 210),
            "channels": {"0": [held, True, True]},
            "waiting": {"0": [minute + 59_999, minute, minute + 60_000]},
            "last": {"0": minute + 4000, "1": minute + 4000},
            "dropped": {"num_late_records_dropped": 11 * seen},
        },
        "format": through(40, 40, 1),
        "Sink: turnover": through(40, 0, 0),
        "Sink: late payments": through(3, 0, 0),
    }
    took = 700 + 40 * (number % 7) + 6 * number
    parts = {"addBatch": took - 90, "queryPlanning": 40, "walCommit": 25, "commitOffsets": 25, "triggerExecution": took}
    progress = {"parts": parts, "state": [{"rows": 900, "bytes": 3_400_000}, {"rows": 40, "bytes": 800_000}]}
    return batch(number, at, measured, started=at - took, busy=took, longest=took, progress=progress)
