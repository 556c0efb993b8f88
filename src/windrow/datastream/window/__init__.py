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
from windrow.datastream.window.count_evictor import CountEvictor
from windrow.datastream.window.count_trigger import CountTrigger
from windrow.datastream.window.delta import DeltaFunction
from windrow.datastream.window.delta_evictor import DeltaEvictor
from windrow.datastream.window.delta_trigger import DeltaTrigger
from windrow.datastream.window.dynamic_session import (
    DynamicEventTimeSessionWindows,
    DynamicProcessingTimeSessionWindows,
    SessionWindowTimeGapExtractor,
)
from windrow.datastream.window.evictor import Evictor, EvictorContext, TimestampedValue
from windrow.datastream.window.global_triggers import EndOfStreamTrigger, NeverTrigger
from windrow.datastream.window.global_windows import GlobalWindows
from windrow.datastream.window.processing_timeout_trigger import ProcessingTimeoutTrigger
from windrow.datastream.window.purging_trigger import PurgingTrigger
from windrow.datastream.window.serializers import (
    CountWindowSerializer,
    GlobalWindowSerializer,
    TimeWindowSerializer,
    WindowSerializer,
)
from windrow.datastream.window.session import EventTimeSessionWindows, ProcessingTimeSessionWindows
from windrow.datastream.window.sliding import SlidingEventTimeWindows, SlidingProcessingTimeWindows
from windrow.datastream.window.stagger import WindowStagger
from windrow.datastream.window.time_evictor import TimeEvictor
from windrow.datastream.window.time_triggers import EventTimeTrigger, ProcessingTimeTrigger
from windrow.datastream.window.trigger import OnMergeContext, Trigger, TriggerContext, TriggerResult
from windrow.datastream.window.tumbling import TumblingEventTimeWindows, TumblingProcessingTimeWindows
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
