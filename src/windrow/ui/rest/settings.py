"""The settings that a job was started with, its accumulators, and its metrics by name."""

from __future__ import annotations

from collections import Counter
from typing import Any

from windrow.runtime.monitor.record import JobRecord, counts_of


def config_of(record: JobRecord) -> dict[str, Any]:
    """``/jobs/<id>/config``."""
    job = record.job
    return {
        "jid": job["id"],
        "name": job["name"],
        "execution-config": {
            "execution-mode": job["mode"],
            "restart-strategy": job["restart_strategy"],
            "job-parallelism": job["parallelism"],
            "object-reuse-mode": job["object_reuse"],
            "user-config": job["parameters"],
        },
    }


def settings_of(record: JobRecord) -> list[dict[str, str]]:
    """``/jobs/<id>/jobmanager/config``: the settings that the program has made; passwords are stars."""
    return [{"key": key, "value": value} for key, value in record.job["configuration"].items()]


def accumulators_of(record: JobRecord) -> dict[str, Any]:
    """``/jobs/<id>/accumulators``."""
    return {
        "job-accumulators": [],
        "user-task-accumulators": [
            {"name": name, "type": kind, "value": value} for name, (kind, value) in sorted(record.accumulators.items())
        ],
        "serialized-user-task-accumulators": {},
    }


def metrics_of(record: JobRecord, asked: list[str]) -> list[dict[str, str]]:
    """``/jobs/<id>/metrics``: their names, or with ``?get=name,name`` their values.

    Names are the vertex' and the metric's with a dot between them, as ``JobClient.get_metrics`` has them. Of two
    vertices of one name each has its id beside it.
    """
    values: dict[str, str] = {}
    names = Counter(vertex["name"] for vertex in record.job["vertices"])
    for vertex in record.job["vertices"]:
        measures = record.vertices.get(vertex["id"], {})
        read, written, busy = counts_of(measures)
        of_vertex = {"num_records_in": read, "num_records_out": written, "busy_time_ms": round(busy / 1e6, 1)}
        shown = {**of_vertex, **measures.get("dropped", {}), **measures.get("metrics", {})}
        of = vertex["name"] if names[vertex["name"]] == 1 else f"{vertex['name']} ({vertex['id']})"
        values.update({f"{of}.{name}": str(value) for name, value in shown.items()})
    if not asked:
        return [{"id": name} for name in values]
    return [{"id": name, "value": values[name]} for name in asked if name in values]
