"""Adapters between what a user passes to a windowed stream and the one call a window operator makes.

The operator calls ``process(key, window, context, contents)`` for each firing, where contents are what
:mod:`~windrow.operators.window.contents` keeps: a list of elements, or one reduced or aggregated value.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

from windrow.common.typeinfo import TypeInformation
from windrow.datastream.functions import (
    AllWindowFunction,
    ArrowAllWindowFunction,
    ArrowWindowFunction,
    ProcessAllWindowFunction,
    ProcessWindowFunction,
    WindowFunction,
)
from windrow.operators.base import OperatorContext
from windrow.operators.user_function import open_function
from windrow.operators.window.arrow_window_function import ArrowWindowCall
from windrow.operators.window.incremental import Incremental
from windrow.operators.window.whole_windows import WholeWindowFunction
from windrow.operators.window.window_context import WindowContext

UserWindowFunction: TypeAlias = (
    WindowFunction[Any, Any, Any, Any]
    | ProcessWindowFunction[Any, Any, Any, Any]
    | AllWindowFunction[Any, Any, Any]
    | ProcessAllWindowFunction[Any, Any, Any]
)
#: Of a key, the window or its context, and contents.
Call: TypeAlias = Callable[[Any, Any, Any], Iterable[Any] | None]


class InternalWindowFunction(ABC):
    """The function that a window operator calls when a window fires (Flink's ``InternalWindowFunction``)."""

    def open(self, context: OperatorContext) -> None:  # noqa: B027  (not every function has one to open)
        """Open the user's function."""

    def close(self) -> None:  # noqa: B027
        """Close the user's function."""

    @property
    def sees_watermark(self) -> bool:
        """True if it could ask for the watermark."""
        return True

    @abstractmethod
    def process(self, key: Any, window: Any, context: WindowContext, contents: Any) -> Iterable[Any] | None:
        """The results for one firing."""

    def call_in(self, window: Any, context: WindowContext) -> tuple[Call, Any]:
        """A call that does as :meth:`process` for keys of a window: of a key, what is given beside it, and contents."""
        return lambda key, _, contents: self.process(key, window, context, contents), None

    def clear(self, context: WindowContext) -> None:  # noqa: B027
        """The window of ``context`` is over: let the user's function remove what it keeps per window."""


def has_clear(function: UserWindowFunction) -> bool:
    """Tell whether a user's function wants to hear that a window is over."""
    own = getattr(type(function), "clear", None)
    return own not in (None, ProcessWindowFunction.clear, ProcessAllWindowFunction.clear)


class UserFunctionAdapter(InternalWindowFunction):
    """Calls a user's window function.

    Args:
        function: The function.
        single: Whether contents are one value, and not a list of elements.
        input_type: The declared type of the elements, for a function of a table; None: it is not known.
        output_type: The declared type of the results, for such a function.
    """

    def __init__(
        self,
        function: UserWindowFunction,
        *,
        single: bool,
        input_type: TypeInformation | None = None,
        output_type: TypeInformation | None = None,
    ) -> None:
        self._function = function
        self._single = single
        self._call: Callable[[Any, Any, WindowContext, list[Any]], Iterable[Any] | None]
        if isinstance(function, ArrowWindowFunction | ArrowAllWindowFunction):
            self._call = ArrowWindowCall(function, input_type, output_type)
        else:
            self._call = _call_of(function)

    def open(self, context: OperatorContext) -> None:
        open_function(self._function, context)

    def close(self) -> None:
        self._function.close()

    def process(self, key: Any, window: Any, context: WindowContext, contents: Any) -> Iterable[Any] | None:
        return self._call(key, window, context, [contents] if self._single else contents)

    def call_in(self, window: Any, context: WindowContext) -> tuple[Call, Any]:
        function = self._function
        if self._single or self.takes_tables:
            return super().call_in(window, context)
        # Functions of keyed streams themselves: nothing stands between, for each key.
        if isinstance(function, WindowFunction):
            return function.apply, window
        if isinstance(function, ProcessWindowFunction):
            return function.process, context
        call = self._call
        return lambda key, _, elements: call(key, window, context, elements), None

    @property
    def function(self) -> UserWindowFunction:
        """The user's function."""
        return self._function

    @property
    def sees_watermark(self) -> bool:
        return not isinstance(self._function, WindowFunction | AllWindowFunction | WholeWindowFunction)

    @property
    def takes_tables(self) -> bool:
        """True if the user's function wants elements as a table."""
        return isinstance(self._call, ArrowWindowCall)

    def has_clear(self) -> bool:
        """Tell whether the user's function wants to hear that a window is over."""
        return has_clear(self._function)

    def clear(self, context: WindowContext) -> None:
        if isinstance(self._function, (ProcessWindowFunction, ProcessAllWindowFunction)):
            self._function.clear(context)


def _call_of(function: UserWindowFunction) -> Callable[[Any, Any, WindowContext, list[Any]], Iterable[Any] | None]:
    if isinstance(function, WindowFunction):
        return lambda key, window, _, elements: function.apply(key, window, elements)
    if isinstance(function, AllWindowFunction):
        return lambda _key, window, _, elements: function.apply(window, elements)
    if isinstance(function, ProcessWindowFunction):
        return lambda key, _, context, elements: function.process(key, context, elements)
    return lambda _key, _window, context, elements: function.process(context, elements)


class FoldBuffer(InternalWindowFunction):
    """Combines a buffer when it fires: what an incremental function becomes behind an evictor.

    Without an inner function the combined value is the result. A buffer that the evictor emptied reduces to nothing.
    """

    def __init__(self, incremental: Incremental, inner: InternalWindowFunction | None) -> None:
        self._incremental = incremental
        self._inner = inner

    def open(self, context: OperatorContext) -> None:
        self._incremental.open(context)
        if self._inner is not None:
            self._inner.open(context)

    def close(self) -> None:
        self._incremental.close()
        if self._inner is not None:
            self._inner.close()

    def process(self, key: Any, window: Any, context: WindowContext, contents: Any) -> Iterable[Any] | None:
        combined = self._incremental.fold(contents)
        if combined is None:
            return None
        return (combined,) if self._inner is None else self._inner.process(key, window, context, combined)

    @property
    def takes_tables(self) -> bool:
        """A combined value is no table."""
        return False

    def has_clear(self) -> bool:
        """Tell whether a function behind it wants to hear that a window is over."""
        return isinstance(self._inner, UserFunctionAdapter) and self._inner.has_clear()

    def clear(self, context: WindowContext) -> None:
        if self._inner is not None:
            self._inner.clear(context)
