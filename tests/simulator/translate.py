"""From a program to the window operation that it describes, and from what that emits to what the oracle expects."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from tests.simulator.oracle import Emission
from tests.simulator.program import Element, Evictor, Global, Program, Session, Sliding, gap_of
from windrow.common.limits import NO_TIMESTAMP
from windrow.datastream.functions import AggregateFunction, ProcessWindowFunction, WindowFunction
from windrow.datastream.state import ValueStateDescriptor
from windrow.datastream.window import (
    ContinuousEventTimeTrigger,
    CountEvictor,
    CountTrigger,
    DeltaEvictor,
    DynamicEventTimeSessionWindows,
    EventTimeSessionWindows,
    EventTimeTrigger,
    GlobalWindows,
    PurgingTrigger,
    SlidingEventTimeWindows,
    TimeEvictor,
    TumblingEventTimeWindows,
)
from windrow.operators.window.spec import WindowSpec

LATE = "late"
_FIRINGS = ValueStateDescriptor("firings")

# Elements are plain tuples (key, ids, x), so that workers need no module of the tests to read them.
Value = tuple[Any, tuple[int, ...], int]


def value_of(element: Element) -> Value:
    """The element as it goes into the operator; reducing joins the ids."""
    return element.key, (element.id,), element.x


def key_of(value: Value) -> Any:
    return value[0]


def timestamp_of(element: Element) -> int:
    return NO_TIMESTAMP if element.timestamp is None else element.timestamp


class Shown(NamedTuple):
    """What is seen of a firing; None for what the function does not show."""

    key: Any
    start: int | None
    end: int | None
    #: Of elements; for the second of two window operations the results of the first.
    ids: tuple[Any, ...]
    firing: int | None
    timestamp: int


def shown_of(value: Any, timestamp: int) -> Shown:
    """What an emitted record shows."""
    match value:
        case ("shown", key, start, end, ids, firing):
            return Shown(key, start, end, ids, firing, timestamp)
        case ("gathered", key, results):
            return Shown(key, None, None, results, None, timestamp)
        case ("aggregated", *ids):
            return Shown(None, None, None, tuple(ids), None, timestamp)
        case (key, ids, _):
            return Shown(key, None, None, ids, None, timestamp)
    msg = f"not an output of the simulator's functions: {value!r}"
    raise AssertionError(msg)


def expected_of(program: Program, emission: Emission) -> Shown | None:
    """What the program's function shows of a firing; None if it emits nothing for it."""
    e = emission
    if not e.ids and program.function.startswith("reduce"):
        return None
    if program.function == "reduce":
        return Shown(e.key, None, None, e.ids, None, e.timestamp)
    if program.function == "aggregate":
        return Shown(None, None, None, e.ids, None, e.timestamp)
    firing = e.firing if program.function == "numbered" else None
    return Shown(e.key, e.start, e.end, e.ids, firing, e.timestamp)


def join(first: Value, second: Value) -> Value:
    return first[0], first[1] + second[1], second[2]


class Collect(AggregateFunction):
    def create_accumulator(self) -> tuple[Any, ...]:
        return ("aggregated",)

    def add(self, value: Value, accumulator: tuple[Any, ...]) -> tuple[Any, ...]:
        return accumulator + value[1]

    def get_result(self, accumulator: tuple[Any, ...]) -> tuple[Any, ...]:
        return accumulator

    def merge(self, acc_a: tuple[Any, ...], acc_b: tuple[Any, ...]) -> tuple[Any, ...]:
        return acc_a + acc_b[1:]


def ids_of(contents: Iterable[Any]) -> tuple[int, ...]:
    """The ids in elements, in a reduced element, or in an aggregate's result."""
    return tuple(i for one in contents for i in (one[1:] if one[0] == "aggregated" else one[1]))


def _show(key: Any, window: Any, contents: Iterable[Any], firing: int | None = None) -> tuple[Any, ...]:
    return "shown", key, getattr(window, "start", None), getattr(window, "end", None), ids_of(contents), firing


class Process(ProcessWindowFunction):
    def process(self, key: Any, context: Any, elements: Iterable[Any]) -> Iterable[Any]:
        yield _show(key, context.window(), elements)


class Apply(WindowFunction):
    def apply(self, key: Any, window: Any, inputs: Iterable[Any]) -> Iterable[Any]:
        yield _show(key, window, inputs)


class Numbered(ProcessWindowFunction):
    """Counts its calls in the window's state."""

    def process(self, key: Any, context: Any, elements: Iterable[Any]) -> Iterable[Any]:
        state = context.window_state().get_state(_FIRINGS)
        state.update((state.value() or 0) + 1)
        yield _show(key, context.window(), elements, state.value())

    def clear(self, context: Any) -> None:
        context.window_state().get_state(_FIRINGS).clear()


def spec_of(program: Program) -> WindowSpec:
    """The window operation."""
    first, _, second = program.function.partition("+")
    incremental = {"reduce": join, "aggregate": Collect()}.get(first)
    functions = {"process": Process, "apply": Apply, "numbered": Numbered}
    function = functions.get(second if incremental else first)
    return WindowSpec(
        _assigner(program.windows),
        _trigger(program),
        _evictor(program.evictor),
        program.lateness,
        LATE if program.side_output else None,
        incremental,
        None if function is None else function(),
    )


def _assigner(windows: Sliding | Session | Global) -> Any:
    match windows:
        case Sliding(size, slide, offset):
            if size == slide:
                return TumblingEventTimeWindows.of(size, offset)
            return SlidingEventTimeWindows.of(size, slide, offset)
        case Session(None):
            return DynamicEventTimeSessionWindows.with_dynamic_gap(lambda value: gap_of(value[2]))
        case Session(gap):
            return EventTimeSessionWindows.with_gap(gap)
    return GlobalWindows.create()


def _trigger(program: Program) -> Any:
    kind, number, purging = program.trigger
    trigger: Any = EventTimeTrigger.create()
    if kind == "count":
        trigger = CountTrigger.of(number)
    elif kind == "continuous":
        trigger = ContinuousEventTimeTrigger.of(number)
    return PurgingTrigger.of(trigger) if purging else trigger


def _evictor(evictor: Evictor | None) -> Any:
    if evictor is None:
        return None
    kind, number, after = evictor
    if kind == "delta":
        return DeltaEvictor.of(number, lambda value, last: value[2] - last[2], after)
    return (CountEvictor if kind == "count" else TimeEvictor).of(number, after)
