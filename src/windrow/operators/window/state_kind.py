"""The kind of a window operation's state, in words: it has to be the same for a checkpoint to be taken over."""

from __future__ import annotations

from windrow.datastream.functions import AggregateFunction
from windrow.datastream.window import GlobalWindows, MergingWindowAssigner
from windrow.operators.window.spec import WindowSpec


def state_kind(spec: WindowSpec) -> str:
    """Say what the windows of ``spec`` hold and which windows they are.

    Trigger, allowed lateness, late side output, sizes and functions may change between two runs. This may not: in
    Flink it is the type of the state named ``window-contents`` and its namespace.

    >>> from windrow.datastream.window import TumblingEventTimeWindows
    >>> state_kind(WindowSpec(TumblingEventTimeWindows(1000), incremental=max))
    'reduced values in TimeWindows of event time'
    """
    assigner = spec.assigner
    windows = type(assigner.get_window_serializer()).__name__.removesuffix("Serializer")
    if isinstance(assigner, GlobalWindows):
        return f"{_contents(spec)} in {windows}s"
    time = "event time" if assigner.is_event_time() else "processing time"
    merging = " that merge" if isinstance(assigner, MergingWindowAssigner) else ""
    return f"{_contents(spec)} in {windows}s of {time}{merging}"


def _contents(spec: WindowSpec) -> str:
    if spec.evictor is not None:
        return "elements with timestamps"
    if spec.incremental is None:
        return "elements"
    return "accumulators" if isinstance(spec.incremental, AggregateFunction) else "reduced values"
