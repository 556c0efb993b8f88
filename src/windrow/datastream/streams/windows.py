"""The base of windows over keyed and over whole streams."""

from __future__ import annotations

import copy
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, Self, TypeVar

from windrow.absent.explained import ExplainsAbsentMethods
from windrow.common.checks import instance_of
from windrow.common.html import html_table
from windrow.common.time import Duration, Time, to_millis
from windrow.common.typeinfo import DeclaredType, TypeInformation, as_type_information
from windrow.datastream.functions import AggregateFunction, ReduceFunction
from windrow.datastream.functions.checks import check_methods, function_of, object_of
from windrow.datastream.output_tag import OutputTag
from windrow.datastream.streams.aggregations import Position, aggregation
from windrow.datastream.streams.data_stream import DataStream
from windrow.datastream.time_characteristic import TimeCharacteristic
from windrow.datastream.window import (
    ContinuousEventTimeTrigger,
    CountTrigger,
    DeltaTrigger,
    EndOfStreamTrigger,
    EventTimeTrigger,
    Evictor,
    GlobalWindows,
    MergingWindowAssigner,
    NeverTrigger,
    PurgingTrigger,
    SlidingEventTimeWindows,
    SlidingProcessingTimeWindows,
    Trigger,
    TumblingEventTimeWindows,
    TumblingProcessingTimeWindows,
    WindowAssigner,
)
from windrow.errors import ConfigurationError
from windrow.operators.base import Operator
from windrow.operators.window.count_windows import count_window_parts
from windrow.operators.window.skipped import LateTag
from windrow.operators.window.spec import WindowSpec, build
from windrow.operators.window.state_kind import state_kind

if TYPE_CHECKING:
    from windrow.datastream.stream_execution_environment import StreamExecutionEnvironment


_EVENT_TIME_TRIGGERS = (
    ContinuousEventTimeTrigger,
    CountTrigger,
    DeltaTrigger,
    EndOfStreamTrigger,
    EventTimeTrigger,
    NeverTrigger,
)


class WindowsBase(ExplainsAbsentMethods):
    """Windows of a stream, for which it remains to be said what is done with their elements.

    Methods that say how windows behave return the object itself; those that say what is done return a stream.
    """

    _all_windows = False

    def __init__(self, stream: DataStream, assigner: WindowAssigner[Any, Any]) -> None:
        self._stream = stream
        self._assigner = instance_of(assigner, WindowAssigner, "window_assigner")
        characteristic = stream.get_execution_environment().get_stream_time_characteristic()
        if assigner.is_event_time() and characteristic is TimeCharacteristic.ProcessingTime:
            msg = (
                f"{assigner!r} are windows of event time, but the environment's time characteristic is processing "
                "time; take processing-time windows, or set_stream_time_characteristic(TimeCharacteristic.EventTime)"
            )
            raise ConfigurationError(msg)
        self._trigger: Trigger[Any, Any] | None = None
        self._evictor: Evictor[Any, Any] | None = None
        self._allowed_lateness = 0
        self._late_tag: LateTag | None = None
        self._counts_by_evictor = False

    def get_execution_environment(self) -> StreamExecutionEnvironment:
        """The environment it belongs to."""
        return self._stream.get_execution_environment()

    def get_input_type(self) -> TypeInformation:
        """The type of the elements in the windows."""
        return self._stream.get_type()

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self._assigner!r} of {self.get_input_type()!r}>"

    def _repr_html_(self) -> str:
        """Show a notebook how the windows behave, and the graph that leads to them."""
        default = "" if self._trigger is not None else ", as the windows have it"
        fields = {
            "windows": repr(self._assigner),
            "trigger": f"{self._trigger or self._assigner.get_default_trigger(None)!r}{default}",
            "evictor": None if self._evictor is None else repr(self._evictor),
            "allowed lateness": f"{self._allowed_lateness} ms" if self._assigner.is_event_time() else None,
            "late elements": _late_words(self._late_tag) if self._assigner.is_event_time() else None,
            "elements": repr(self.get_input_type()),
        }
        return html_table(type(self).__name__, fields) + self._stream._repr_html_()

    # How windows behave

    def trigger(self, trigger: Trigger[Any, Any]) -> Self:
        """Say when windows fire, in place of the assigner's default.

        Raises:
            ConfigurationError: windows merge, as sessions do, and the trigger does not support that; or it waits for
                watermarks, and the environment's time characteristic is processing time.
        """
        object_of(trigger, Trigger, "trigger")
        if isinstance(self._assigner, MergingWindowAssigner) and not trigger.can_merge():
            msg = (
                f"the windows of {self._assigner!r} merge, but {trigger!r} cannot merge; take a trigger whose "
                "can_merge() is true, or windows that do not merge"
            )
            raise ConfigurationError(msg)
        characteristic = self.get_execution_environment().get_stream_time_characteristic()
        if characteristic is TimeCharacteristic.ProcessingTime and _needs_watermarks(trigger):
            msg = (
                f"{trigger!r} fires by event time, but the environment's time characteristic is processing time; take "
                "a trigger of processing time, or set_stream_time_characteristic(TimeCharacteristic.EventTime)"
            )
            raise ConfigurationError(msg)
        self._trigger = trigger
        return self

    def evictor(self, evictor: Evictor[Any, Any]) -> Self:
        """Say which elements are removed when a window fires. All elements are then kept until it does.

        Raises:
            ConfigurationError: these are count windows with a slide, which an evictor makes.
        """
        object_of(evictor, Evictor, "evictor")
        if self._counts_by_evictor:
            window = "window_all" if self._all_windows else "window"
            msg = (
                f"count windows with a slide get their size from {self._evictor!r}, which {evictor!r} would replace; "
                f"say {window}(GlobalWindows.create()).trigger({self._trigger!r}).evictor({evictor!r}) if that is meant"
            )
            raise ConfigurationError(msg)
        self._evictor = evictor
        return self

    def allowed_lateness(self, time_ms: int | Time | Duration) -> Self:
        """Say how long after its end an event-time window still takes elements, in milliseconds.

        Raises:
            ConfigurationError: it is negative.
        """
        lateness = to_millis(time_ms, "allowed lateness")
        if lateness < 0:
            msg = f"the allowed lateness must not be negative; got {lateness} ms"
            raise ConfigurationError(msg)
        self._allowed_lateness = lateness
        return self

    def side_output_late_data(self, output_tag: OutputTag) -> Self:
        """Send elements that are too late to a side output of the resulting stream, instead of dropping them."""
        self._late_tag = instance_of(output_tag, OutputTag, "output_tag").tag_id
        return self

    # What is done

    def reduce(
        self,
        reduce_function: ReduceFunction | Callable[[Any, Any], Any],
        window_function: Any = None,
        output_type: DeclaredType = None,
    ) -> DataStream:
        """Combine a window's elements two by two, as they come.

        Args:
            reduce_function: A ``ReduceFunction`` or a function of two elements.
            window_function: Called with the combined element alone; None emits it.
            output_type: The type of what ``window_function`` gives.
        """
        function = function_of(reduce_function, ReduceFunction, "reduce", arguments=2)
        if window_function is None and output_type is None:
            return self._apply(function, None, self.get_input_type(), convert=False)
        return self._apply(function, window_function, output_type)

    def aggregate(
        self,
        aggregate_function: AggregateFunction,
        window_function: Any = None,
        accumulator_type: DeclaredType = None,
        output_type: DeclaredType = None,
    ) -> DataStream:
        """Fold a window's elements into an accumulator, as they come.

        Args:
            aggregate_function: Makes, fills and reads the accumulator. An ``ArrowAggregateFunction`` is given elements
                as a ``pyarrow.Table``.
            window_function: Called with the result alone; None emits it.
            accumulator_type: The accumulator's type; it may be any that can be pickled.
            output_type: The type of what is emitted.
        """
        object_of(aggregate_function, AggregateFunction, "aggregate_function")
        as_type_information(accumulator_type, "accumulator_type of aggregate")
        return self._apply(aggregate_function, window_function, output_type)

    def apply(self, window_function: Any, output_type: DeclaredType = None) -> DataStream:
        """Call a function with all elements of a window that fires."""
        return self._apply(None, window_function, output_type)

    def process(self, process_window_function: Any, output_type: DeclaredType = None) -> DataStream:
        """Call a function with all elements of a window that fires, the times and state.

        Args:
            process_window_function: A ``ProcessWindowFunction``, or an ``ArrowWindowFunction``, which takes the
                elements as a ``pyarrow.Table``; over a whole stream a ``ProcessAllWindowFunction`` or an
                ``ArrowAllWindowFunction``.
            output_type: The type of the results. Rows of a table are Rows with the names of its columns, or tuples or
                single values where this says so.
        """
        return self._apply(None, process_window_function, output_type)

    def sum(self, position_to_sum: Position = 0) -> DataStream:
        """Add up a field, by index or name; the other fields are the first element's."""
        return self._aggregate("sum", position_to_sum)

    def min(self, position_to_min: Position = 0) -> DataStream:
        """Find the least value of a field; the other fields are the first element's."""
        return self._aggregate("min", position_to_min)

    def max(self, position_to_max: Position = 0) -> DataStream:
        """Find the greatest value of a field; the other fields are the first element's."""
        return self._aggregate("max", position_to_max)

    def min_by(self, position_to_min_by: Position = 0, first: bool = True) -> DataStream:
        """Find the element with the least value of a field; of several the first, or else the last."""
        return self._aggregate("min_by", position_to_min_by, first=first)

    def max_by(self, position_to_max_by: Position = 0, first: bool = True) -> DataStream:
        """Find the element with the greatest value of a field; of several the first, or else the last."""
        return self._aggregate("max_by", position_to_max_by, first=first)

    def _aggregate(self, kind: str, position: Position, *, first: bool = True) -> DataStream:
        function = aggregation(kind, position, self.get_input_type(), first=first)
        return self._apply(function, None, self.get_input_type(), convert=False)

    def _apply(self, incremental: Any, function: Any, output_type: DeclaredType, *, convert: bool = True) -> DataStream:
        check_methods(function)
        spec = WindowSpec(
            self._assigner,
            self._trigger,
            self._evictor,
            self._allowed_lateness,
            self._late_tag,
            incremental,
            function,
            self._all_windows,
            type(self._assigner).__name__,
            self.get_input_type(),
            as_type_information(output_type, f"output_type of {type(self._assigner).__name__}"),
        )
        make = partial(_build, spec)
        stream = self._partitioned()._transform(
            spec.name,
            make,
            output_type,
            stateless=False,
            convert=convert,
            uses_processing_time=_uses_processing_time(spec.get_trigger()),
            state_kind=state_kind(spec),
            only_at_end=isinstance(spec.assigner, GlobalWindows) and type(spec.get_trigger()) is EndOfStreamTrigger,
            operation=spec,
        )
        return stream.set_description(_description(spec))

    def _partitioned(self) -> DataStream:
        """The stream as the window operator takes it: with keys."""
        return self._stream


def _late_words(late_tag: LateTag | None) -> str:
    if late_tag is None:
        return "are dropped, and counted"
    return f"go to side output {late_tag!r}" if isinstance(late_tag, str) else "go to side outputs"


def _build(spec: WindowSpec) -> Operator:
    # Two subtasks must not share the fields of their functions, nor a staggered assigner's offset. Types only describe:
    # to copy them took an eighth of what a small job takes.
    shared = {id(each): each for each in (spec.input_type, spec.output_type) if each is not None}
    return build(copy.deepcopy(spec, shared))


def _needs_watermarks(trigger: Trigger[Any, Any]) -> bool:
    """Tell whether the trigger is known to fire by watermarks alone."""
    if isinstance(trigger, PurgingTrigger):
        return _needs_watermarks(trigger.nested_trigger)
    return type(trigger) in (EventTimeTrigger, ContinuousEventTimeTrigger)


def _uses_processing_time(trigger: Trigger[Any, Any]) -> bool:
    """Tell whether the trigger may set processing-time timers: one that is not known might."""
    if isinstance(trigger, PurgingTrigger):
        return _uses_processing_time(trigger.nested_trigger)
    return type(trigger) not in _EVENT_TIME_TRIGGERS


def _description(spec: WindowSpec) -> str:
    """Flink's description of a window operator: ``Window(assigner, trigger, evictor, functions)``."""
    parts = [spec.get_trigger(), spec.evictor, spec.incremental, spec.function]
    names = [getattr(part, "__name__", type(part).__name__) for part in parts if part is not None]
    return f"Window({', '.join([repr(spec.assigner), *names])})"


Windows = TypeVar("Windows", bound=WindowsBase)


def time_windows(environment: StreamExecutionEnvironment, size: Any, slide: Any) -> WindowAssigner[Any, Any]:
    """Tumbling or sliding windows of the time that the environment's time characteristic says."""
    processing_time = environment.get_stream_time_characteristic() is TimeCharacteristic.ProcessingTime
    if slide is None:
        return TumblingProcessingTimeWindows.of(size) if processing_time else TumblingEventTimeWindows.of(size)
    if processing_time:
        return SlidingProcessingTimeWindows.of(size, slide)
    return SlidingEventTimeWindows.of(size, slide)


def count_window(of: Callable[[WindowAssigner[Any, Any]], Windows], size: int, slide: int | None) -> Windows:
    """Windows of ``size`` elements, as in Flink's Java API; ``of`` gives the windows of an assigner.

    Without ``slide`` a window fires and is emptied for every ``size`` elements; with it, a window fires for every
    ``slide`` elements, with the last ``size``. A slide of 0 is none, as in PyFlink.
    """
    parts = count_window_parts(size, 0 if slide is None else slide)
    windows = of(parts.assigner).trigger(parts.trigger)
    if parts.evictor is not None:
        windows.evictor(parts.evictor)._counts_by_evictor = True
    return windows
