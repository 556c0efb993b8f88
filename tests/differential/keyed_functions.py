"""A process function that keeps state of five kinds, sets and deletes timers, and shows all of it."""

from tests.differential.elements import element, show_list, show_map
from windrow.common import Types
from windrow.datastream import KeyedCoProcessFunction, KeyedProcessFunction, OutputTag
from windrow.datastream.functions import AggregateFunction
from windrow.datastream.state import (
    AggregatingStateDescriptor,
    ListStateDescriptor,
    MapStateDescriptor,
    ReducingStateDescriptor,
    ValueStateDescriptor,
)


class Mean(AggregateFunction):
    """The sum and the count in one number."""

    def create_accumulator(self):
        return 0, 0

    def add(self, value, accumulator):
        return accumulator[0] + value, accumulator[1] + 1

    def get_result(self, accumulator):
        return accumulator[0] * 100 + accumulator[1]

    def merge(self, acc_a, acc_b):
        return acc_a[0] + acc_b[0], acc_a[1] + acc_b[1]


def mix(first, second):
    """A number that tells the order of what was mixed."""
    return (first * 3 + second) % 100003


def aggregating_state(context):
    accumulators = Types.TUPLE([Types.LONG(), Types.LONG()])
    return context.get_aggregating_state(AggregatingStateDescriptor("agg", Mean(), accumulators))


def reducing_state(context):
    return context.get_reducing_state(ReducingStateDescriptor("red", mix, Types.LONG()))


def list_state(context):
    return context.get_list_state(ListStateDescriptor("list", Types.LONG()))


def value_state(context, name):
    return context.get_state(ValueStateDescriptor(name, Types.LONG()))


def none(value):
    return "N" if value is None else value


class Actor:
    """What is done with an element of either input, and when a timer fires."""

    def __init__(self, spec, prefix):
        self.spec, self.side = spec, OutputTag(prefix + "side")

    def open(self, context):
        self.count, self.last, self.fired = (value_state(context, name) for name in ("count", "last", "fired"))
        self.list, self.red, self.agg = list_state(context), reducing_state(context), aggregating_state(context)
        self.map = context.get_map_state(MapStateDescriptor("map", Types.LONG(), Types.LONG()))

    def snapshot(self):
        empty = "E" if self.map.is_empty() else ""
        seen = f"c{none(self.count.value())}|l{show_list(self.list.get())}|m{show_map(self.map)}{empty}"
        return f"{seen}|r{none(self.red.get())}|a{none(self.agg.get())}"

    def clear(self, what):
        for name in ("count", "list", "map", "red", "agg"):
            if what in (name, "all"):
                getattr(self, name).clear()

    def on_element(self, which, value, context):
        action, timers, time = self.spec[which], context.timer_service(), context.timestamp()
        self._keep(value[2], action["keep"])
        self._set_timers(action, value[2], timers, time)
        if action["clear"] and value[2] % action["clear"] == 0:
            self.clear(action["what"])
        key = context.get_current_key()
        if action["side"] and value[2] % action["side"] == 0:
            yield self.side, element(key, time, value[2], "S" + value[3])
        if value[2] % action["emit"] == 0:
            shown = f"{value[3]}>{self.snapshot()}|wm{timers.current_watermark()}"
            yield element(key, time, value[2], shown)

    def on_timer(self, time, context):
        spec, timers, key = self.spec, context.timer_service(), context.get_current_key()
        number = (self.fired.value() or 0) + 1
        self.fired.update(number)
        shown = f"T{time}>{self.snapshot()}|wm{timers.current_watermark()}"
        yield element(key, context.timestamp(), number, shown)
        if spec["again"] and number % spec["again_mod"] and number < spec["limit"]:
            timers.register_event_time_timer(time + spec["again"])
        if spec["timer_clear"] and number % spec["timer_clear"] == 0:
            self.clear("all")
            yield self.side, element(key, time, number, "cleared")

    def _keep(self, value, most):
        self.count.update((self.count.value() or 0) + 1)
        self.list.add(value)
        kept = list(self.list.get())
        if len(kept) > most:
            self.list.update(kept[-most:])
        rest = value % 3
        self.map.put(rest, (self.map.get(rest) if self.map.contains(rest) else 0) + value)
        if value % 5 == 0:
            self.map.remove(rest)
        self.red.add(value)
        self.agg.add(value)

    def _set_timers(self, action, value, timers, time):
        for timer in action["timers"]:
            if (value + timer["off"]) % timer["mod"] == 0:
                timers.register_event_time_timer(time + timer["d"])
                self.last.update(time + timer["d"])
        for timer in action["deletes"]:
            if (value + timer["off"]) % timer["mod"] == 0:
                if not timer["last"]:
                    timers.delete_event_time_timer(time + timer["d"])
                elif self.last.value() is not None:
                    timers.delete_event_time_timer(self.last.value())


class Keyed(KeyedProcessFunction):
    def __init__(self, spec, prefix):
        self.actor = Actor(spec, prefix)

    def open(self, runtime_context):
        self.actor.open(runtime_context)

    def process_element(self, value, ctx):
        return self.actor.on_element("a1", value, ctx)

    def on_timer(self, timestamp, ctx):
        return self.actor.on_timer(timestamp, ctx)


class KeyedCo(KeyedCoProcessFunction):
    def __init__(self, spec, prefix):
        self.actor = Actor(spec, prefix)

    def open(self, runtime_context):
        self.actor.open(runtime_context)

    def process_element1(self, value, ctx):
        return self.actor.on_element("a1", value, ctx)

    def process_element2(self, value, ctx):
        return self.actor.on_element("a2", value, ctx)

    def on_timer(self, timestamp, ctx):
        return self.actor.on_timer(timestamp, ctx)
