"""A trigger with its own state, timers and clocks, and nothing around it."""

from windrow.common.limits import LONG_MIN
from windrow.operators.base import OperatorContext, Time
from windrow.operators.window.trigger_context import OperatorTriggerContext
from windrow.state.keyed import KeyedState


class TriggerBench:
    """Calls a trigger for one key; ``entry``, ``event_timers`` and ``processing_timers`` show what it keeps."""

    def __init__(self, trigger):
        self.trigger = trigger
        self.state = KeyedState()
        self.state.set_current_key("key")
        self.time = Time(LONG_MIN, 0)
        self.context = OperatorTriggerContext(OperatorContext("bench", None, self.time, self.state, None))

    @property
    def event_timers(self):
        return [(time, window) for time, _, window in self.state.event_timers]

    @property
    def processing_timers(self):
        return [(time, window) for time, _, window in self.state.processing_timers]

    @property
    def entry(self):
        return self.state.entry

    def element(self, window, value=None, timestamp=0):
        self.context.window = window
        return self.trigger.on_element(value, timestamp, window, self.context)

    def event_time(self, time, window):
        self.context.window = window
        return self.trigger.on_event_time(time, window, self.context)

    def processing_time(self, time, window):
        self.context.window = window
        return self.trigger.on_processing_time(time, window, self.context)

    def merge(self, target, sources):
        self.context.window = target
        self.context.merged_windows = sources
        self.trigger.on_merge(target, self.context)
        for source in sources:
            self.clear(source)

    def clear(self, window):
        self.context.window = window
        self.trigger.clear(window, self.context)
