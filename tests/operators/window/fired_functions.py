"""Window functions behind reduce and aggregate: some can be traced, and others have to be called."""

from windrow.datastream.functions import ProcessWindowFunction, WindowFunction
from windrow.datastream.output_tag import OutputTag
from windrow.datastream.window import EventTimeTrigger, PurgingTrigger

LATE = "late"


class Bounds(ProcessWindowFunction):
    """The key and the window, once for its one value: traced."""

    def process(self, key, context, elements):
        for _ in elements:
            yield key, context.window().start, context.window().max_timestamp()


class Value(WindowFunction):
    """The value itself: traced."""

    def apply(self, key, window, inputs):
        return [next(iter(inputs))]


class OddEnds(ProcessWindowFunction):
    """The key of windows with odd ends: traced, and not each firing has a result."""

    def process(self, key, context, elements):
        if context.window().end % 2 == 1:
            yield key, len(elements)


class Listed(ProcessWindowFunction):
    """Compares the list that it is given with others: traced."""

    def process(self, key, context, elements):
        if elements in ([0], [1], ["a"]):
            return
        if elements == [-2]:
            yield key, -1
        yield key, 0


class Sometimes(ProcessWindowFunction):
    """Gives out the list for some keys: called for each firing."""

    def process(self, key, context, elements):
        yield elements if key in (1, "a") else (elements[0],)


class Shown(ProcessWindowFunction):
    """All that it is told, as text: called for each firing."""

    def process(self, key, context, elements):
        yield f"{key} {context.window()} {elements}"
        yield f"at {context.current_watermark()}"


class Aside(ProcessWindowFunction):
    """Tells a side output: called for each firing."""

    def process(self, key, context, elements):
        yield OutputTag(LATE), f"{key} {context.window()}"
        yield from elements


class Counted(ProcessWindowFunction):
    """Counts the windows of a key: called for each firing, and it keeps state."""

    def process(self, key, context, elements):
        from windrow.common import Types
        from windrow.datastream.state import ValueStateDescriptor

        state = context.global_state().get_state(ValueStateDescriptor("count", Types.LONG()))
        state.update((state.value() or 0) + 1)
        return [(key, state.value(), *elements)]


class Cleared(Counted):
    """Wants to hear that a window is over."""

    def clear(self, context):
        context.window()


TRACED = [Bounds(), Value(), OddEnds()]
FUNCTIONS = [None, None, *TRACED, Listed(), Sometimes(), Shown(), Aside(), Counted(), Cleared()]
TRIGGERS = [None, None, PurgingTrigger.of(EventTimeTrigger.create())]
