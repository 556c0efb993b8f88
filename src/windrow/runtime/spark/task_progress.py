"""Tells how far Spark is: with the tasks of a batch query, and with a streaming query by its own report."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from windrow.graph.job_graph import JobGraph
from windrow.runtime.spark.source_plan import SourcePlan

#: Of what a stateful operator reports, what is shown: what it is called there, and here.
_STATE = {"numRowsTotal": "rows", "memoryUsedBytes": "bytes", "numRowsUpdated": "updated"}


def tagged_jobs(spark: Any, tag: str) -> list[int]:
    """The numbers of the Spark jobs with a tag."""
    return list(spark.sparkContext._jsc.sc().statusTracker().getJobIdsForTag(tag))


def task_progress(spark: Any, jobs: Iterable[int]) -> dict[str, Any]:
    """Count the tasks of some Spark jobs that are over, and all of them.

    Args:
        spark: The session.
        jobs: Their numbers.
    """
    tracker = spark.sparkContext.statusTracker()
    finished = total = stages = stages_over = 0
    for job in jobs:
        info = tracker.getJobInfo(job)
        for stage_id in [] if info is None else info.stageIds:
            stages += 1
            stage = tracker.getStageInfo(stage_id)
            if stage is not None:
                finished += stage.numCompletedTasks
                total += stage.numTasks
                stages_over += stage.numTasks > 0 and stage.numCompletedTasks == stage.numTasks
    if not stages:
        return {}
    return {"tasks_finished": finished, "tasks": total, "stages_finished": stages_over, "stages": stages}


def query_progress(reported: dict[str, Any] | None) -> dict[str, Any]:
    """The part that is shown of what a streaming query has last reported (``StreamingQuery.lastProgress``).

    Example:
        >>> query_progress({"batchId": 7, "durationMs": {"addBatch": 80, "triggerExecution": 100}, "stateOperators": [
        ...     {"numRowsTotal": 12, "memoryUsedBytes": 5000, "numRowsUpdated": 3}]})["state"]
        [{'rows': 12, 'bytes': 5000, 'updated': 3}]
    """
    if reported is None:
        return {}
    state = [
        {name: each[key] for key, name in _STATE.items() if key in each} for each in reported.get("stateOperators", [])
    ]
    return {"batch": reported.get("batchId"), "parts": reported.get("durationMs", {}), "state": state}


def unread_splits(reported: dict[str, Any] | None, job: JobGraph, plan: SourcePlan) -> dict[str, int]:
    """Count the splits of each planned source that no batch has had yet, by the source's tag.

    Args:
        reported: What the streaming query has last reported; None: nothing.
        job: The job.
        plan: Of the source behind it, whose offset says how far the batch that was reported has come.
    """
    sources = [] if reported is None else reported.get("sources", [])
    ends = [each["endOffset"] for each in sources if isinstance(each.get("endOffset"), dict)]
    offset = next((end for end in ends if {"split", "tick"} <= end.keys()), None)
    if offset is None:
        return {}
    unread = plan.unread(offset)
    planned = [entry for entry, _ in job.sources() if entry.first_channel in unread]
    return {entry.node.tag: sum(unread.get(channel, 0) for channel in entry.source_channels) for entry in planned}
