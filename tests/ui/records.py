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
