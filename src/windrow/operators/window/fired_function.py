"""A window function behind reduce or aggregate, for many firings at a time: on columns where it can be traced."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, NoReturn

import numpy as np

from windrow.datastream.functions import AllWindowFunction, ProcessAllWindowFunction, WindowFunction
from windrow.datastream.window import TimeWindow
from windrow.elements.batch import Batch, columns_of
from windrow.elements.columns import Columns
from windrow.elements.shape import LONG, ScalarShape, Shape
from windrow.errors import WindrowError, user_function_error
from windrow.operators.base import OperatorContext
from windrow.operators.column_folds.field_fold import Longs
from windrow.operators.column_folds.key_index import KeyIndex
from windrow.operators.column_function import ColumnFunction
from windrow.operators.forecast import Forecast
from windrow.operators.results import gather_results
from windrow.operators.window.window_context import WindowContext
from windrow.operators.window.window_functions import InternalWindowFunction, UserFunctionAdapter
from windrow.tracing.outcome import NotExact, NotTraceable, Refused
from windrow.tracing.results import TracedResults, trace_results

#: So many firings of the first that are computed on columns are computed by Python as well.
_CHECKED = 1 << 10


class Fired(NamedTuple):
    """Windows that fire, one for each key.

    Attributes:
        keys: All keys.
        slots: The slots of those that fire.
        starts: Where their windows begin.
        ends: Where they end.
    """

    keys: KeyIndex
    slots: Longs
    starts: Longs
    ends: Longs

    def first(self, count: int) -> Fired:
        """The first of them."""
        return Fired(self.keys, self.slots[:count], self.starts[:count], self.ends[:count])


def present(results: Sequence[Any]) -> Longs | None:
    """Find the results that are not None, of which rows give out nothing; None: all are."""
    columns = columns_of(results)
    if columns is None:
        found = [index for index, result in enumerate(results) if result is not None]
        return None if len(found) == len(results) else np.array(found, np.int64)
    if not isinstance(columns.shape, ScalarShape) or not columns.null_count(0):
        return None
    return np.flatnonzero(np.asarray(columns.batch.column(0).is_valid()))


class FiredFunction:
    """Calls a window function with one value for each firing, or computes what it gives.

    Args:
        context: The operator's.
        function: It is given a single value, and need not hear that a window is over.
        per_window_state: Whether the function may keep state for a window.
    """

    def __init__(self, context: OperatorContext, function: UserFunctionAdapter, *, per_window_state: bool) -> None:
        self._context = context
        self._function = function
        self._window_context = WindowContext(context, per_window_state=per_window_state)
        self._checked = ColumnFunction(context.name, None)
        self._traced: dict[tuple[Shape, Shape], TracedResults | None] = {}
        self._is_off = not context.columns

    def results(self, fired: Fired, contents: Sequence[Any]) -> Batch:
        """Give its results, at the last milliseconds of the windows; side outputs are given out at once."""
        found = None
        if isinstance(contents, Columns) and contents.are_true and not self._is_off:
            found = self._on_columns(fired, contents)
        return self._by_rows(fired, contents) if found is None else found

    def _on_columns(self, fired: Fired, contents: Columns) -> Batch | None:
        keys = fired.keys.column(fired.slots)
        shapes = key_shape(keys), contents.shape
        if shapes not in self._traced:
            found = trace_fired(self._function, *shapes)
            self._traced[shapes] = None if isinstance(found, NotTraceable) else found
        function = self._traced[shapes]
        if function is None:
            return None
        inputs = [keys, fired.starts, fired.ends, *contents.fields]
        try:
            made, times = _computed(function, inputs, fired.ends - 1)
        except NotExact:
            return None
        if not self._checked.is_checked:
            expected = self._by_rows(fired.first(_CHECKED), contents.part(0, _CHECKED)).elements
            given, _ = _computed(function, [column[:_CHECKED] for column in inputs], fired.ends[:_CHECKED] - 1)
            if (len(given) or expected) and not self._checked.check(given, expected):
                self._is_off = True
                return None
        return Batch(made, times)

    def _by_rows(self, fired: Fired, contents: Sequence[Any]) -> Batch:
        values: list[Any] = []
        times: list[int] = []
        context, state, process = self._window_context, self._context.state, self._function.process
        window: Any = None
        bounds = zip(fired.starts.tolist(), fired.ends.tolist(), strict=True)
        try:
            for key, (start, end), value in zip(fired.keys.listed(fired.slots), bounds, contents, strict=True):
                if window is None or window.end != end or window.start != start:
                    window = TimeWindow(start, end)
                state.set_current_key(key)
                context.current = window
                results = process(key, window, context, value)
                if results is not None:
                    gather_results(self._context, results, end - 1, values, "window function")
                    times += [end - 1] * (len(values) - len(times))
        except WindrowError:
            raise
        except BaseException as error:
            raise user_function_error(self._context.name, (state.current_key, window), error) from error
        return Batch(values, times)


class _WindowInTrace:
    """Stands for a window: it has a start, an end and a last millisecond, and nothing else can be done with it."""

    __slots__ = ("end", "start")

    def __init__(self, start: Any, end: Any) -> None:
        self.start, self.end = start, end

    def max_timestamp(self) -> Any:
        """Stand for the last millisecond."""
        return self.end - 1


def _refusing(self: object, *_: object) -> NoReturn:
    msg = "does something else with a window than to ask for its start and its end"
    raise Refused(msg)


for _name in ("eq", "ne", "lt", "le", "gt", "ge", "hash", "str", "repr", "format", "iter", "getitem", "len", "bool"):
    setattr(_WindowInTrace, f"__{_name}__", _refusing)


class _ContextInTrace:
    """Stands for a context of which only the window is asked."""

    __slots__ = ("_window",)

    def __init__(self, window: _WindowInTrace) -> None:
        self._window = window

    def window(self) -> _WindowInTrace:
        """Stand for the window."""
        return self._window


def key_shape(keys: Any) -> Shape:
    """Give the shape of a column of keys: NumPy's integers, or Arrow's text."""
    import pyarrow as pa

    return LONG if isinstance(keys, np.ndarray) else ScalarShape.of(pa.string())


def trace_fired(function: UserFunctionAdapter, key: Shape, contents: Shape) -> TracedResults | NotTraceable:
    """Trace a window function that is given one value."""
    user: Any = function.function
    method = user.apply if isinstance(user, WindowFunction | AllWindowFunction) else user.process

    def arranged(given: list[Any]) -> Sequence[Any]:
        its_key, start, end, value = given
        window = _WindowInTrace(start, end)
        match user:
            case WindowFunction():
                return its_key, window, [value]
            case AllWindowFunction():
                return window, [value]
            case ProcessAllWindowFunction():
                return _ContextInTrace(window), [value]
        return its_key, _ContextInTrace(window), [value]

    return trace_results(method, [key, LONG, LONG, contents], arranged)


def forecast_fired(function: InternalWindowFunction | None, key: Shape | None, contents: Shape) -> Forecast:
    """The forecast for an operator that works on columns, and calls ``function`` with results of shape ``contents``."""
    if not isinstance(function, UserFunctionAdapter):
        return Forecast(True, shape=contents)
    if key is None:
        return Forecast(True, "its window function is given keys that are rows")
    found = trace_fired(function, key, contents)
    if isinstance(found, NotTraceable):
        return Forecast(True, f"its window function {found.reason}")
    return Forecast(True, shape=found.result.shape)


def _computed(function: TracedResults, columns: Sequence[Any], times: Longs) -> tuple[Columns, Longs]:
    if function.has_result is not None:
        chosen = np.flatnonzero(np.asarray(function.has_result.evaluate(columns)[0]))
        columns, times = [column.take(chosen) for column in columns], times[chosen]
    return Columns.of(function.result.shape, function.result.evaluate(columns)), times
