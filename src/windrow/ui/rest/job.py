"""A job as a whole: ``/jobs``, ``/jobs/overview``, ``/jobs/<id>``."""

from __future__ import annotations

from typing import Any

from windrow.runtime.monitor.holding import order
from windrow.runtime.monitor.measures import Measures
from windrow.runtime.monitor.record import JobRecord, counts_of
from windrow.runtime.monitor.shown_time import EARLIEST, moment

#: Flink's states of a job, and of a task.
_STATES = (
    *("INITIALIZING", "CREATED", "RUNNING", "FAILING", "FAILED", "CANCELLING", "CANCELED"),
    *("FINISHED", "RESTARTING", "SUSPENDED", "RECONCILING"),
)
_TASK_STATES = (
    *("CREATED", "SCHEDULED", "DEPLOYING", "RUNNING", "FINISHED"),
    *("CANCELING", "CANCELED", "FAILED", "RECONCILING", "INITIALIZING"),
)
#: What the tasks of a job in such a state are in.
_OF_TASKS = {"CANCELLING": "CANCELING", "RESTARTING": "FAILED", "FAILING": "FAILED"}


def times_of(record: JobRecord, now: int) -> dict[str, int]:
    """Give the times of a job's beginning and end (-1: not yet), and how long it runs; milliseconds."""
    started = int(record.job["started"])
    ended = record.ended
    return {
        "start-time": started,
        "end-time": -1 if ended is None else ended,
        "duration": (now if ended is None else ended) - started,
    }


def task_state(record: JobRecord) -> str:
    """The state of all tasks of a job: they begin and end together."""
    return _OF_TASKS.get(record.state, record.state)


def overview_of(record: JobRecord, now: int) -> dict[str, Any]:
    """A row of ``/jobs/overview``."""
    tasks = _counted(record, sum(vertex["parallelism"] for vertex in record.job["vertices"]))
    modified = record.batches[-1]["ended"] if record.batches else record.job["started"]
    return {
        "jid": record.job["id"],
        "name": record.job["name"],
        "state": record.state,
        **times_of(record, now),
        "last-modification": modified,
        "tasks": {"total": sum(tasks.values()), **{state.lower(): count for state, count in tasks.items()}},
    }


def job_details(record: JobRecord, now: int, *, stoppable: bool) -> dict[str, Any]:
    """``/jobs/<id>``.

    ``runtime``, ``unbounded``, ``versions``, ``warnings``, ``progress``, ``watermark``, ``last-batch`` and what stands
    in ``windrow`` of a vertex are not in Flink.

    Args:
        record: Of the job.
        now: In milliseconds.
        stoppable: Whether it can be stopped with a savepoint.
    """
    job = record.job
    vertices = job["vertices"]
    return {
        "jid": job["id"],
        "name": job["name"],
        "isStoppable": stoppable,
        "state": record.state,
        "job-type": job["mode"],
        **times_of(record, now),
        "maxParallelism": job["max_parallelism"],
        "now": now,
        "timestamps": {
            **dict.fromkeys(_STATES, 0),
            "CREATED": job["started"],
            **{state["state"]: state["at"] for state in record.states},
        },
        "vertices": [_vertex(record, vertex, now) for vertex in vertices],
        "status-counts": _counted(record, len(vertices)),
        "plan": plan_of(record),
        "runtime": job["runtime"],
        "unbounded": job["unbounded"],
        "versions": job["versions"],
        "warnings": job.get("warnings", []),
        "progress": record.progress,
        "watermark": _watermark(record, now),
        "last-batch": next((batch["longest"] for batch in reversed(record.batches) if batch.get("longest")), None),
    }


def _watermark(record: JobRecord, now: int) -> dict[str, Any] | None:
    """The lowest watermark behind an exchange, and how far it is behind the clock; None: there is none."""
    tags = [vertex["id"] for vertex in record.job["vertices"] if vertex["inputs"]]
    found = [at for tag in tags for at in record.vertices.get(tag, {}).get("input_watermark", {}).values()]
    lowest = min(found, key=order, default=None)
    if not isinstance(lowest, int):
        return None
    return {"value": lowest, "shown": moment(lowest, now), "lag": now - lowest if lowest >= EARLIEST else None}


def plan_of(record: JobRecord) -> dict[str, Any]:
    """``/jobs/<id>/plan``: what there is, and what leads to it.

    ``level``, ``kind``, ``side_output`` and ``local_aggregate`` are not in Flink.
    """
    job = record.job
    nodes = []
    for vertex in job["vertices"]:
        node: dict[str, Any] = {
            "id": vertex["id"],
            "parallelism": vertex["parallelism"],
            "operator": "",
            "operator_strategy": "",
            "description": vertex["name"],
            "optimizer_properties": {},
            "level": vertex["level"],
            "kind": vertex["kind"],
        }
        inputs = [link for link in job["links"] if link["target"] == vertex["id"]]
        if inputs:
            node["inputs"] = [
                {
                    "num": number,
                    "id": link["source"],
                    "ship_strategy": link["ship_strategy"],
                    "exchange": "pipelined" if link["exchange"] else "chained",
                    "side_output": link["side"],
                    "local_aggregate": link["combined"],
                }
                for number, link in enumerate(inputs)
            ]
        nodes.append(node)
    return {"jid": job["id"], "name": job["name"], "type": job["mode"], "nodes": nodes}


def _vertex(record: JobRecord, vertex: dict[str, Any], now: int) -> dict[str, Any]:
    measures = record.vertices.get(vertex["id"], {})
    seconds, recent = record.recent()
    read, written, busy = recent.get(vertex["id"], (0, 0, 0))
    total = sum(counts[2] for counts in recent.values())
    seconds = seconds or 1.0
    return {
        "id": vertex["id"],
        "name": vertex["name"],
        "maxParallelism": record.job["max_parallelism"],
        "parallelism": vertex["parallelism"],
        "status": task_state(record),
        **times_of(record, now),
        "tasks": {**dict.fromkeys(_TASK_STATES, 0), **_counted(record, vertex["parallelism"])},
        "metrics": io_metrics(*counts_of(measures), records=bool(measures)),
        "windrow": {
            "level": vertex["level"],
            "kind": vertex["kind"],
            "columns": vertex["columns"],
            "form": vertex["form"],
            "state": vertex["state"],
            "records-in-per-second": round(read / seconds, 1),
            "records-out-per-second": round(written / seconds, 1),
            "busy-time-ms-per-second": round(busy / 1e6 / seconds / max(vertex["parallelism"], 1), 1),
            "share": round(busy / total, 4) if total else 0.0,
            "dropped": measures.get("dropped", {}),
            "pending-records": pending_records(measures),
            "unassigned-splits": record.progress.get("unassigned_splits", {}).get(vertex["id"]),
        },
    }


def pending_records(measures: Measures) -> int | None:
    """Count the records that a source still has to read; None: its readers do not know."""
    pending = [count for of_subtask in measures.get("pending", {}).values() for count in of_subtask.values()]
    return sum(pending) if pending else None


def io_metrics(read: int, written: int, busy: int, *, records: bool) -> dict[str, Any]:
    """Flink's ``metrics`` of a vertex or subtask. Bytes are not counted, which ``-complete`` says.

    Args:
        read: Records in.
        written: Records out.
        busy: Nanoseconds of work.
        records: Whether records were counted at all.
    """
    return {
        "read-bytes": 0,
        "read-bytes-complete": False,
        "write-bytes": 0,
        "write-bytes-complete": False,
        "read-records": read,
        "read-records-complete": records,
        "write-records": written,
        "write-records-complete": records,
        "accumulated-busy-time": round(busy / 1e6, 1),
    }


def _counted(record: JobRecord, count: int) -> dict[str, int]:
    return {**dict.fromkeys(_TASK_STATES, 0), task_state(record): count}
