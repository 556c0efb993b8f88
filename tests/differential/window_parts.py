"""Assigners, triggers and evictors from their descriptions."""

from windrow.common import Types
from windrow.datastream import Trigger, TriggerResult
from windrow.datastream.state import ReducingStateDescriptor
from windrow.datastream.window import (
    ContinuousEventTimeTrigger,
    CountEvictor,
    CountTrigger,
    DeltaEvictor,
    DeltaTrigger,
    EventTimeSessionWindows,
    EventTimeTrigger,
    GlobalWindows,
    PurgingTrigger,
    SlidingEventTimeWindows,
    TimeEvictor,
    TumblingEventTimeWindows,
)


class Never(Trigger):
    """Fires never, on windows that may merge."""

    def on_element(self, element, timestamp, window, ctx):
        return TriggerResult.CONTINUE

    def on_event_time(self, time, window, ctx):
        return TriggerResult.CONTINUE

    def on_processing_time(self, time, window, ctx):
        return TriggerResult.CONTINUE

    def can_merge(self):
        return True

    def on_merge(self, window, ctx):
        """Nothing is kept."""

    def clear(self, window, ctx):
        """Nothing is kept."""


class Custom(Never):
    """Fires when the sum of the values comes to a limit, some time behind each element, and perhaps at the end."""

    def __init__(self, spec):
        self.spec = spec
        self.sum = ReducingStateDescriptor("c-sum", lambda a, b: a + b, Types.LONG())

    def on_element(self, element, timestamp, window, ctx):
        spec = self.spec
        values = ctx.get_partitioned_state(self.sum)
        values.add(element[2])
        self._register_end(window, ctx)
        if values.get() >= spec["limit"]:
            values.clear()
            return TriggerResult.FIRE_AND_PURGE if spec["purge"] else TriggerResult.FIRE
        if timestamp + spec["delay"] < window.max_timestamp():
            ctx.register_event_time_timer(timestamp + spec["delay"])
        if spec["delete"] and element[2] % 2 == 1:
            ctx.delete_event_time_timer(timestamp + spec["delay"] - 2)
        return TriggerResult.CONTINUE

    def on_event_time(self, time, window, ctx):
        if time != window.max_timestamp():
            return TriggerResult.FIRE
        at_end = {"fire": TriggerResult.FIRE, "none": TriggerResult.CONTINUE}
        return at_end.get(self.spec["at_end"], TriggerResult.FIRE_AND_PURGE)

    def on_merge(self, window, ctx):
        ctx.merge_partitioned_state(self.sum)
        self._register_end(window, ctx)

    def clear(self, window, ctx):
        ctx.get_partitioned_state(self.sum).clear()

    def _register_end(self, window, ctx):
        if self.spec["at_end"] != "none" and window.max_timestamp() > ctx.get_current_watermark():
            ctx.register_event_time_timer(window.max_timestamp())


def rise(old, new):
    """By how much the value has risen."""
    return new[2] - old[2]


def trigger_of(spec):
    match spec["type"]:
        case "count":
            return CountTrigger.of(spec["n"])
        case "continuous":
            return ContinuousEventTimeTrigger.of(spec["interval"])
        case "purging":
            return PurgingTrigger.of(trigger_of(spec["inner"]))
        case "delta":
            return DeltaTrigger.of(spec["threshold"], rise)
        case "event":
            return EventTimeTrigger.create()
        case "never":
            return Never()
    return Custom(spec)


def evictor_of(spec):
    match spec["type"]:
        case "count":
            return CountEvictor.of(spec["n"], spec["after"])
        case "time":
            return TimeEvictor.of(spec["size"], spec["after"])
    return DeltaEvictor.of(spec["threshold"], rise, spec["after"])


def assigner_of(spec):
    match spec["type"]:
        case "tumbling":
            return TumblingEventTimeWindows.of(spec["size"], spec["offset"])
        case "sliding":
            return SlidingEventTimeWindows.of(spec["size"], spec["slide"], spec["offset"])
        case "session":
            return EventTimeSessionWindows.with_gap(spec["gap"])
        case "dynamic":
            base, mod = spec["base"], spec["mod"]
            return EventTimeSessionWindows.with_dynamic_gap(lambda value: base + value[2] % mod)
        case "eos":
            return GlobalWindows.create_with_end_of_stream_trigger()
    return GlobalWindows.create()
