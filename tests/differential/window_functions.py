"""What is done with windows: each function shows in its results all that it could see."""

from tests.differential.elements import element, show_list, show_map, show_window, start_of, texts, total
from windrow.common import Types
from windrow.datastream import OutputTag, ProcessWindowFunction
from windrow.datastream.functions import (
    AggregateFunction,
    AllWindowFunction,
    ProcessAllWindowFunction,
    ReduceFunction,
    WindowFunction,
)
from windrow.datastream.state import ListStateDescriptor, MapStateDescriptor, ValueStateDescriptor

COUNT = ValueStateDescriptor("w-count", Types.LONG())
VALUES = ListStateDescriptor("w-list", Types.LONG())
FIRINGS = ValueStateDescriptor("g-count", Types.LONG())
CLOSED = ValueStateDescriptor("g-closed", Types.LONG())
BY_REST = MapStateDescriptor("g-map", Types.LONG(), Types.LONG())


class Sum(ReduceFunction):
    """Sums values and joins texts."""

    def __init__(self, *, in_order=True):
        self.in_order = in_order

    def reduce(self, value1, value2):
        text, number, value = f"{value1[3]}+{value2[3]}", max(value1[1], value2[1]), value1[2] + value2[2]
        if self.in_order:
            return element(value1[0], number, value, text)
        return max(value1[0], value2[0]), number, value, "+".join(sorted(text.split("+")))


class Joined(AggregateFunction):
    """The same with an accumulator that keeps each text."""

    def __init__(self, *, in_order):
        self.in_order = in_order

    def create_accumulator(self):
        return "", -(2**63), 0, []

    def add(self, value, accumulator):
        key = value[0] if self.in_order else max(accumulator[0], value[0])
        return key, max(accumulator[1], value[1]), accumulator[2] + value[2], [*accumulator[3], value[3]]

    def get_result(self, accumulator):
        key, number, value, found = accumulator
        return element(key, number, value, "A" + "+".join(found if self.in_order else sorted(found)))

    def merge(self, acc_a, acc_b):
        key = max(acc_a[0], acc_b[0])
        if self.in_order:
            key = acc_a[0] if acc_a[3] else acc_b[0]
        return key, max(acc_a[1], acc_b[1]), acc_a[2] + acc_b[2], acc_a[3] + acc_b[3]


class Applied(WindowFunction):
    def __init__(self, *, in_order):
        self.in_order = in_order

    def apply(self, key, window, inputs):
        seen = list(inputs)
        shown = f"W{show_window(window)}{len(seen)}:{texts(seen, in_order=self.in_order)}"
        yield element(key, start_of(window), total(seen), shown)


class AppliedToAll(AllWindowFunction):
    def __init__(self, *, in_order):
        self.inner = Applied(in_order=in_order)

    def apply(self, window, inputs):
        return self.inner.apply("*", window, inputs)


class _Body:
    """A process function on windows: elements, watermark, state of the window and of its key, side output."""

    def __init__(self, spec, prefix, *, shows_watermark):
        self.spec = spec
        self.tag = OutputTag(prefix + "side")
        self.in_order = not spec.get("sorted")
        self.shows_watermark = shows_watermark and spec.get("wm")

    def process(self, key, context, elements):
        spec, window, seen = self.spec, context.window(), list(elements)
        value, start = total(seen), start_of(window)
        shown = f"P{show_window(window)}{len(seen)}:{texts(seen, in_order=self.in_order)}"
        if self.shows_watermark:
            shown += f"|wm{context.current_watermark()}"
        if spec.get("wstate"):
            shown += self._of_window(context.window_state(), value)
        if spec.get("gstate"):
            shown += self._of_key(context.global_state(), value)
        yield element(key, start, value, shown)
        if spec.get("multi") and value % 3 == 0:
            yield element(key, start, value + 1, "again" + shown)
        if spec.get("side") and len(seen) % 2 == 0:
            yield self.tag, element(key, start, value, "side" + shown)

    def clear(self, context):
        if self.spec.get("gstate"):
            closed = context.global_state().get_state(CLOSED)
            closed.update((closed.value() or 0) + 1)
        if self.spec.get("wstate") and self.spec.get("wclear"):
            context.window_state().get_state(COUNT).clear()
            context.window_state().get_list_state(VALUES).clear()

    @staticmethod
    def _of_window(state, value):
        count, values = state.get_state(COUNT), state.get_list_state(VALUES)
        count.update((count.value() or 0) + 1)
        values.add(value)
        return f"|w{state.get_state(COUNT).value()}{show_list(values.get())}"

    @staticmethod
    def _of_key(state, value):
        firings, by_rest = state.get_state(FIRINGS), state.get_map_state(BY_REST)
        firings.update((firings.value() or 0) + 1)
        by_rest.put(value % 3, (by_rest.get(value % 3) if by_rest.contains(value % 3) else 0) + 1)
        closed = state.get_state(CLOSED).value() or 0
        return f"|g{state.get_state(FIRINGS).value()}c{closed}{show_map(by_rest)}"


class Processed(ProcessWindowFunction):
    def __init__(self, spec, prefix):
        self.body = _Body(spec, prefix, shows_watermark=True)

    def process(self, key, context, elements):
        return self.body.process(key, context, elements)

    def clear(self, context):
        self.body.clear(context)


class ProcessedAll(ProcessAllWindowFunction):
    def __init__(self, spec, prefix):
        self.body = _Body(spec, prefix, shows_watermark=False)

    def process(self, context, elements):
        return self.body.process("*", context, elements)

    def clear(self, context):
        self.body.clear(context)
