"""Windows, window assigners, triggers and evictors: PyFlink's ``pyflink.datastream.window``, and Flink's evictors."""

from windrow.datastream.window.assigner import (
    MergeCallback,
    MergingWindowAssigner,
    WindowAssigner,
    WindowAssignerContext,
)
from windrow.datastream.window.evictor import Evictor, EvictorContext, TimestampedValue
from windrow.datastream.window.serializers import (
    CountWindowSerializer,
    GlobalWindowSerializer,
    TimeWindowSerializer,
    WindowSerializer,
)
from windrow.datastream.window.trigger import OnMergeContext, Trigger, TriggerContext, TriggerResult
from windrow.datastream.window.windows import CountWindow, GlobalWindow, TimeWindow, Window

__all__ = [
    "CountWindow",
    "CountWindowSerializer",
    "Evictor",
    "EvictorContext",
    "GlobalWindow",
    "GlobalWindowSerializer",
    "MergeCallback",
    "MergingWindowAssigner",
    "OnMergeContext",
    "TimeWindow",
    "TimeWindowSerializer",
    "TimestampedValue",
    "Trigger",
    "TriggerContext",
    "TriggerResult",
    "Window",
    "WindowAssigner",
    "WindowAssignerContext",
    "WindowSerializer",
]
