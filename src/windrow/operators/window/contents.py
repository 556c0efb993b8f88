"""The contents of a window between two firings, and how those of merged windows become one.

Contents live in the keyed state's entry of the current key, under the name :data:`CONTENTS` and the window as
namespace. As in Flink's state backends ``None`` means that there is nothing.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from functools import reduce as fold
from typing import Any

from windrow.datastream.window import TimestampedValue, Window
from windrow.operators.base import OperatorContext
from windrow.operators.window.incremental import Incremental
from windrow.state.keyed import Entry

#: The state name of window contents.
CONTENTS = "_window-contents"


class WindowContents(ABC):
    """The contents of the windows of one key. Merging follows Flink's ``InternalMergingState.mergeNamespaces``."""

    def open(self, context: OperatorContext) -> None:  # noqa: B027  (a list has no function)
        """Open the user's functions that combine elements."""

    def close(self) -> None:  # noqa: B027
        """Close them."""

    def may_use_state(self) -> bool:
        """Tell whether a function that combines elements sees the runtime context: then it needs each element's key."""
        return False

    #: From the first element of a window to what is stored.
    start: Callable[[Any], Any]
    #: From what is stored and one more element to what is stored.
    grow: Callable[[Any, Any], Any]

    @abstractmethod
    def add(self, entry: Entry, window: Window, value: Any, timestamp: int) -> None:
        """Add an element to ``window``."""

    @abstractmethod
    def shown(self, contents: Any) -> Any:
        """Give what a window function gets to see of what is stored; None if nothing is."""

    @abstractmethod
    def combine(self, first: Any, second: Any) -> Any:
        """The stored contents of two windows as one."""

    def get(self, entry: Entry, window: Window) -> Any:
        """Give what a window function gets to see; None if the window is empty."""
        return self.shown(entry.get((CONTENTS, window)))

    def clear(self, entry: Entry, window: Window) -> None:
        """Empty ``window``."""
        entry.pop((CONTENTS, window), None)

    def merge(self, entry: Entry, target: Window, sources: Iterable[Window]) -> None:
        """Move the contents of ``sources`` behind those of ``target``."""
        stored = [entry.pop((CONTENTS, source), None) for source in sources]
        current = entry.get((CONTENTS, target))
        merged = self.merged(current, stored)
        if merged is not current:
            entry[(CONTENTS, target)] = merged

    def merged(self, target: Any, sources: Iterable[Any]) -> Any:
        """The stored contents of one window with those of others behind them; None stands for nothing."""
        found = [contents for contents in sources if contents is not None]
        if not found:
            return target
        merged = fold(self.combine, found)
        return merged if target is None else self.combine(target, merged)


class IncrementalContents(WindowContents):
    """One running value or accumulator (Flink's ``ReducingState`` and ``AggregatingState``)."""

    def __init__(self, incremental: Incremental) -> None:
        self._incremental = incremental
        self.start = incremental.start
        self.grow = incremental.add

    def of_local(self) -> IncrementalContents:
        """The same of local accumulators, to which elements have come before an exchange."""
        return IncrementalContents(self._incremental.of_local())

    def open(self, context: OperatorContext) -> None:
        self._incremental.open(context)

    def close(self) -> None:
        self._incremental.close()

    def may_use_state(self) -> bool:
        return self._incremental.may_use_state()

    def add(self, entry: Entry, window: Window, value: Any, timestamp: int) -> None:
        slot = (CONTENTS, window)
        accumulator = entry.get(slot)
        entry[slot] = self.start(value) if accumulator is None else self.grow(accumulator, value)

    def shown(self, contents: Any) -> Any:
        return self._incremental.result_of(contents)

    def combine(self, first: Any, second: Any) -> Any:
        return self._incremental.merge(first, second)


class ListContents(WindowContents):
    """All elements in the order in which they came (Flink's ``ListState``)."""

    def start(self, value: Any) -> list[Any]:
        return [value]

    def grow(self, elements: list[Any], value: Any) -> list[Any]:
        elements.append(value)
        return elements

    def add(self, entry: Entry, window: Window, value: Any, timestamp: int) -> None:
        elements = entry.get((CONTENTS, window))
        if elements is None:
            entry[(CONTENTS, window)] = [value]
        else:
            elements.append(value)

    def shown(self, contents: Any) -> list[Any] | None:
        # A copy: a function that sorts its input must not reorder what later firings see.
        return None if contents is None else list(contents)

    def combine(self, first: Any, second: Any) -> Any:
        first.extend(second)
        return first


class TimestampedContents(ListContents):
    """All elements with their timestamps, for evictors."""

    def add(self, entry: Entry, window: Window, value: Any, timestamp: int) -> None:
        super().add(entry, window, TimestampedValue(value, timestamp), timestamp)

    def replace(self, entry: Entry, window: Window, elements: list[TimestampedValue[Any]]) -> None:
        """Write back what an evictor has left."""
        if elements:
            entry[(CONTENTS, window)] = elements
        else:
            self.clear(entry, window)
