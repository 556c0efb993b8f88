"""Shapes what was counted and measured in a job for ``JobExecutionResult`` and ``JobClient.get_metrics``."""

from __future__ import annotations

import time
from typing import Any

from windrow.common.job_execution_result import JobExecutionResult
from windrow.common.job_id import JobID
from windrow.common.limits import MAX_WATERMARK, MIN_WATERMARK
from windrow.graph.job_graph import JobGraph
from windrow.runtime.stage.task_metrics import INPUT_WATERMARK, OUTPUT_WATERMARK, RECORDS_IN, SPLIT_WATERMARKS
from windrow.runtime.stage.totals import MetricTotal, Totals, merge_metrics


def result_of(job: JobGraph, job_id: JobID, started: float, totals: Totals) -> JobExecutionResult:
    """Make the result of a job that has ended.

    Args:
        job: The job.
        job_id: Its id.
        started: When it began, in seconds of ``time.monotonic``.
        totals: What was counted in it.
    """
    return JobExecutionResult(
        job_id,
        round((time.monotonic() - started) * 1000),
        totals.accumulator_results(),
        _dropped(job, totals),
        merged_metrics(job, totals),
    )


def merged_metrics(job: JobGraph, totals: Totals) -> dict[str, Any]:
    """Gather the metrics that functions registered, by "operator's name.metric's name".

    Those of two operators of one name are merged.
    """
    merged: dict[str, MetricTotal] = {}
    for tag, name in _names(job).items():
        for metric, value in totals.metrics.get(tag, {}).items():
            key = f"{name}.{metric}"
            if type(merged.get(key, value)) is not type(value):
                key = f"{name} ({tag}).{metric}"  # another kind of metric in another operator of that name
            merge_metrics(merged, {key: value})
    return dict(merged)


def system_metrics(job: JobGraph, totals: Totals, now: int) -> dict[str, Any]:
    """Tell watermarks, how far they are behind and apart, records read and dropped, by "operator's name.metric's name".

    What has a value in each subtask is a dictionary by subtask; subtasks that have no watermark yet are not in it. Of
    two operators of one name each has its tag beside the name.

    Args:
        job: The job.
        totals: What was counted up to its last batch.
        now: Processing time, in milliseconds.
    """
    shown: dict[str, Any] = {}
    nodes = list(job.nodes())
    names = [node.name for node in nodes]
    for node in nodes:
        name = node.name if names.count(node.name) == 1 else f"{node.name} ({node.tag})"
        of_operator = {**totals.counters.get(node.tag, {}), **_shown(totals.measured.get(node.tag, {}), now)}
        shown.update({f"{name}.{metric}": value for metric, value in of_operator.items()})
    return shown


def _shown(values: dict[str, Any], now: int) -> dict[str, Any]:
    shown = {name: values[name] for name in (INPUT_WATERMARK, OUTPUT_WATERMARK, RECORDS_IN) if name in values}
    watermarks = values.get(INPUT_WATERMARK, values.get(OUTPUT_WATERMARK, {}))
    if lag := _lag(watermarks, now):
        shown["watermark_lag"] = lag
    by_split: dict[int, dict[str, int]] = values.get(SPLIT_WATERMARKS, {})
    splits = {split_id: watermark for of_subtask in by_split.values() for split_id, watermark in of_subtask.items()}
    if splits:
        shown[SPLIT_WATERMARKS] = splits
        shown["watermark_lag_by_split"] = _lag(splits, now)
        shown["watermark_skew"] = max(splits.values()) - min(splits.values())
    return shown


def _lag(watermarks: dict[Any, int], now: int) -> dict[Any, int]:
    """Milliseconds; a watermark that is not there yet, and the last one, are behind nothing."""
    return {of: now - watermark for of, watermark in watermarks.items() if MIN_WATERMARK < watermark < MAX_WATERMARK}


def _dropped(job: JobGraph, totals: Totals) -> dict[str, dict[str, int]]:
    """Count what operators dropped, by their names: two operators of one name are counted together."""
    by_name: dict[str, dict[str, int]] = {}
    for tag, name in _names(job).items():
        for counter, count in totals.counters.get(tag, {}).items():
            counted = by_name.setdefault(name, {})
            counted[counter] = counted.get(counter, 0) + count
    return by_name


def _names(job: JobGraph) -> dict[str, str]:
    """The operators' names by their tags; several operators may have one name."""
    return {node.tag: node.name for node in job.nodes()}
