"""A vertex of a job: ``/jobs/<id>/vertices/<vertex>`` and what is below."""

from __future__ import annotations

from typing import Any

from windrow.common.limits import MAX_WATERMARK, MIN_WATERMARK
from windrow.runtime.monitor.holding import order
from windrow.runtime.monitor.measures import Measures, ShownWatermark
from windrow.runtime.monitor.next_output import what_it_waits_for
from windrow.runtime.monitor.record import JobRecord
from windrow.runtime.monitor.shown_time import EARLIEST
from windrow.ui.rest.job import io_metrics, task_state, times_of

#: From such a share of its time on a subtask is said to be busy (Flink's page has these limits for back pressure).
_LOW, _HIGH = 0.1, 0.5


def vertex_of(record: JobRecord, vertex_id: str) -> dict[str, Any] | None:
    """The vertex of an id; None if there is none."""
    found: dict[str, Any] | None = next((each for each in record.job["vertices"] if each["id"] == vertex_id), None)
    return found


def vertex_details(record: JobRecord, vertex: dict[str, Any], now: int) -> dict[str, Any]:
    """``/jobs/<id>/vertices/<vertex>``: its subtasks.

    ``form``, ``columns``, ``state``, ``stored``, ``waits-for``, ``dropped`` and the watermarks of subtasks
    are not in Flink.
    """
    measures = record.vertices.get(vertex["id"], {})
    return {
        "id": vertex["id"],
        "name": vertex["name"],
        "parallelism": vertex["parallelism"],
        "maxParallelism": record.job["max_parallelism"],
        "now": now,
        "subtasks": [
            {
                "subtask": subtask,
                "status": task_state(record),
                "attempt": len(record.failures),
                "endpoint": record.job["runtime"],
                **times_of(record, now),
                "metrics": io_metrics(*_counts(measures, str(subtask)), records=bool(measures)),
                "current-input-watermark": _number(measures.get("input_watermark", {}).get(str(subtask))),
                "current-output-watermark": _number(measures.get("output_watermark", {}).get(str(subtask))),
            }
            for subtask in range(vertex["parallelism"])
        ],
        "form": vertex["form"],
        "columns": vertex["columns"],
        "state": vertex["state"],
        "stored": _stored(measures),
        "waits-for": _waits_for(measures, what_it_waits_for(record, vertex["id"], now)),
        "dropped": measures.get("dropped", {}),
    }


def watermarks_of(record: JobRecord, vertex: dict[str, Any]) -> list[dict[str, str]]:
    """``/jobs/<id>/vertices/<vertex>/watermarks``: by subtask; of a source, those that go out of it.

    As in Flink -2^63 stands for "none yet", and 2^63-1 for the last one, behind which nothing comes.
    """
    measures = record.vertices.get(vertex["id"], {})
    source = vertex["kind"] == "source"
    watermarks = (measures.get("output_watermark") if source else measures.get("input_watermark")) or {}
    name = "currentOutputWatermark" if source else "currentInputWatermark"
    return [
        {"id": f"{subtask}.{name}", "value": str(_number(watermarks.get(str(subtask))))}
        for subtask in range(vertex["parallelism"])
    ]


def backpressure_of(record: JobRecord, vertex: dict[str, Any], now: int) -> dict[str, Any]:
    """``/jobs/<id>/vertices/<vertex>/backpressure``: how busy its subtasks are.

    ``ratio`` is 0: in a batch nobody waits for room in somebody's buffer. What shows that a job does not keep up is how
    long its batches take (``/jobs/<id>/batches``).
    """
    busy = busy_ratios(record, vertex)
    subtasks = [
        {
            "subtask": subtask,
            "attempt-number": len(record.failures),
            "backpressureLevel": "ok",
            "ratio": 0.0,
            "busyRatio": round(ratio, 3),
            "idleRatio": round(1 - ratio, 3),
        }
        for subtask, ratio in enumerate(busy)
    ]
    return {"status": "ok", "backpressureLevel": "ok", "end-timestamp": now, "subtasks": subtasks}


def busy_ratios(record: JobRecord, vertex: dict[str, Any]) -> list[float]:
    """Give the share of the job's time that each subtask has worked, from 0 to 1: over all of its time so far."""
    times = record.vertices.get(vertex["id"], {}).get("busy_nanos", {})
    until = record.batches[-1]["ended"] if record.batches else record.job["started"]
    since = record.states[0]["at"] if record.states else record.job["started"]
    lasted = max(until - since, 1) * 1e6
    return [min(times.get(str(subtask), 0) / lasted, 1.0) for subtask in range(vertex["parallelism"])]


def splits_of(record: JobRecord, now: int, limit: int = 2000) -> list[dict[str, Any]]:
    """``/jobs/<id>/splits``: those of all sources, the ones furthest behind first. It is not in Flink.

    Args:
        record: Of the job.
        now: In milliseconds.
        limit: How many are given at most.
    """
    found = []
    for vertex in record.job["vertices"]:
        measures = record.vertices.get(vertex["id"], {})
        counted, last = measures.get("records_by_split", {}), measures.get("last_by_split", {})
        for subtask, splits in measures.get("splits", {}).items():
            for split, (watermark, idle, paused) in splits.items():
                found.append(
                    {
                        "split": split,
                        "vertex": vertex["id"],
                        "subtask": int(subtask),
                        "watermark": _number(watermark),
                        "watermark-lag": now - watermark
                        if isinstance(watermark, int) and watermark >= EARLIEST
                        else None,
                        "idle": idle,
                        "paused": paused,
                        "records": counted.get(split, 0),
                        "pending-records": measures.get("pending", {}).get(subtask, {}).get(split),
                        "last-record": last.get(split),
                    }
                )
    found.sort(key=lambda split: (split["idle"], split["watermark"], split["split"]))
    return found[:limit]


def _stored(measures: Measures) -> dict[str, Any] | None:
    """Sum up the operator's state, over all subtasks; None: nothing was written."""
    states = measures.get("state", {}).values()
    if not states:
        return None
    event_times = [event_time for _, _, event_time, _ in states if event_time is not None]
    processing_times = [processing_time for *_, processing_time in states if processing_time is not None]
    return {
        "keys": sum(keys for keys, *_ in states),
        "tables": sum(tables for _, tables, *_ in states),
        "next-event-time-timer": min(event_times, default=None),
        "next-processing-time-timer": min(processing_times, default=None),
        "bytes-written": sum(measures.get("state_bytes_written", {}).values()),
    }


def _waits_for(measures: Measures, sentence: str | None) -> dict[str, Any] | None:
    """The event time at which the operator does something next, and the window that fires then; None: there is none."""
    waiting = measures.get("waiting", {}).values()
    if not waiting:
        return None
    watermark, start, end = min(waiting, key=lambda each: order(each[0]))
    return {"watermark": _number(watermark), "window-start": start, "window-end": end, "text": sentence}


def _counts(measures: Measures, subtask: str) -> tuple[int, int, int]:
    return (
        measures.get("records_in", {}).get(subtask, 0),
        measures.get("records_out", {}).get(subtask, 0),
        measures.get("busy_nanos", {}).get(subtask, 0),
    )


def _number(watermark: ShownWatermark) -> int:
    if watermark is None:
        return MIN_WATERMARK
    return MAX_WATERMARK if watermark == "end" else int(watermark)
