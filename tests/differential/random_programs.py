"""Programs written by hypothesis: lambdas, windows and folds over tuples of any kinds, as source that can be read."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from hypothesis import strategies as st

from tests.tracing.programs import KINDS, compiled, expressions, values
from windrow.common import Duration, Time, WatermarkStrategy
from windrow.datastream import DataStream, OutputTag, StreamExecutionEnvironment
from windrow.datastream.functions import AggregateFunction, ProcessWindowFunction
from windrow.datastream.window import (
    ContinuousEventTimeTrigger,
    EventTimeSessionWindows,
    SlidingEventTimeWindows,
    TumblingEventTimeWindows,
)

LATE = OutputTag("late")
#: Times of elements are below this, so that windows hold some.
_MOST = 200


@dataclass(frozen=True)
class Step:
    """A function of elements ``e``: ``map``, ``filter`` or ``flat_map``."""

    method: str
    source: str

    def of(self, stream: DataStream) -> DataStream:
        """What it makes of a stream."""
        made: DataStream = getattr(stream, self.method)(compiled(self.source))
        return made


@dataclass(frozen=True)
class Windows:
    """Keys and windows of them, and what becomes of a window's elements.

    Args:
        key: The source of the key.
        kind: tumbling, sliding, session, count, sliding_count; none: results for each element.
        lengths: Size, slide, lateness.
        early: How often windows fire before their end; 0: they do not.
        takes_late: Whether late elements are results as well.
        fold: The method of a windowed stream.
        source: Of its function, of elements ``a`` and ``b``, or a field.
    """

    key: str
    kind: str
    lengths: tuple[int, int, int]
    takes_late: bool
    fold: str
    source: str
    early: int = 0

    def of(self, stream: DataStream) -> list[DataStream]:
        """Results, and late elements."""
        keyed = stream.key_by(compiled(self.key))
        size, slide, lateness = self.lengths
        if self.kind == "none":
            return [self._folded(keyed)]
        if self.kind == "count":
            return [self._folded(keyed.count_window(size))]
        if self.kind == "sliding_count":
            return [self._folded(keyed.count_window(size, slide))]
        assigner = {
            "tumbling": lambda: TumblingEventTimeWindows.of(Time.milliseconds(size), Time.milliseconds(slide % size)),
            "sliding": lambda: SlidingEventTimeWindows.of(Time.milliseconds(size), Time.milliseconds(slide)),
            "session": lambda: EventTimeSessionWindows.with_gap(Time.milliseconds(slide)),
        }[self.kind]()
        windowed = keyed.window(assigner).allowed_lateness(lateness)
        if self.early:
            windowed = windowed.trigger(ContinuousEventTimeTrigger.of(Time.milliseconds(self.early)))
        if not self.takes_late:
            return [self._folded(windowed)]
        results = self._folded(windowed.side_output_late_data(LATE))
        return [results, results.get_side_output(LATE).map(lambda e: ("late", e))]

    def _folded(self, windowed: Any) -> Any:
        match self.fold:
            case "reduce" | "reduce_and_bounds":
                function = _combiner(self.source)
                return windowed.reduce(function, Bounds()) if self.fold != "reduce" else windowed.reduce(function)
            case "aggregate":
                return windowed.aggregate(Mean(int(self.source)))
            case "process":
                return windowed.process(Listed())
        return getattr(windowed, self.fold)(int(self.source))


@dataclass(frozen=True)
class RandomProgram:
    """A program: its elements, whose last field is their time, what is done to each, and windows."""

    elements: tuple[tuple[Any, ...], ...]
    steps: tuple[Step, ...]
    windows: Windows
    delay: int
    parallelism: int

    def results(self, env: StreamExecutionEnvironment) -> DataStream:
        """All that comes of it."""
        strategy = WatermarkStrategy.for_bounded_out_of_orderness(Duration.of_millis(self.delay))
        stream = env.set_parallelism(self.parallelism).from_collection(list(self.elements))
        for step in self.steps:
            stream = step.of(stream)
        timed = stream.assign_timestamps_and_watermarks(strategy.with_timestamp_assigner(lambda e, _: e[-1]))
        first, *others = self.windows.of(timed)
        return first.union(*others) if others else first


class Mean(AggregateFunction):
    """How many values of a field there are, what they add up to, and by each other."""

    def __init__(self, field: int) -> None:
        self._field = field

    def create_accumulator(self) -> tuple[int, int]:
        return 0, 0

    def add(self, value: Any, accumulator: Any) -> Any:
        return accumulator[0] + 1, accumulator[1] + value[self._field]

    def get_result(self, accumulator: Any) -> Any:
        return accumulator[0], accumulator[1], accumulator[1] / accumulator[0]

    def merge(self, one: Any, other: Any) -> Any:
        return one[0] + other[0], one[1] + other[1]


class Bounds(ProcessWindowFunction):
    """A window's results with its key, its start and its end."""

    def process(self, key: Any, context: Any, elements: Any) -> Any:
        window = context.window()
        return [(key, getattr(window, "start", None), getattr(window, "end", None), each) for each in elements]


class Listed(ProcessWindowFunction):
    """A window's elements."""

    def process(self, key: Any, context: Any, elements: Any) -> Any:
        yield key, tuple(elements)


def _combiner(source: str) -> Callable[[Any, Any], Any]:
    function: Callable[[Any, Any], Any] = eval(f"lambda a, b: {source}")
    return function


@st.composite
def random_programs(draw: st.DrawFn) -> RandomProgram:
    """Programs of tuples with one to three fields and a time."""
    kinds = (*draw(st.lists(st.sampled_from(list(KINDS)), min_size=1, max_size=3)), "int")
    wide = [draw(st.integers(0, 5)) == 0 for _ in kinds]
    nullable = [draw(st.integers(0, 7)) == 0 for _ in kinds]
    fields = [values(*each) for each in zip(kinds[:-1], wide, nullable, strict=False)]
    few = [draw(st.lists(each, min_size=1, max_size=5)) for each in fields]
    element = st.tuples(*[st.sampled_from(each) for each in few], st.integers(0, _MOST))
    elements = draw(st.lists(element, min_size=1, max_size=60))
    program = RandomProgram(
        elements=tuple(elements),
        steps=(),
        windows=Windows("", "", (0, 0, 0), False, "", ""),
        delay=draw(st.sampled_from([0, 0, 5, 40])),
        parallelism=draw(st.sampled_from([1, 1, 2])),
    )
    steps = []
    for _ in range(draw(st.integers(0, 2))):
        step, kinds = draw(_steps(kinds))
        steps.append(step)
    return replace(program, steps=tuple(steps), windows=draw(_windows(kinds)))


#: Sums of these are the same in any order.
_EXACT = st.integers(-40, 40).map(lambda number: number / 4) | st.sampled_from([math.inf, -math.inf, -0.0])


@st.composite
def float_sums(draw: st.DrawFn) -> RandomProgram:
    """Programs that add up floats in windows of event time; the sums are exact."""
    element = st.tuples(st.integers(0, 2), _EXACT, st.integers(0, _MOST))
    fold, source = draw(
        st.sampled_from(
            [
                ("reduce", "(a[0], a[1] + b[1], b[2])"),
                ("reduce", "(a[0], a[1] + b[1], a[2] + b[2])"),
                ("reduce_and_bounds", "(a[0], b[1] + a[1], max(a[2], b[2]))"),
                ("sum", "1"),
            ]
        )
    )
    kind = draw(st.sampled_from(["tumbling", "sliding", "sliding", "session"]))
    lengths = draw(st.sampled_from([10, 25, 60])), draw(st.sampled_from([5, 10, 15])), draw(st.sampled_from([0, 20]))
    return RandomProgram(
        elements=tuple(draw(st.lists(element, min_size=1, max_size=60))),
        steps=(),
        windows=Windows("e[0]", kind, lengths, draw(st.booleans()), fold, source),
        delay=draw(st.sampled_from([0, 5, 40])),
        parallelism=draw(st.sampled_from([1, 2])),
    )


@st.composite
def _steps(draw: st.DrawFn, kinds: tuple[str, ...]) -> tuple[Step, tuple[str, ...]]:
    method = draw(st.sampled_from(["map", "map", "filter", "flat_map"]))
    if method == "filter":
        return Step(method, draw(expressions(kinds, "bool", 2))), kinds
    made = tuple(draw(st.lists(st.sampled_from(list(KINDS)), min_size=1, max_size=3)))
    each = "".join(f"{draw(expressions(kinds, kind, 2))}, " for kind in made)
    source = f"({each}e[-1])"
    if method == "flat_map":
        source = f"[{source}] * (e[-1] % 3)"
    return Step(method, source), (*made, "int")


@st.composite
def _windows(draw: st.DrawFn, kinds: tuple[str, ...]) -> Windows:
    def some(kind: str) -> str:
        return draw(expressions(kinds, kind, 1))

    key = draw(
        st.sampled_from([f"{some('int')} % 3", some("str"), some("bool"), f"({some('int')} % 2, {some('str')})", "0"])
    )
    kind = draw(st.sampled_from(["tumbling", "sliding", "session", "count", "sliding_count", "none"]))
    size = draw(st.sampled_from([1, 2, 3]) if "count" in kind else st.sampled_from([10, 25, 60]))
    slide = draw(st.sampled_from([1, 2, 5] if "count" in kind else [5, 10, 15, 70]))
    numbers = [place for place, each in enumerate(kinds) if each in ("int", "float")]
    field = draw(st.sampled_from(numbers))
    folds = ["reduce", "reduce", "sum", "min", "max", "min_by", "max_by"]
    if kind != "none":
        folds += ["aggregate", "aggregate", "reduce_and_bounds", "process"]
    fold = draw(st.sampled_from(folds))
    source = draw(_combining(kinds)) if fold.startswith("reduce") else str(field)
    lengths = (size, slide, draw(st.sampled_from([0, 0, 20])))
    return Windows(key, kind, lengths, draw(st.booleans()), fold, source, draw(st.sampled_from([0, 0, 3, 15])))


@st.composite
def _combining(draw: st.DrawFn, kinds: tuple[str, ...]) -> str:
    """The source of a function of elements ``a`` and ``b``."""
    place = draw(st.integers(0, len(kinds) - 1))
    if draw(st.integers(0, 4)) == 0:
        return f"a if a[{place}] {draw(st.sampled_from(['<', '<=', '>', '>=']))} b[{place}] else b"
    made = []
    for number, kind in enumerate(kinds):
        one, other = f"a[{number}]", f"b[{number}]"
        forms = [one, other, f"min({one}, {other})", f"max({one}, {other})", f"{one} if {one} < {other} else {other}"]
        if kind != "bool":
            forms += [f"{one} + {other}"] * 3
        if kind == "float":
            forms.append(f"{one} * {other}")
        made.append(draw(st.sampled_from(forms)))
    return f"({', '.join(made)},)"
