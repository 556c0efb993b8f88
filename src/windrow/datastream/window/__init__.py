"""Windows, window assigners, triggers and evictors.

All names of PyFlink's ``pyflink.datastream.window``, and what only Flink's Java API has: evictors, delta and timeout
triggers, staggered windows, the global window that fires at the end of the stream.
"""

from windrow.datastream.window.assigner import (
    MergeCallback,
    MergingWindowAssigner,
    WindowAssigner,
    WindowAssignerContext,
)
from windrow.datastream.window.continuous_triggers import ContinuousEventTimeTrigger, ContinuousProcessingTimeTrigger
from windrow.datastream.window.count_assigners import CountSlidingWindowAssigner, CountTumblingWindowAssigner
from windrow.datastream.window.count_trigger import CountTrigger
from windrow.datastream.window.delta import DeltaEvictor, DeltaFunction, DeltaTrigger
from windrow.datastream.window.evictors import CountEvictor, Evictor, EvictorContext, TimeEvictor, TimestampedValue
from windrow.datastream.window.global_windows import EndOfStreamTrigger, GlobalWindows, NeverTrigger
from windrow.datastream.window.nesting_triggers import ProcessingTimeoutTrigger, PurgingTrigger
from windrow.datastream.window.serializers import (
    CountWindowSerializer,
    GlobalWindowSerializer,
    TimeWindowSerializer,
    WindowSerializer,
)
from windrow.datastream.window.session import (
    DynamicEventTimeSessionWindows,
    DynamicProcessingTimeSessionWindows,
    EventTimeSessionWindows,
    ProcessingTimeSessionWindows,
    SessionWindowTimeGapExtractor,
)
from windrow.datastream.window.sliding import SlidingEventTimeWindows, SlidingProcessingTimeWindows
from windrow.datastream.window.time_triggers import EventTimeTrigger, ProcessingTimeTrigger
from windrow.datastream.window.trigger import OnMergeContext, Trigger, TriggerContext, TriggerResult
from windrow.datastream.window.tumbling import TumblingEventTimeWindows, TumblingProcessingTimeWindows, WindowStagger
from windrow.datastream.window.windows import CountWindow, GlobalWindow, TimeWindow, Window

__all__ = [
    "ContinuousEventTimeTrigger",
    "ContinuousProcessingTimeTrigger",
    "CountEvictor",
    "CountSlidingWindowAssigner",
    "CountTrigger",
    "CountTumblingWindowAssigner",
    "CountWindow",
    "CountWindowSerializer",
    "DeltaEvictor",
    "DeltaFunction",
    "DeltaTrigger",
    "DynamicEventTimeSessionWindows",
    "DynamicProcessingTimeSessionWindows",
    "EndOfStreamTrigger",
    "EventTimeSessionWindows",
    "EventTimeTrigger",
    "Evictor",
    "EvictorContext",
    "GlobalWindow",
    "GlobalWindowSerializer",
    "GlobalWindows",
    "MergeCallback",
    "MergingWindowAssigner",
    "NeverTrigger",
    "OnMergeContext",
    "ProcessingTimeSessionWindows",
    "ProcessingTimeTrigger",
    "ProcessingTimeoutTrigger",
    "PurgingTrigger",
    "SessionWindowTimeGapExtractor",
    "SlidingEventTimeWindows",
    "SlidingProcessingTimeWindows",
    "TimeEvictor",
    "TimeWindow",
    "TimeWindowSerializer",
    "TimestampedValue",
    "Trigger",
    "TriggerContext",
    "TriggerResult",
    "TumblingEventTimeWindows",
    "TumblingProcessingTimeWindows",
    "Window",
    "WindowAssigner",
    "WindowAssignerContext",
    "WindowSerializer",
    "WindowStagger",
]
