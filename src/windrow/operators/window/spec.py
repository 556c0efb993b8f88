"""A window operation as a windowed stream was told it, checked as Flink checks it, and the operator that does it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from windrow.common.typeinfo import TypeInformation
from windrow.datastream.functions import (
    AllWindowFunction,
    ArrowAllWindowFunction,
    ArrowWindowFunction,
    ProcessAllWindowFunction,
    ProcessWindowFunction,
    WindowFunction,
)
from windrow.datastream.window import Evictor, MergingWindowAssigner, PurgingTrigger, Trigger, WindowAssigner
from windrow.errors import ConfigurationError, ConfigurationTypeError
from windrow.operators.base import Operator
from windrow.operators.window import end_trigger
from windrow.operators.window.aligned_elements_operator import AlignedElementsOperator
from windrow.operators.window.aligned_tables_operator import AlignedTablesOperator
from windrow.operators.window.aligned_window_operator import AlignedWindowOperator, fires_at_end
from windrow.operators.window.aligned_windows import is_aligned
from windrow.operators.window.by_clock import ByClock, in_event_time
from windrow.operators.window.contents import IncrementalContents, ListContents
from windrow.operators.window.count_window_operator import CountWindowOperator, size_of_count_windows
from windrow.operators.window.early_firing import EarlyFiring
from windrow.operators.window.early_window_operator import EarlyWindowOperator
from windrow.operators.window.end_of_stream import ALL_TIME, EndOfStreamOperator, fires_at_end_of_stream
from windrow.operators.window.evicting_elements_operator import EvictingElementsOperator
from windrow.operators.window.evicting_window_operator import EvictingWindowOperator
from windrow.operators.window.incremental import Incremental, IncrementalFunction
from windrow.operators.window.session_window_operator import SessionWindowOperator, is_session
from windrow.operators.window.skipped import LateTag
from windrow.operators.window.why_rows import why_rows
from windrow.operators.window.window_functions import (
    FoldBuffer,
    UserFunctionAdapter,
    UserWindowFunction,
    has_clear,
)
from windrow.operators.window.window_operator import WindowOperator


@dataclass(frozen=True)
class WindowSpec:
    """One window operation, wholly described; parts that do not go together are refused when it is made.

    Attributes:
        assigner: which windows an element belongs to.
        trigger: when a window fires; None takes the assigner's default.
        evictor: removes elements of a firing window; with one, all elements are kept until then.
        allowed_lateness: how many milliseconds after its end an event-time window still takes elements.
        late_tag: the side output of elements that come later still; None counts and drops them.
        incremental: combines elements as they come: a ReduceFunction, a callable of two elements, or an
            AggregateFunction (an ArrowAggregateFunction among them).
        function: called with the elements of a firing window, or with their combined value alone.
        all_windows: whether this is a window over a whole stream, whose functions get no key.
        name: the operation's name in error messages.
        input_type: the declared type of the elements, for functions of tables; None: any Python object.
        output_type: the declared type of the results, for such functions.

    Raises:
        ConfigurationError: parts do not go together, or the allowed lateness is negative.
        ConfigurationTypeError: a part is of a wrong type.

    Example:
        >>> from windrow.datastream.window import TumblingEventTimeWindows
        >>> WindowSpec(TumblingEventTimeWindows(1000), incremental=max).get_trigger()
        EventTimeTrigger()
    """

    assigner: WindowAssigner[Any, Any]
    trigger: Trigger[Any, Any] | None = None
    evictor: Evictor[Any, Any] | None = None
    allowed_lateness: int = 0
    late_tag: LateTag | None = None
    incremental: IncrementalFunction | None = None
    function: UserWindowFunction | None = None
    all_windows: bool = False
    name: str = "window"
    input_type: TypeInformation | None = None
    output_type: TypeInformation | None = None

    def __post_init__(self) -> None:
        self._check_type("assigner", WindowAssigner, optional=False)
        self._check_type("trigger", Trigger)
        self._check_type("evictor", Evictor)
        self._check_trigger_merges()
        self._check_lateness()
        self._check_functions()

    def get_trigger(self) -> Trigger[Any, Any]:
        """The trigger that was set, or the assigner's default."""
        # PyFlink's signature has the environment, without a default; no assigner of ours asks for it.
        return self.assigner.get_default_trigger(None) if self.trigger is None else self.trigger

    def _check_type(self, part: str, expected: type[Any], *, optional: bool = True) -> None:
        value = getattr(self, part)
        if isinstance(value, expected) or (optional and value is None):
            return
        hint = ": make an object of the class" if isinstance(value, type) else ""
        msg = f"the {part} of {self.name!r} must be of type {expected.__name__}; got {value!r}{hint}"
        raise ConfigurationTypeError(msg)

    def _check_trigger_merges(self) -> None:
        trigger = self.get_trigger()
        if not isinstance(trigger, Trigger):
            msg = (
                f"get_default_trigger of {type(self.assigner).__name__} must return a Trigger; got {trigger!r}: return "
                "one, or set one with trigger()"
            )
            raise ConfigurationTypeError(msg)
        if isinstance(self.assigner, MergingWindowAssigner) and not trigger.can_merge():
            msg = (
                f"{self.name!r}: the windows of {self.assigner!r} merge, but {trigger!r} cannot merge; take a trigger"
                " whose can_merge() is true, or windows that do not merge"
            )
            raise ConfigurationError(msg)

    def _check_lateness(self) -> None:
        lateness = self.allowed_lateness
        if not isinstance(lateness, int) or isinstance(lateness, bool):
            msg = f"the allowed lateness of {self.name!r} must be a number of milliseconds; got {lateness!r}"
            raise ConfigurationTypeError(msg)
        if lateness < 0:
            msg = f"the allowed lateness of {self.name!r} must be at least 0 milliseconds; got {lateness}"
            raise ConfigurationError(msg)

    def _check_functions(self) -> None:
        if self.incremental is not None:
            Incremental.of(self.incremental)
        expected = (
            (AllWindowFunction, ProcessAllWindowFunction)
            if self.all_windows
            else (WindowFunction, ProcessWindowFunction)
        )
        function = self.function
        if function is None:
            if self.incremental is None:
                msg = f"{self.name!r} needs something to do with its windows: reduce, aggregate, apply or process"
                raise ConfigurationError(msg)
        elif not isinstance(function, expected):
            names = " or ".join(kind.__name__ for kind in expected)
            hint = ": make an object of the class" if isinstance(function, type) else ""
            msg = f"the window function of {self.name!r} must be of type {names}; got {function!r}{hint}"
            raise ConfigurationTypeError(msg)
        elif self.incremental is not None and isinstance(function, ArrowWindowFunction | ArrowAllWindowFunction):
            msg = (
                f"{self.name!r}: {type(function).__name__} takes the elements of a window as a table, and behind "
                f"reduce or aggregate there is one value only; give it to process, or make it a {expected[1].__name__}"
            )
            raise ConfigurationError(msg)


def build(spec: WindowSpec, *, aligned: bool = True, columns: bool = True) -> Operator:
    """The operator that does what ``spec`` says.

    Args:
        spec: The window operation.
        aligned: Whether the operators for many elements at a time may be used where they apply.
        columns: Whether one for columns may be used in front of them.
    """
    if aligned and (by_clock := _by_clock(spec, columns=columns)) is not None:
        return by_clock
    early = EarlyFiring.of(spec.get_trigger())
    return _build(spec, early, aligned=aligned, columns=columns)


def _build(spec: WindowSpec, early: EarlyFiring | None, *, aligned: bool, columns: bool) -> Operator:
    """The operator for windows of event time, or of a clock that is shown as such; ``early``: when they fire early."""
    operator = _operator(spec, early, aligned=aligned, columns=columns)
    operator.why_rows = why_rows(spec)
    return operator


def _operator(spec: WindowSpec, early: EarlyFiring | None, *, aligned: bool, columns: bool) -> Operator:
    incremental = None if spec.incremental is None else Incremental.of(spec.incremental, spec.input_type)
    function = None
    if spec.function is not None:
        function = UserFunctionAdapter(
            spec.function,
            single=incremental is not None,
            input_type=spec.input_type,
            output_type=spec.output_type,
        )
    trigger = spec.get_trigger()
    if spec.evictor is not None:
        return _evicting(spec, trigger, spec.evictor, incremental, function, aligned=aligned)
    lateness, tag, purging = spec.allowed_lateness, spec.late_tag, isinstance(trigger, PurgingTrigger)
    # A window that waits for no late elements is over when it fires, purged or not.
    columns = columns and not (purging and lateness) and not (function is not None and function.has_clear())
    if incremental is not None and incremental.takes_tables:
        columns = False  # it is called with them, and not traced
    if aligned and incremental is not None and (early is not None or fires_at_end(trigger)):
        combining = _combining(spec, early, incremental, function, columns=columns)
        if combining is not None:
            return combining
    if (
        aligned
        and incremental is None
        and function is not None
        and fires_at_end(trigger)
        and is_aligned(spec.assigner)
        and (spec.allowed_lateness == 0 or not function.has_clear())
    ):
        return AlignedElementsOperator(spec.assigner, function, lateness, tag, purging=purging)
    contents = ListContents() if incremental is None else IncrementalContents(incremental)
    if (
        aligned
        and (incremental is None or not incremental.may_use_state())
        and fires_at_end(trigger)
        and is_session(spec.assigner)
    ):
        sessions = SessionWindowOperator(spec.assigner, contents, function, lateness, tag, purging=purging)
        if not columns or incremental is None:
            return sessions
        from windrow.operators.window.sessions.operator import SessionColumnsOperator

        return SessionColumnsOperator(sessions, incremental)
    size = size_of_count_windows(spec.assigner, trigger) if aligned else None
    if size is not None:
        counting = CountWindowOperator(size, spec.assigner, trigger, contents, function, lateness, tag)
        if not columns or incremental is None or function is not None or incremental.may_use_state():
            return counting
        from windrow.operators.window.count_columns import CountColumnsOperator

        return CountColumnsOperator(counting, incremental, size)
    general = WindowOperator(spec.assigner, trigger, contents, function, lateness, tag)
    if (
        aligned
        and incremental is not None
        and (columns or incremental.takes_tables)
        and function is None
        and not incremental.may_use_state()
        and fires_at_end_of_stream(spec.assigner, trigger)
    ):
        if incremental.takes_tables:
            tables = AlignedTablesOperator(ALL_TIME, incremental, input_type=spec.input_type)
            return EndOfStreamOperator(general, tables)
        from windrow.operators.window.panes.operator import PanesOperator

        inner = PanesOperator(AlignedWindowOperator(ALL_TIME, incremental), incremental)
        return EndOfStreamOperator(general, inner)
    return general


def _combining(
    spec: WindowSpec,
    early: EarlyFiring | None,
    incremental: Incremental,
    function: UserFunctionAdapter | None,
    *,
    columns: bool,
) -> Operator | None:
    """The operator for tumbling and sliding windows of combined elements, if it may do without asking the trigger."""
    lateness, tag, trigger = spec.allowed_lateness, spec.late_tag, spec.get_trigger()
    if incremental.may_use_state() or not is_aligned(spec.assigner):
        return None
    purging = isinstance(trigger, PurgingTrigger)
    # Windows that have fired are forgotten for all keys at once, so no function can be told key by key.
    if (lateness or (purging and early is not None)) and function is not None and function.has_clear():
        return None
    if early is None:
        if incremental.takes_tables:
            return AlignedTablesOperator(
                spec.assigner, incremental, function, lateness, tag, purging=purging, input_type=spec.input_type
            )
        by_row = AlignedWindowOperator(spec.assigner, incremental, function, lateness, tag, purging=purging)
    elif purging and lateness:
        return None  # what comes late is kept beside what has been emptied
    else:
        by_row = EarlyWindowOperator(early, trigger, spec.assigner, incremental, function, lateness, tag)
    overlap = by_row.windows.slide < by_row.windows.size
    if not columns or (by_row.purges_early and overlap):  # a pane is in windows that fire at other times
        return by_row
    # Here, because it imports Arrow.
    from windrow.operators.window.panes.operator import PanesOperator

    return PanesOperator(by_row, incremental)


def _by_clock(spec: WindowSpec, *, columns: bool) -> Operator | None:
    """The operator for windows of processing time, if one of event time can do it for many elements at a time."""
    windows, trigger = in_event_time(spec.assigner), spec.get_trigger()
    if windows is None or spec.evictor is not None:
        return None
    early = None
    if not isinstance(windows, MergingWindowAssigner):
        early = EarlyFiring.of(trigger, windows_by_clock=True)
    if early is not None:
        early_inner = _build(
            replace(spec, assigner=windows, trigger=trigger, allowed_lateness=0), early, aligned=True, columns=columns
        )
        return None if type(early_inner) is WindowOperator else ByClock(early_inner, trigger, fires_early=True)  # type: ignore[arg-type]
    if isinstance(windows, MergingWindowAssigner):  # what a trigger does when windows merge is known of the default one
        fires = end_trigger.Fires.BY_CLOCK if end_trigger.is_default(trigger) else None
    else:
        fires = end_trigger.fires_at_end(trigger)
    by_watermark = fires is end_trigger.Fires.BY_CLOCK_AND_WATERMARK
    # By the watermark windows would be over that are not: the clock tells a function so.
    if fires is None or (by_watermark and spec.function is not None and has_clear(spec.function)):
        return None
    inner = build(replace(spec, assigner=windows, trigger=None, allowed_lateness=0), columns=columns)
    if type(inner) is WindowOperator:
        return None
    return ByClock(inner, trigger, by_watermark=by_watermark)  # type: ignore[arg-type]


def _evicting(
    spec: WindowSpec,
    trigger: Trigger[Any, Any],
    evictor: Evictor[Any, Any],
    incremental: Incremental | None,
    function: UserFunctionAdapter | None,
    *,
    aligned: bool,
) -> Operator:
    """An evictor needs the elements themselves, so an incremental function combines what it leaves of them."""
    called = function if incremental is None else FoldBuffer(incremental, function)
    assert called is not None, "WindowSpec has checked that there is a function"
    if aligned and spec.allowed_lateness == 0 and fires_at_end(trigger) and is_aligned(spec.assigner):
        return EvictingElementsOperator(spec.assigner, evictor, called, spec.late_tag)
    return EvictingWindowOperator(spec.assigner, trigger, evictor, called, spec.allowed_lateness, spec.late_tag)
