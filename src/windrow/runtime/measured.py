"""What the runtime measures of a job while it runs, as ``JobClient.get_metrics`` shows it."""

from __future__ import annotations

from typing import Any

from windrow.common.limits import MAX_WATERMARK, MIN_WATERMARK
from windrow.graph.job_graph import JobGraph
from windrow.runtime.stage.task_metrics import INPUT_WATERMARK, OUTPUT_WATERMARK, RECORDS_IN, SPLIT_WATERMARKS
from windrow.runtime.stage.totals import Totals


def measured(job: JobGraph, totals: Totals, now: int) -> dict[str, Any]:
    """Watermarks, how far they are behind and apart, records read and dropped, by "operator's name.metric's name".

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
