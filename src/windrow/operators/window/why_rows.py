"""The reason for which windows are not computed on columns, whatever their elements are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from windrow.datastream.functions import ArrowAggregateFunction
from windrow.datastream.window import GlobalWindows, PurgingTrigger
from windrow.operators.window.aligned_windows import is_aligned
from windrow.operators.window.by_clock import in_event_time
from windrow.operators.window.count_window_operator import size_of_count_windows
from windrow.operators.window.incremental import Incremental
from windrow.operators.window.session_window_operator import is_session
from windrow.operators.window.window_functions import has_clear

if TYPE_CHECKING:
    from windrow.operators.window.spec import WindowSpec


def why_rows(spec: WindowSpec) -> str:
    """Give the first reason that applies; ``explain()`` shows it of an operator that cannot work on columns.

    Example:
        >>> from windrow.datastream.window import CountTrigger, TumblingEventTimeWindows
        >>> from windrow.operators.window.spec import WindowSpec
        >>> why_rows(WindowSpec(TumblingEventTimeWindows(1000), CountTrigger.of(3), incremental=max))
        'its trigger CountTrigger(3) is asked for each element'
    """
    trigger, function = spec.get_trigger(), spec.function
    counts = size_of_count_windows(spec.assigner, trigger) is not None
    windows = in_event_time(spec.assigner) or spec.assigner
    if spec.evictor is not None:
        return f"its evictor {spec.evictor!r} is asked for the elements of each window"
    if spec.incremental is None:
        return "its function is given all elements of a window"
    if Incremental.of(spec.incremental).may_use_state():
        return f"its {type(spec.incremental).__name__} has a method open, and may look at the key"
    if isinstance(spec.incremental, ArrowAggregateFunction) and (counts or is_session(windows)):
        return f"its {type(spec.incremental).__name__} is given a table of one row for each element of such windows"
    if function is not None and counts:
        return "its window function is called when a count is reached"
    if function is not None and has_clear(function):
        return f"its {type(function).__name__} has a method clear, and hears when a window is over"
    if not (counts or is_aligned(windows) or is_session(windows) or isinstance(windows, GlobalWindows)):
        return f"its windows {spec.assigner!r} are asked for with each element"
    if isinstance(trigger, PurgingTrigger) and spec.allowed_lateness:
        return f"its trigger {trigger!r} purges windows that wait for late elements"
    return f"its trigger {trigger!r} is asked for each element"
