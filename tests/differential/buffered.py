"""A process function on two streams that keeps elements until their time has come."""

from tests.differential.elements import element, show_list
from tests.differential.keyed_functions import aggregating_state, list_state, reducing_state, value_state
from windrow.common import Types
from windrow.datastream import KeyedCoProcessFunction, OutputTag
from windrow.datastream.state import MapStateDescriptor


class Buffered(KeyedCoProcessFunction):
    """Gives both inputs' elements in the order of their timestamps, and says when nothing has come for a while."""

    def __init__(self, spec, prefix):
        self.spec, self.side = spec, OutputTag(prefix + "side")

    def open(self, runtime_context):
        kept = MapStateDescriptor("buffer", Types.LONG(), Types.LIST(Types.STRING()))
        self.buffer = runtime_context.get_map_state(kept)
        self.list, self.red = list_state(runtime_context), reducing_state(runtime_context)
        self.agg = aggregating_state(runtime_context)
        self.idle_at, self.idled = (value_state(runtime_context, name) for name in ("idle-at", "idled"))

    def process_element1(self, value, ctx):
        self._keep("1", value, ctx)

    def process_element2(self, value, ctx):
        self._keep("2", value, ctx)

    def on_timer(self, timestamp, ctx):
        spec, key, timers = self.spec, ctx.get_current_key(), ctx.timer_service()
        kept = self.buffer.get(timestamp)
        if kept is None:
            number = (self.idled.value() or 0) + 1
            self.idled.update(number)
            yield element(key, timestamp, number, "idle")
            if number < spec["limit"]:
                self._wake(timers, timestamp + 2 * spec["idle"])
            return
        for text in sorted(kept):
            yield from self._give(key, timestamp, text)
        if spec["delete"] and self.idle_at.value() is not None:
            timers.delete_event_time_timer(self.idle_at.value())
        if spec["idle"]:
            self._wake(timers, timestamp + spec["idle"])
        self.buffer.remove(timestamp)

    def _keep(self, which, value, context):
        time = context.timestamp()
        self.buffer.put(time, [*(self.buffer.get(time) or []), f"{which}{value[3]}:{value[2]}"])
        context.timer_service().register_event_time_timer(time)

    def _give(self, key, time, text):
        value = int(text[text.index(":") + 1 :])
        for state in (self.list, self.red, self.agg):
            state.add(value)
        shown = list(self.list.get())
        if len(shown) > self.spec["keep"]:
            self.list.clear()
        yield element(key, time, value, f"{text}>{show_list(shown)}{self.red.get()},{self.agg.get()}")
        if self.spec["side"] and value % self.spec["side"] == 0:
            yield self.side, element(key, time, value, "side" + text)

    def _wake(self, timers, time):
        timers.register_event_time_timer(time)
        self.idle_at.update(time)
