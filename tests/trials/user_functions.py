"""Every kind of function that a program gives to Windrow, as one that raises: data for ``test_user_functions.py``."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.trials.failing import (
    NAME,
    Build,
    as_it_is,
    failing,
    goes_on,
    nothing,
    numbers,
    raising,
    yields_nothing,
)
from windrow.common import WatermarkStrategy
from windrow.common.watermark import Watermark
from windrow.common.watermark_generators import WatermarkGenerator
from windrow.common.watermark_strategy import TimestampAssigner
from windrow.datastream import (
    AggregateFunction,
    AsyncDataStream,
    AsyncFunction,
    AsyncRetryStrategy,
    BroadcastProcessFunction,
    CoFlatMapFunction,
    CoMapFunction,
    CoProcessFunction,
    DataStream,
    FilterFunction,
    FlatMapFunction,
    KeyedBroadcastProcessFunction,
    KeyedCoProcessFunction,
    KeyedProcessFunction,
    KeySelector,
    MapFunction,
    Partitioner,
    ProcessFunction,
    ProcessWindowFunction,
    ReduceFunction,
    RuntimeExecutionMode,
    StreamExecutionEnvironment,
    WindowFunction,
)
from windrow.datastream.functions import (
    AllWindowFunction,
    CoGroupFunction,
    FlatJoinFunction,
    FoldFunction,
    JoinFunction,
    OutputSelector,
    ProcessAllWindowFunction,
    ProcessJoinFunction,
)
from windrow.datastream.state import AggregatingStateDescriptor, MapStateDescriptor, ReducingStateDescriptor
from windrow.datastream.window import (
    CountTrigger,
    DeltaEvictor,
    DeltaTrigger,
    DynamicEventTimeSessionWindows,
    EventTimeSessionWindows,
    EventTimeTrigger,
    Evictor,
    Trigger,
    TumblingEventTimeWindows,
)

#: What operators are called that cannot be named.
OTHER_NAMES = {"OutputSelector": "Split", "key selector of a join": "key_by after Map"}
RULES = MapStateDescriptor("rules")


class EachEvent(WatermarkGenerator):
    """A watermark behind each element, so that other streams catch up before the next one."""

    def on_event(self, event: Any, event_timestamp: int, output: Any) -> None:
        output.emit_watermark(Watermark(event[2]))

    def on_periodic_emit(self, output: Any) -> None:
        """Nothing."""


def timed(env: StreamExecutionEnvironment, assigner: Any = lambda value, _: value[2]) -> DataStream:
    strategy = WatermarkStrategy.for_monotonous_timestamps().with_timestamp_assigner(assigner)
    return numbers(env).assign_timestamps_and_watermarks(strategy)


def keyed(env: StreamExecutionEnvironment) -> Any:
    return timed(env).key_by(lambda value: value[0])


def windowed(env: StreamExecutionEnvironment, assigner: Any = None) -> Any:
    return keyed(env).window(assigner or TumblingEventTimeWindows.of(20))


def joined(env: StreamExecutionEnvironment, call: str = "join", key: Any = lambda value: value[0]) -> Any:
    pair = getattr(timed(env), call)(timed(env))
    return pair.where(key).equal_to(lambda value: value[0]).window(TumblingEventTimeWindows.of(20))


def connected(env: StreamExecutionEnvironment) -> Any:
    return numbers(env).connect(numbers(env))


def in_batch(env: StreamExecutionEnvironment) -> StreamExecutionEnvironment:
    return env.set_runtime_mode(RuntimeExecutionMode.BATCH)


_TRIGGER = {
    "on_element": goes_on,
    "on_event_time": goes_on,
    "on_processing_time": goes_on,
    "on_merge": nothing,
    "clear": nothing,
}
_EVICTOR = {"evict_before": nothing, "evict_after": nothing}
_CO_MAP = {"map1": as_it_is, "map2": as_it_is}
_CO_FLAT_MAP = {"flat_map1": yields_nothing, "flat_map2": yields_nothing}
_CO_PROCESS = {"process_element1": yields_nothing, "process_element2": yields_nothing}
_BROADCAST = {"process_element": yields_nothing, "process_broadcast_element": yields_nothing}
_AGGREGATE = {
    "create_accumulator": lambda self: 0,
    "add": lambda self, value, accumulator: accumulator + 1,
    "get_result": as_it_is,
    "merge": lambda self, one, two: one + two,
}


def sets_timer(self: Any, value: Any, ctx: Any) -> list[Any]:
    """A method that sets an event-time timer."""
    ctx.timer_service().register_event_time_timer(15)
    return []


def sets_processing_timer(self: Any, value: Any, ctx: Any) -> list[Any]:
    """A method that sets a processing-time timer."""
    ctx.timer_service().register_processing_time_timer(0)
    return []


def _trigger(method: str) -> Build:
    def build(env: StreamExecutionEnvironment, error: BaseException, _: Path) -> Any:
        methods = {**_TRIGGER}
        if method == "clear":
            methods["on_event_time"] = EventTimeTrigger.on_event_time
        if method in ("on_event_time", "clear"):
            methods["on_element"] = EventTimeTrigger.on_element
        trigger = failing(Trigger, method, error, **{name: each for name, each in methods.items() if name != method})
        return windowed(env).trigger(trigger).reduce(lambda one, _: one)

    return build


def _merging_trigger(env: StreamExecutionEnvironment, error: BaseException, _: Path) -> Any:
    trigger = failing(Trigger, "on_merge", error, **_TRIGGER | {"can_merge": lambda self: True})
    return windowed(env, EventTimeSessionWindows.with_gap(15)).trigger(trigger).reduce(lambda one, _: one)


def _evictor(method: str) -> Build:
    def build(env: StreamExecutionEnvironment, error: BaseException, _: Path) -> Any:
        others = {name: each for name, each in _EVICTOR.items() if name != method}
        return windowed(env).evictor(failing(Evictor, method, error, **others)).reduce(lambda one, _: one)

    return build


def _aggregate(method: str, *, general: bool = False) -> Build:
    def build(env: StreamExecutionEnvironment, error: BaseException, _: Path) -> Any:
        others = {name: each for name, each in _AGGREGATE.items() if name != method}
        function = failing(AggregateFunction, method, error, **others)
        if method == "merge":
            return windowed(env, EventTimeSessionWindows.with_gap(15)).aggregate(function)
        windows = windowed(env)
        return (windows.trigger(CountTrigger.of(1)) if general else windows).aggregate(function)

    return build


def _generator(method: str) -> Build:
    def build(env: StreamExecutionEnvironment, error: BaseException, _: Path) -> Any:
        others = {"on_event": nothing, "on_periodic_emit": nothing, "snapshot_state": nothing}
        others.pop(method)
        strategy = WatermarkStrategy.for_generator(lambda: failing(WatermarkGenerator, method, error, **others))
        return numbers(env).assign_timestamps_and_watermarks(strategy)

    return build


def _async(method: str, **others: Any) -> Build:
    def build(env: StreamExecutionEnvironment, error: BaseException, _: Path) -> Any:
        async def fails(self: Any, *_: Any) -> Any:
            raise error

        async def fine(self: Any, value: Any) -> Any:
            await asyncio.sleep(0)
            return [value]

        methods = {"async_invoke": fine, method: fails, **others}
        function = type("Async", (AsyncFunction,), methods)()
        return AsyncDataStream.ordered_wait(numbers(env), function, 10_000)

    return build


def _async_timeout(env: StreamExecutionEnvironment, error: BaseException, _: Path) -> Any:
    async def waits(self: Any, value: Any) -> Any:
        await asyncio.sleep(60)

    function = failing(AsyncFunction, "timeout", error, async_invoke=waits)
    return AsyncDataStream.ordered_wait(numbers(env), function, 1)


def _async_retry(env: StreamExecutionEnvironment, error: BaseException, _: Path) -> Any:
    async def fine(self: Any, value: Any) -> Any:
        return [value]

    function = type("Async", (AsyncFunction,), {"async_invoke": fine})()
    strategy: Any = AsyncRetryStrategy.fixed_delay(1, 1, result_predicate=raising(error))
    return AsyncDataStream.unordered_wait_with_retry(numbers(env), function, 10_000, strategy)


def _broadcast(kind: type, method: str) -> Build:
    def build(env: StreamExecutionEnvironment, error: BaseException, _: Path) -> Any:
        others = {name: each for name, each in _BROADCAST.items() if name != method}
        stream = keyed(env) if kind is KeyedBroadcastProcessFunction else numbers(env)
        return stream.connect(numbers(env).broadcast(RULES)).process(failing(kind, method, error, **others))

    return build


def _applied_to_keyed_state(env: StreamExecutionEnvironment, error: BaseException, _: Path) -> Any:
    counts = ReducingStateDescriptor("counts", lambda one, two: one + two)

    def counted(self: Any, value: Any, ctx: Any) -> list[Any]:
        self.counts.add(1)
        return []

    def opened(self: Any, runtime_context: Any) -> None:
        self.counts = runtime_context.get_reducing_state(counts)

    def applied(self: Any, value: Any, ctx: Any) -> list[Any]:
        ctx.apply_to_keyed_state(counts, raising(error))
        return []

    methods = {"open": opened, "process_element": counted, "process_broadcast_element": applied}
    function = type("Applying", (KeyedBroadcastProcessFunction,), methods)()
    rules = numbers(env).assign_timestamps_and_watermarks(WatermarkStrategy.for_generator(EachEvent))
    return keyed(env).connect(rules.broadcast(RULES)).process(function)


def _state_function(descriptor: Callable[[BaseException], Any], getter: str) -> Build:
    def build(env: StreamExecutionEnvironment, error: BaseException, _: Path) -> Any:
        def opened(self: Any, runtime_context: Any) -> None:
            self.state = getattr(runtime_context, getter)(descriptor(error))

        def added(self: Any, value: Any, ctx: Any) -> list[Any]:
            self.state.add(value)
            return []

        methods = {"open": opened, "process_element": added}
        return keyed(env).process(type("Adding", (KeyedProcessFunction,), methods)())

    return build


def _gauge(env: StreamExecutionEnvironment, error: BaseException, _: Path) -> Any:
    def opened(self: Any, runtime_context: Any) -> None:
        runtime_context.get_metrics_group().gauge("load", raising(error))

    return numbers(env).map(type("Measured", (MapFunction,), {"open": opened, "map": as_it_is})())


def _element(method: str, use: Callable[[Any], Any]) -> Build:
    """An element one of whose own methods raises."""

    def build(env: StreamExecutionEnvironment, error: BaseException, _: Path) -> Any:
        kind = type("Element", (), {method: raising(error)})
        return use(numbers(env).map(lambda _: kind()))

    return build


#: Every kind of function, in words.
KINDS: dict[str, Build] = {
    "map": lambda env, error, _: numbers(env).map(raising(error)),
    "MapFunction": lambda env, error, _: numbers(env).map(failing(MapFunction, "map", error)),
    "MapFunction on a keyed stream": lambda env, error, _: keyed(env).map(failing(MapFunction, "map", error)),
    "open": lambda env, error, _: numbers(env).map(failing(MapFunction, "open", error, map=as_it_is)),
    "close": lambda env, error, _: numbers(env).map(failing(MapFunction, "close", error, map=as_it_is)),
    "flat_map": lambda env, error, _: numbers(env).flat_map(raising(error)),
    "FlatMapFunction": lambda env, error, _: numbers(env).flat_map(failing(FlatMapFunction, "flat_map", error)),
    "filter": lambda env, error, _: numbers(env).filter(raising(error)),
    "FilterFunction": lambda env, error, _: numbers(env).filter(failing(FilterFunction, "filter", error)),
    "what a filter gives": _element("__bool__", lambda stream: stream.filter(lambda value: value)),
    "key selector": lambda env, error, _: numbers(env).name(NAME).key_by(raising(error)).reduce(lambda one, _: one),
    "KeySelector": lambda env, error, _: (
        numbers(env).map(lambda value: value).name(NAME).key_by(failing(KeySelector, "get_key", error)).sum(1)
    ),
    "key selector at parallelism 1": lambda env, error, _: (
        numbers(env.set_parallelism(1)).name(NAME).key_by(raising(error)).reduce(lambda one, _: one)
    ),
    "key's hash": _element("__hash__", lambda stream: stream.name(NAME).key_by(lambda value: value).sum(0)),
    "Partitioner": lambda env, error, _: (
        numbers(env).name(NAME).partition_custom(failing(Partitioner, "partition", error), lambda value: 0).map(str)
    ),
    "partitioner's key selector": lambda env, error, _: (
        numbers(env).name(NAME).partition_custom(lambda key, parts: 0, raising(error)).map(str)
    ),
    "reduce": lambda env, error, _: keyed(env).reduce(raising(error)),
    "ReduceFunction in BATCH": lambda env, error, _: keyed(in_batch(env)).reduce(
        failing(ReduceFunction, "reduce", error)
    ),
    "FoldFunction": lambda env, error, _: keyed(env).fold(0, failing(FoldFunction, "fold", error)),
    "OutputSelector": lambda env, error, _: numbers(env).split(failing(OutputSelector, "select", error)).select("a"),
    "timestamp assigner": lambda env, error, _: timed(env, raising(error)),
    "TimestampAssigner": lambda env, error, _: timed(env, failing(TimestampAssigner, "extract_timestamp", error)),
    "maker of generators": lambda env, error, _: numbers(env).assign_timestamps_and_watermarks(
        WatermarkStrategy.for_generator(raising(error))
    ),
    "on_event": _generator("on_event"),
    "on_periodic_emit": _generator("on_periodic_emit"),
    "snapshot_state": _generator("snapshot_state"),
    "ProcessFunction": lambda env, error, _: numbers(env).process(failing(ProcessFunction, "process_element", error)),
    "KeyedProcessFunction": lambda env, error, _: keyed(env).process(
        failing(KeyedProcessFunction, "process_element", error)
    ),
    "on_timer": lambda env, error, _: keyed(env).process(
        failing(KeyedProcessFunction, "on_timer", error, process_element=sets_timer)
    ),
    "on_timer in processing time": lambda env, error, _: keyed(in_batch(env)).process(
        failing(KeyedProcessFunction, "on_timer", error, process_element=sets_processing_timer)
    ),
    "CoMapFunction": lambda env, error, _: connected(env).map(failing(CoMapFunction, "map1", error, map2=as_it_is)),
    "CoFlatMapFunction": lambda env, error, _: connected(env).flat_map(
        failing(CoFlatMapFunction, "flat_map2", error, flat_map1=yields_nothing)
    ),
    "CoProcessFunction": lambda env, error, _: connected(env).process(
        failing(CoProcessFunction, "process_element1", error, process_element2=yields_nothing)
    ),
    "KeyedCoProcessFunction": lambda env, error, _: (
        keyed(env)
        .connect(keyed(env))
        .process(failing(KeyedCoProcessFunction, "process_element2", error, process_element1=yields_nothing))
    ),
    "BroadcastProcessFunction": _broadcast(BroadcastProcessFunction, "process_element"),
    "BroadcastProcessFunction, the broadcast side": _broadcast(BroadcastProcessFunction, "process_broadcast_element"),
    "KeyedBroadcastProcessFunction": _broadcast(KeyedBroadcastProcessFunction, "process_element"),
    "function of apply_to_keyed_state": _applied_to_keyed_state,
    "reduce of a window": lambda env, error, _: windowed(env).reduce(raising(error)),
    "reduce of a window with lateness": lambda env, error, _: windowed(env).allowed_lateness(5).reduce(raising(error)),
    "reduce of a window with an evictor": lambda env, error, _: (
        windowed(env).evictor(type("Keep", (Evictor,), _EVICTOR)()).reduce(raising(error))
    ),
    **{f"{method} of a window": _aggregate(method) for method in _AGGREGATE},
    "add of a window with a trigger": _aggregate("add", general=True),
    "get_result of a window with a trigger": _aggregate("get_result", general=True),
    "ProcessWindowFunction": lambda env, error, _: windowed(env).process(
        failing(ProcessWindowFunction, "process", error)
    ),
    "clear of a ProcessWindowFunction": lambda env, error, _: windowed(env).process(
        failing(ProcessWindowFunction, "clear", error, process=yields_nothing)
    ),
    "ProcessWindowFunction behind a reduce": lambda env, error, _: windowed(env).reduce(
        lambda one, _: one, failing(ProcessWindowFunction, "process", error)
    ),
    "WindowFunction": lambda env, error, _: windowed(env).apply(failing(WindowFunction, "apply", error)),
    "AllWindowFunction": lambda env, error, _: (
        timed(env).window_all(TumblingEventTimeWindows.of(20)).apply(failing(AllWindowFunction, "apply", error))
    ),
    "ProcessAllWindowFunction": lambda env, error, _: (
        timed(env)
        .window_all(TumblingEventTimeWindows.of(20))
        .process(failing(ProcessAllWindowFunction, "process", error))
    ),
    "window assigner": lambda env, error, _: windowed(env, _window_assigner(error)).reduce(lambda one, _: one),
    "gap extractor": lambda env, error, _: windowed(
        env, DynamicEventTimeSessionWindows.with_dynamic_gap(raising(error))
    ).reduce(lambda one, _: one),
    **{f"{method} of a trigger": _trigger(method) for method in ("on_element", "on_event_time", "clear")},
    "on_merge of a trigger": _merging_trigger,
    "delta function of a trigger": lambda env, error, _: (
        windowed(env).trigger(DeltaTrigger.of(1, raising(error))).reduce(lambda one, _: one)
    ),
    "delta function of an evictor": lambda env, error, _: (
        windowed(env).evictor(DeltaEvictor.of(1, raising(error))).reduce(lambda one, _: one)
    ),
    **{f"{method} of an evictor": _evictor(method) for method in _EVICTOR},
    "JoinFunction": lambda env, error, _: joined(env).apply(failing(JoinFunction, "join", error)),
    "FlatJoinFunction": lambda env, error, _: joined(env).apply(failing(FlatJoinFunction, "join", error)),
    "CoGroupFunction": lambda env, error, _: joined(env, "co_group").apply(failing(CoGroupFunction, "co_group", error)),
    "key selector of a join": lambda env, error, _: joined(env, key=raising(error)).apply(lambda one, two: one),
    "ProcessJoinFunction": lambda env, error, _: (
        keyed(env)
        .interval_join(keyed(env))
        .between(-5, 5)
        .process(failing(ProcessJoinFunction, "process_element", error))
    ),
    "async_invoke": _async("async_invoke"),
    "open of an AsyncFunction": _async("open"),
    "close of an AsyncFunction": _async("close"),
    "timeout of an AsyncFunction": _async_timeout,
    "retry predicate": _async_retry,
    "reduce function of state": _state_function(
        lambda error: ReducingStateDescriptor("state", raising(error)), "get_reducing_state"
    ),
    "aggregate function of state": _state_function(
        lambda error: AggregatingStateDescriptor(
            "state", failing(AggregateFunction, "add", error, **{**_AGGREGATE, "add": None}), None
        ),
        "get_aggregating_state",
    ),
    "gauge": _gauge,
}


def _window_assigner(error: BaseException) -> Any:
    return failing(TumblingEventTimeWindows, "assign_windows", error, __init__=_tumbling)


def _tumbling(self: Any) -> None:
    TumblingEventTimeWindows.__init__(self, 20, 0)
