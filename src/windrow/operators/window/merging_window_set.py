"""The windows of one key that may still merge, each with the window under which its contents are kept."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any, TypeAlias

from windrow.datastream.window import MergeCallback, MergingWindowAssigner, Window
from windrow.errors import UsageError
from windrow.state.keyed import KeyedState

#: The state name of the set, under the namespace None.
MERGING_WINDOWS = "_merging-window-set"

#: Called with the merged window, the windows that became it, its state window, and the other state windows.
MergeFunction: TypeAlias = Callable[[Any, Collection[Any], Any, Collection[Any]], None]


class MergingWindowSet:
    """The in-flight windows of the current key, each mapped to its state window (Flink's ``MergingWindowSet``).

    A window that grows keeps the state window it began with, so that its contents need not move. Of windows that
    merge, the state window of the first one the assigner lists stays.

    Args:
        assigner: Decides which windows merge.
        state: Keyed state with the key set; where the set is read from and where :meth:`persist` writes it.
    """

    __slots__ = ("_assigner", "_mapping", "_state", "_stored")

    def __init__(self, assigner: MergingWindowAssigner[Any, Any], state: KeyedState) -> None:
        self._assigner = assigner
        self._state = state
        self._stored: dict[Window, Window] = state.get(MERGING_WINDOWS, None, {})
        self._mapping = dict(self._stored)

    def get_state_window(self, window: Window) -> Window | None:
        """The window under which the contents of ``window`` are kept; None if ``window`` is not in flight."""
        return self._mapping.get(window)

    def retire_window(self, window: Window) -> None:
        """Remove ``window``, which is over.

        Raises:
            UsageError: if ``window`` is not in flight.
        """
        if self._mapping.pop(window, None) is None:
            msg = f"{window} cannot be retired: it is not among the in-flight windows {list(self._mapping)}"
            raise UsageError(msg)

    def add_window(self, new_window: Window, merge_function: MergeFunction) -> Window:
        """Add a window, merging as the assigner says, and return the window in flight that it is part of now.

        ``merge_function`` is called once for each merge that has to be acted on: not if the new window lies within
        one that is in flight. The new window itself is never among the merged windows, because it has no state.
        """
        merges = _CollectedMerges()
        self._assigner.merge_windows([*self._mapping, new_window], merges)
        result = new_window
        is_merged = False
        for merge_result, sources in merges.merges.items():
            merged = list(sources)
            if new_window in merged:
                merged.remove(new_window)
                result = merge_result
                is_merged = True
            self._merge(merge_result, merged, merge_function)
        if not is_merged:
            # A window that is in flight already keeps its state window.
            self._mapping.setdefault(new_window, new_window)
        return result

    def persist(self) -> None:
        """Write the set back to keyed state if it has changed; an empty set leaves nothing behind."""
        if self._mapping == self._stored:
            return
        if self._mapping:
            self._state.put(MERGING_WINDOWS, None, self._mapping)
        else:
            self._state.remove(MERGING_WINDOWS)
        self._stored = self._mapping
        self._mapping = dict(self._stored)

    def _merge(self, merge_result: Window, merged: list[Window], merge_function: MergeFunction) -> None:
        mapping = self._mapping
        state_windows = [mapping.pop(window) for window in merged if window in mapping]
        state_window = state_windows.pop(0) if state_windows else merge_result
        mapping[merge_result] = state_window
        if merged != [merge_result]:
            merge_function(merge_result, merged, state_window, state_windows)


class _CollectedMerges(MergeCallback[Any]):
    def __init__(self) -> None:
        self.merges: dict[Any, Collection[Any]] = {}

    def merge(self, to_be_merged: Collection[Any], merge_result: Any) -> None:
        self.merges[merge_result] = to_be_merged
