"""Programs that differ in what they say of one window, and what such a window has to give when they replace each other.

Every program of :data:`PROGRAMS` keeps reduced values in tumbling windows: a checkpoint of one fits the others.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from windrow.common import Configuration, WatermarkStrategy
from windrow.common.watermark_strategy import Watermark, WatermarkGenerator
from windrow.connectors.interfaces import DriverSink
from windrow.datastream import (
    AggregateFunction,
    DataStream,
    OutputTag,
    ProcessWindowFunction,
    ReduceFunction,
    StreamExecutionEnvironment,
)
from windrow.datastream.window import (
    ContinuousEventTimeTrigger,
    CountEvictor,
    CountTrigger,
    EventTimeSessionWindows,
    EventTimeTrigger,
    GlobalWindows,
    PurgingTrigger,
    SlidingEventTimeWindows,
    TimeWindow,
    TumblingEventTimeWindows,
)
from windrow.runtime.local.executor import LocalExecutor
from windrow.runtime.stage.sinks import SinkRouter

SIZE = 10
LATE = OutputTag("late")


class Sink(DriverSink):
    """Keeps what comes."""

    def __init__(self):
        self.elements = []

    def deliver(self, values, timestamps):
        self.elements.extend(values)


class EachElement(WatermarkGenerator):
    """A watermark behind each element: the newest timestamp."""

    def __init__(self):
        self.newest = -1

    def on_event(self, event, event_timestamp, output):
        self.newest = max(self.newest, event_timestamp)
        output.emit_watermark(Watermark(self.newest))

    def on_periodic_emit(self, output):
        """Elements decide."""


class Rich(ReduceFunction):
    """A sum with an ``open``: the operator for many elements at a time does not take it."""

    def open(self, runtime_context):
        self.context = runtime_context

    def reduce(self, value1, value2):
        return value1[0], value1[1], value1[2] + value2[2]


class Sum(AggregateFunction):
    """The same as an accumulator."""

    def create_accumulator(self):
        return 0

    def add(self, value, accumulator):
        return accumulator + value[2]

    def get_result(self, accumulator):
        return "", 0, accumulator

    def merge(self, acc_a, acc_b):
        return acc_a + acc_b


class Show(ProcessWindowFunction):
    """The key, the window and the sum."""

    def process(self, key, context, elements):
        window = context.window()
        start, end = (window.start, window.end) if isinstance(window, TimeWindow) else (0, 0)
        yield key, start, end, sum(element[2] for element in elements)


@dataclass(frozen=True)
class Variant:
    """What a program says of its window."""

    lateness: int = 0
    trigger: Any = None
    rich: bool = False
    tag: bool = False
    size: int = SIZE
    #: What windows hold: "reduced" values, "accumulators", "elements", or those of an "evictor".
    holds: str = "reduced"
    #: Windows in place of tumbling ones of ``size``.
    assigner: Any = None

    def get_assigner(self) -> Any:
        """The windows."""
        return TumblingEventTimeWindows.of(self.size) if self.assigner is None else self.assigner

    @property
    def fires_at_end(self) -> bool:
        """Whether a window fires at its end and at no other time."""
        return not isinstance(self.trigger, CountTrigger | ContinuousEventTimeTrigger)


PROGRAMS = {
    "plain": Variant(),
    "rich": Variant(rich=True),
    "late tag": Variant(tag=True),
    "lateness": Variant(lateness=15),
    "longer lateness": Variant(lateness=30, tag=True),
    "event-time trigger": Variant(trigger=EventTimeTrigger.create(), lateness=5),
    "purging": Variant(trigger=PurgingTrigger.of(EventTimeTrigger.create())),
    "purging, lateness": Variant(trigger=PurgingTrigger.of(EventTimeTrigger.create()), lateness=15),
    "continuous": Variant(trigger=ContinuousEventTimeTrigger.of(4)),
    "continuous, lateness": Variant(trigger=ContinuousEventTimeTrigger.of(4), lateness=15),
    "count": Variant(trigger=CountTrigger.of(1)),
    "count, lateness": Variant(trigger=CountTrigger.of(1), lateness=15),
}
#: What windows may hold besides, each alone or with a lateness and another trigger.
OTHERS = {
    name: [
        kind,
        replace(kind, lateness=15),
        replace(kind, lateness=4, trigger=ContinuousEventTimeTrigger.of(4)),
        replace(kind, trigger=CountTrigger.of(1)),
    ]
    for name, kind in {
        "accumulators": Variant(holds="accumulators"),
        "elements": Variant(holds="elements"),
        "elements with timestamps": Variant(holds="evictor"),
        "sessions": Variant(assigner=EventTimeSessionWindows.with_gap(5)),
        "sessions of elements": Variant(assigner=EventTimeSessionWindows.with_gap(5), holds="elements"),
        "sliding": Variant(assigner=SlidingEventTimeWindows.of(12, 4), holds="accumulators"),
    }.items()
}


def windows(
    env: StreamExecutionEnvironment, elements: Iterable[Any], variant: Variant, fails_at: int | None = None
) -> tuple[Sink, Sink]:
    """The program: what comes out of its windows, and what was late. It may fail at the element of some time."""

    def seen(element):
        if element[1] == fails_at:
            msg = "here"
            raise ValueError(msg)
        return element

    times = WatermarkStrategy.for_generator(EachElement).with_timestamp_assigner(lambda value, _: value[1])
    stream = env.from_collection(list(elements)).uid("in").map(seen).uid("seen")
    stream = stream.assign_timestamps_and_watermarks(times).uid("times")
    windowed = stream.key_by(lambda value: value[0]).window(variant.get_assigner())
    if variant.lateness:
        windowed = windowed.allowed_lateness(variant.lateness)
    if variant.trigger is not None:
        windowed = windowed.trigger(variant.trigger)
    if variant.tag:
        windowed = windowed.side_output_late_data(LATE)
    results = _with_function(windowed, variant).uid("windows")
    out, late = Sink(), Sink()
    results.sink_to(out).uid("out")
    results.get_side_output(LATE).sink_to(late).uid("late")
    return out, late


def _with_function(windowed: Any, variant: Variant) -> DataStream:
    if variant.holds == "evictor":
        windowed = windowed.evictor(CountEvictor.of(1000))
    if variant.holds in ("elements", "evictor"):
        return windowed.process(Show())
    if variant.holds == "accumulators":
        return windowed.aggregate(Sum(), Show())
    return windowed.reduce(Rich() if variant.rich else lambda a, b: (a[0], a[1], a[2] + b[2]), Show())


def graph(elements: Sequence[Any], variant: Variant) -> tuple[Any, Sink]:
    """The program's job graph, and what comes out."""
    env = StreamExecutionEnvironment.get_execution_environment(Configuration()).set_parallelism(1)
    out, _ = windows(env, elements, variant)
    return env._plan(env._program.sinks()), out


class Changed(LocalExecutor):
    """A job whose program is replaced, between two batches, by another one over the same state."""

    def replace(self, job: Any) -> None:
        self._job, self._router = job, SinkRouter(job)
        self.restart()

    def stored(self) -> str:
        """What the windows' state holds: names of pages, beside the tasks' and the directories'."""
        return "".join(
            page
            for store in self._stores.values()
            for page in sorted(store.pages)
            if page.startswith("windows") and not page.endswith(("/task", "/pages"))
        )


def run_changed(elements: Sequence[Any], before: Variant, after: Variant, at: int, size: int = 1) -> tuple[list, list]:
    """What the first program gives in ``at`` batches, and what the second one gives of the rest."""
    first, first_out = graph(elements, before)
    second, second_out = graph(elements, after)
    executor = Changed(first, size, clock=lambda: 0)
    with executor:
        for _ in range(at):
            assert executor.run_batch()
        executor.replace(second)
        while executor.run_batch():
            pass
    forever = isinstance(after.assigner, GlobalWindows)
    assert forever or executor.stored() == "", "a window was not cleaned up"
    return first_out.elements, second_out.elements
