"""Makes measures of a job's vertices out of its totals, as plain data that can be written as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypedDict

from windrow.common.accumulators import Accumulator
from windrow.common.limits import MAX_WATERMARK, MIN_WATERMARK
from windrow.runtime.monitor.shown_value import shown_value
from windrow.runtime.stage.task_metrics import (
    BUSY_NANOS_BY_SUBTASK,
    CHANNELS,
    INPUT_WATERMARK,
    OUTPUT_WATERMARK,
    PENDING,
    RECORDS_BY_SPLIT,
    RECORDS_IN_BY_SUBTASK,
    RECORDS_OUT_BY_SUBTASK,
    SPLITS,
    STATE,
    STATE_BYTES_WRITTEN,
    WAITING,
)
from windrow.runtime.stage.totals import Totals

#: A watermark, in milliseconds; None: there is none yet; "end": the last one, behind which nothing comes.
ShownWatermark = int | str | None


class Measures(TypedDict, total=False):
    """Of one vertex, as it stands behind a batch. Subtasks, channels and splits are the keys, as text."""

    records_in: dict[str, int]
    records_out: dict[str, int]
    busy_nanos: dict[str, int]
    input_watermark: dict[str, ShownWatermark]
    output_watermark: dict[str, ShownWatermark]
    #: By subtask and split: its watermark, whether it is idle, whether alignment holds it back.
    splits: dict[str, dict[str, list[Any]]]
    records_by_split: dict[str, int]
    #: By subtask and split: how many records are still to be read, where the reader knows it.
    pending: dict[str, dict[str, int]]
    #: By input channel: its watermark, whether it is active, whether it counts for the minimum.
    channels: dict[str, list[Any]]
    #: What was dropped, and why.
    dropped: dict[str, int]
    #: When there were last records, in milliseconds: by split, and of a source by subtask.
    last_by_split: dict[str, int]
    last: dict[str, int]
    #: By subtask: keys that are stored by key, tables of columns, the earliest timer of event time and of processing
    #: time. And how many bytes of state were written.
    state: dict[str, list[Any]]
    state_bytes_written: dict[str, int]
    #: By subtask, when the watermark has it do something next, and the bounds of the window that fires then, or None.
    waiting: dict[str, list[Any]]
    #: What functions report to their metrics groups.
    metrics: dict[str, str]


def shown(watermark: int) -> ShownWatermark:
    """A watermark as it is shown.

    Example:
        >>> shown(-(2**63)), shown(17), shown(2**63 - 1)
        (None, 17, 'end')
    """
    if watermark <= MIN_WATERMARK:
        return None
    return "end" if watermark >= MAX_WATERMARK else watermark


def measures_of(totals: Totals) -> dict[str, Measures]:
    """By the vertex' id."""
    found: dict[str, Measures] = {}
    for tag, measured in totals.measured.items():
        of_vertex = _of_vertex(measured)
        if of_vertex:
            found[tag] = of_vertex
    for tag, counted in totals.counters.items():
        if counted:
            found.setdefault(tag, {})["dropped"] = dict(counted)
    for tag, metrics in totals.metrics.items():
        if metrics:
            found.setdefault(tag, {})["metrics"] = {name: shown_value(value) for name, value in metrics.items()}
    return found


def within(measures: Measures, subtasks: int) -> Measures:
    """Without what subtasks have left that are there no more, since the job goes on with fewer; counts are kept."""
    kept: Any = dict(measures)
    for name in ("input_watermark", "output_watermark", "splits", "state", "waiting", "pending"):
        if name in kept:
            kept[name] = {subtask: value for subtask, value in kept[name].items() if int(subtask) < subtasks}
    made: Measures = kept
    return made


def accumulators_of(totals: Totals) -> dict[str, list[str]]:
    """Type and value of each accumulator, by its name."""
    return {
        name: [type(total.accumulator).__name__, _value_of(total.accumulator)]
        for name, total in totals.accumulators.items()
    }


def _value_of(accumulator: Accumulator[Any, Any]) -> str:
    try:
        return shown_value(accumulator.get_local_value())
    except Exception as error:  # the program's own class: the job itself comes to that
        return f"<it has no value: {type(error).__name__}>"


def _of_vertex(measured: Mapping[str, Any]) -> Measures:
    made: Measures = {}
    if RECORDS_IN_BY_SUBTASK in measured:
        made["records_in"] = _by_text(measured[RECORDS_IN_BY_SUBTASK])
    if RECORDS_OUT_BY_SUBTASK in measured:
        made["records_out"] = _by_text(measured[RECORDS_OUT_BY_SUBTASK])
    if BUSY_NANOS_BY_SUBTASK in measured:
        made["busy_nanos"] = _by_text(measured[BUSY_NANOS_BY_SUBTASK])
    if INPUT_WATERMARK in measured:
        made["input_watermark"] = {str(n): shown(at) for n, at in measured[INPUT_WATERMARK].items()}
    if OUTPUT_WATERMARK in measured:
        made["output_watermark"] = {str(n): shown(at) for n, at in measured[OUTPUT_WATERMARK].items()}
    if STATE in measured:
        made["state"] = {str(subtask): list(summary) for subtask, summary in measured[STATE].items()}
    if STATE_BYTES_WRITTEN in measured:
        made["state_bytes_written"] = _by_text(measured[STATE_BYTES_WRITTEN])
    if WAITING in measured:
        made["waiting"] = {
            str(subtask): [shown(waiting[0]), *waiting[1:]]
            for subtask, waiting in measured[WAITING].items()
            if waiting is not None
        }
    if SPLITS in measured:
        made["splits"] = {
            str(subtask): {str(split): [shown(at), idle, paused] for split, (at, idle, paused) in splits.items()}
            for subtask, splits in measured[SPLITS].items()
        }
    if RECORDS_BY_SPLIT in measured:
        made["records_by_split"] = _by_text(measured[RECORDS_BY_SPLIT].by_split())
    if PENDING in measured:
        made["pending"] = {
            str(subtask): {str(split): int(count) for split, count in pending.items()}
            for subtask, pending in measured[PENDING].items()
        }
    if CHANNELS in measured:
        made["channels"] = {
            str(number): [shown(at), active, aligned] for number, (at, active, aligned) in enumerate(measured[CHANNELS])
        }
    return made


def _by_text(counted: Mapping[Any, int]) -> dict[str, int]:
    return {str(key): int(count) for key, count in counted.items()}
