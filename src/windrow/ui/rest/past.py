"""The past of a job: batches, checkpoints, exceptions, and the rise of its watermarks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from windrow.runtime.monitor.holding import order
from windrow.runtime.monitor.measures import Measures, ShownWatermark
from windrow.runtime.monitor.record import Entry, JobRecord, counts_of
from windrow.ui.rest.job import pending_records

#: So many moments a line has at most, and so many lines there are.
_MOMENTS, _LINES = 120, 40


def batches_of(record: JobRecord) -> list[dict[str, Any]]:
    """``/jobs/<id>/batches``: the last ones, those that followed each other quickly as one. It is not in Flink."""
    made = []
    for entry, vertices in record.replay():
        if entry["batch"] is None:
            continue
        sources = [each["id"] for each in record.job["vertices"] if each["kind"] == "source"]
        sinks = [each["id"] for each in record.job["vertices"] if each["kind"] == "sink"]
        count = max(entry.get("batches", 1), 1)
        made.append(
            {
                "id": entry["batch"],
                "count": count,
                "start-time": entry["started"],
                "end-time": entry["ended"],
                "duration": round(entry.get("busy", entry["ended"] - entry["started"]) / count, 1),
                "longest": entry.get("longest", entry["ended"] - entry["started"]),
                "parts": entry.get("progress", {}).get("parts", {}),
                "pending-records": _pending_in(vertices),
                "records-in": sum(counts_of(vertices.get(tag, {}))[1] for tag in sources),
                "records-out": sum(counts_of(vertices.get(tag, {}))[0] for tag in sinks),
            }
        )
    return made


def _pending_in(vertices: Mapping[str, Measures]) -> int | None:
    """Count the records that all sources together still had to read; None: no reader knows."""
    pending = [count for measures in vertices.values() if (count := pending_records(measures)) is not None]
    return sum(pending) if pending else None


def checkpoints_of(record: JobRecord) -> dict[str, Any]:
    """``/jobs/<id>/checkpoints``: on Spark each batch of a streaming query is one; and savepoints.

    Of a job without checkpoints there are none. ``state_size`` is what Spark has in memory for the state.
    """
    batches = [batch for batch in record.batches if batch["batch"] is not None] if has_checkpoints(record) else []
    size = sum(level.get("bytes", 0) for level in record.progress.get("state", []))
    history = [_checkpoint(batch, size if batch is batches[-1] else None) for batch in batches]
    savepoints = [_savepoint(entry, -number - 1) for number, entry in enumerate(record.savepoints)]
    durations = [checkpoint["end_to_end_duration"] for checkpoint in history]
    count = max((batch["batch"] for batch in batches), default=-1) + 1
    return {
        "counts": {
            "restored": max(0, sum(state["state"] == "RUNNING" for state in record.states) - 1),
            "total": count + len(savepoints),
            "in_progress": 0,
            "completed": count + len(savepoints),
            "failed": 0,
        },
        "summary": {"end_to_end_duration": _summary(durations), "state_size": _summary([size] if size else [])},
        "latest": {
            "completed": history[-1] if history else None,
            "savepoint": savepoints[-1] if savepoints else None,
            "failed": None,
            "restored": None,
        },
        "history": [*reversed(savepoints), *reversed(history)],
        "directory": record.job["checkpoint_dir"],
    }


def has_checkpoints(record: JobRecord) -> bool:
    """Tell whether the job's batches are checkpoints: a streaming query has reported of itself."""
    return record.job["runtime"] == "spark" and (
        record.job["checkpoint_dir"] is not None or bool(record.progress.get("parts"))
    )


def exceptions_of(record: JobRecord) -> dict[str, Any]:
    """``/jobs/<id>/exceptions``: the newest one first. ``element`` is not in Flink."""
    entries = [
        {
            "exceptionName": failure["name"],
            "stacktrace": failure["traceback"],
            "timestamp": failure["at"],
            "taskName": failure["operator"],
            "endpoint": None,
            "taskManagerId": None,
            "failureLabels": {},
            "concurrentExceptions": [],
            "message": failure["message"],
            "element": failure["element"],
        }
        for failure in reversed(record.failures)
    ]
    newest = record.failures[-1] if record.failures else None
    return {
        "root-exception": None if newest is None else newest["traceback"],
        "timestamp": None if newest is None else newest["at"],
        "all-exceptions": [],
        "truncated": False,
        "exceptionHistory": {"entries": entries, "truncated": False},
    }


def timeline_of(record: JobRecord) -> dict[str, Any]:
    """``/jobs/<id>/timeline``: lines of watermarks over processing time, of splits and of operators. Not in Flink.

    Of many splits those that are furthest behind have lines, and the one that is furthest ahead.
    """
    count = len(record.batches)
    step = max(1, -(-count // _MOMENTS))
    lines: dict[tuple[str, str], list[list[int]]] = {}
    moments = []
    for number, (entry, vertices) in enumerate(record.replay()):
        if (count - 1 - number) % step:
            continue
        at = entry["ended"]
        moments.append(at)
        for key, watermark in _watermarks(record.job["vertices"], vertices).items():
            if isinstance(watermark, int):
                lines.setdefault(key, []).append([at, watermark])
    names = {vertex["id"]: vertex["name"] for vertex in record.job["vertices"]}
    shown = sorted(lines.items(), key=lambda line: (line[1][-1][1], line[0]))
    left_out = max(0, len(shown) - _LINES)
    if left_out:
        shown = [*shown[: _LINES - 1], shown[-1]]
    shown.sort(key=lambda line: line[0])  # so that each keeps its colour
    return {
        "lines": [
            {
                "vertex": tag,
                "name": name or names.get(tag, tag),
                "kind": "split" if name else "operator",
                "points": points,
            }
            for (tag, name), points in shown
        ],
        "left-out": left_out,
        "moments": moments,
    }


def _watermarks(
    vertices: list[dict[str, Any]], measured: Mapping[str, Measures]
) -> dict[tuple[str, str], ShownWatermark]:
    """Of splits that are not idle, of sources without splits, and of operators behind an exchange."""
    found: dict[tuple[str, str], ShownWatermark] = {}
    for vertex in vertices:
        tag = vertex["id"]
        measures = measured.get(tag, {})
        for splits in measures.get("splits", {}).values():
            for split, (watermark, idle, _) in splits.items():
                found[tag, split] = None if idle else watermark
        if vertex["inputs"]:
            watermarks = measures.get("input_watermark", {})
            if watermarks:  # all subtasks hear of the same ones
                found[tag, ""] = max(watermarks.values(), key=order)
        elif vertex["makes_watermarks"] and not measures.get("splits"):
            watermarks = measures.get("output_watermark", {})
            if len(watermarks) == vertex["parallelism"]:
                found[tag, ""] = min(watermarks.values(), key=order)
    return found


def _checkpoint(batch: Entry, size: int | None) -> dict[str, Any]:
    return {
        "id": batch["batch"],
        "status": "COMPLETED",
        "is_savepoint": False,
        "checkpoint_type": "CHECKPOINT",
        "trigger_timestamp": batch["started"],
        "latest_ack_timestamp": batch["ended"],
        "end_to_end_duration": batch.get("longest", batch["ended"] - batch["started"]),
        "state_size": size,
        "external_path": None,
    }


def _savepoint(entry: Entry, number: int) -> dict[str, Any]:
    return {
        "id": number,
        "status": "COMPLETED",
        "is_savepoint": True,
        "checkpoint_type": "SAVEPOINT",
        "trigger_timestamp": entry["started"],
        "latest_ack_timestamp": entry["ended"],
        "end_to_end_duration": entry["ended"] - entry["started"],
        "state_size": None,
        "external_path": entry["path"],
    }


def _summary(values: list[int]) -> dict[str, int]:
    if not values:
        return {"min": 0, "max": 0, "avg": 0}
    return {"min": min(values), "max": max(values), "avg": round(sum(values) / len(values))}
