"""Functions of the contents of a window. They yield as those in ``process`` do."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import Any, Generic, TypeVar

from windrow.datastream.functions.base import Function, KeyedStateStore

IN = TypeVar("IN")
OUT = TypeVar("OUT")
KEY = TypeVar("KEY")
W = TypeVar("W")
W2 = TypeVar("W2")


class WindowFunction(Function, Generic[IN, OUT, KEY, W]):
    """Sees the elements of a keyed window when it fires."""

    @abstractmethod
    def apply(self, key: KEY, window: W, inputs: Iterable[IN]) -> Iterable[OUT] | None:
        """Give what to emit for the window."""


class AllWindowFunction(Function, Generic[IN, OUT, W]):
    """Sees the elements of a window over the whole stream when it fires."""

    @abstractmethod
    def apply(self, window: W, inputs: Iterable[IN]) -> Iterable[OUT] | None:
        """Give what to emit for the window."""


class ProcessWindowFunction(Function, Generic[IN, OUT, KEY, W]):
    """Sees the elements of a keyed window when it fires, with the current times and state.

    Example:
        >>> class Count(ProcessWindowFunction):
        ...     def process(self, key, context, elements):
        ...         yield key, context.window().start, sum(1 for _ in elements)
    """

    class Context(ABC, Generic[W2]):
        """Tells the function of the window, the times and the state (Flink's ``Context``)."""

        @abstractmethod
        def window(self) -> W2:
            """Give the window that fires."""

        @abstractmethod
        def current_processing_time(self) -> int:
            """Give the processing time in milliseconds."""

        @abstractmethod
        def current_watermark(self) -> int:
            """Give the watermark in milliseconds; -2^63 before the first one."""

        @abstractmethod
        def window_state(self) -> KeyedStateStore:
            """State of this key in this window; clear it in :meth:`ProcessWindowFunction.clear`.

            Not to be had with merging windows.
            """

        @abstractmethod
        def global_state(self) -> KeyedStateStore:
            """State of this key in all windows."""

    @abstractmethod
    def process(self, key: KEY, context: Context[W], elements: Iterable[IN]) -> Iterable[OUT] | None:
        """Give what to emit for the window."""

    def clear(self, context: Context[W]) -> None:
        """Clear ``context.window_state()``: the window is about to be forgotten."""


class ProcessAllWindowFunction(Function, Generic[IN, OUT, W]):
    """Sees the elements of a window over the whole stream when it fires, with the current times and state."""

    class Context(ABC, Generic[W2]):
        """Tells the function of the window, the times and the state (Flink's ``Context``)."""

        @abstractmethod
        def window(self) -> W2:
            """Give the window that fires."""

        @abstractmethod
        def current_processing_time(self) -> int:
            """Give the processing time in milliseconds."""

        @abstractmethod
        def current_watermark(self) -> int:
            """Give the watermark in milliseconds; -2^63 before the first one."""

        @abstractmethod
        def window_state(self) -> KeyedStateStore:
            """State of this window; clear it in :meth:`ProcessAllWindowFunction.clear`.

            Not to be had with merging windows.
            """

        @abstractmethod
        def global_state(self) -> KeyedStateStore:
            """State of all windows."""

    @abstractmethod
    def process(self, context: Context[W], elements: Iterable[IN]) -> Iterable[OUT] | None:
        """Give what to emit for the window."""

    def clear(self, context: Context[W]) -> None:
        """Clear ``context.window_state()``: the window is about to be forgotten."""


class PassThroughWindowFunction(WindowFunction[Any, Any, Any, Any]):
    """Emits the elements of a keyed window as they are: what follows a reduce or aggregate by default."""

    def apply(self, key: Any, window: Any, inputs: Iterable[Any]) -> Iterable[Any]:
        del key, window
        return inputs


class PassThroughAllWindowFunction(AllWindowFunction[Any, Any, Any]):
    """Emits the elements of a window over the whole stream as they are."""

    def apply(self, window: Any, inputs: Iterable[Any]) -> Iterable[Any]:
        del window
        return inputs
