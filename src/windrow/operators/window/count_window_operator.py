"""Windows of so many elements of a key, without asking an assigner and a trigger about each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from windrow.datastream.window import CountTrigger, GlobalWindow, GlobalWindows, PurgingTrigger, Trigger, WindowAssigner
from windrow.datastream.window.count_trigger import COUNT
from windrow.elements.batch import Batch, one_by_one
from windrow.errors import UsageError, WindrowError, user_function_error
from windrow.operators.window.contents import CONTENTS, WindowContents
from windrow.operators.window.skipped import LateTag
from windrow.operators.window.trigger_context import TRIGGER_PREFIX
from windrow.operators.window.window_functions import InternalWindowFunction
from windrow.operators.window.window_operator import WindowOperator
from windrow.state.ttl import without_ttl

_CONTENTS = (CONTENTS, GlobalWindow())
_COUNT = (TRIGGER_PREFIX + COUNT.name, GlobalWindow())


def size_of_count_windows(assigner: WindowAssigner[Any, Any], trigger: Trigger[Any, Any]) -> int | None:
    """Give the number of elements in a window, if these are the windows of ``count_window(size)``; else None.

    Example:
        >>> size_of_count_windows(GlobalWindows.create(), PurgingTrigger.of(CountTrigger.of(3)))
        3
        >>> size_of_count_windows(GlobalWindows.create(), CountTrigger.of(3)) is None
        True
    """
    if type(assigner) is not GlobalWindows or type(trigger) is not PurgingTrigger:
        return None
    counting = trigger.nested_trigger
    return counting.window_size if type(counting) is CountTrigger else None


class CountWindowOperator(WindowOperator):
    """A :class:`WindowOperator` of the global window that is fired and emptied by every so many elements.

    Counts and contents are a cache over keyed state: a key's are in its entry until its first element comes, then in
    the cache until :meth:`store_state`, which leaves what the general operator would have left: either goes on where
    the other one stopped. The global window is never late, and never over.

    Args:
        size: How many elements a window has.
        assigner: What puts them into the global window.
        trigger: What counts them.
        contents: How elements are kept.
        function: What is called with the contents of a window; None emits the contents themselves.
        allowed_lateness: Means nothing here; a program that is changed is told of it.
        late_tag: No element goes there.
    """

    def __init__(
        self,
        size: int,
        assigner: WindowAssigner[Any, Any],
        trigger: Trigger[Any, Any],
        contents: WindowContents,
        function: InternalWindowFunction | None = None,
        allowed_lateness: int = 0,
        late_tag: LateTag | None = None,
    ) -> None:
        super().__init__(assigner, trigger, contents, function, allowed_lateness, late_tag)
        self._size = size
        #: By key, how many elements its window has, and its contents.
        self._open: dict[Any, list[Any]] = {}
        #: Whether keyed state held nothing of any key when it was last asked; None: it is not known any more.
        self._is_fresh: bool | None = None

    def process_element(self, value: Any, timestamp: int) -> None:
        self.process_batch(Batch([value], [timestamp], [self.context.state.current_key]))

    def process_batch(self, batch: Batch) -> None:
        if batch.keys is None:
            msg = f"operator {self.context.name!r} got elements without keys; windows need a keyed stream"
            raise UsageError(msg)
        state, size, known = self.context.state, self._size, self._open
        start, grow, shown = self._contents.start, self._contents.grow, self._contents.shown
        may_use_state, has_function = self._contents.may_use_state(), self._function is not None
        if not self._nothing_is_stored():
            state.expect(key for key in batch.keys if key not in known)  # not looked at where all are in memory
        value = None
        try:
            for key, value in zip(one_by_one(batch.keys), one_by_one(batch.elements), strict=True):
                window = known.get(key)
                if window is None:
                    window = known[key] = self._stored(key)
                if may_use_state:
                    state.set_current_key(key)
                contents = window[1]
                contents = start(value) if contents is None else grow(contents, value)
                count = window[0] + 1
                if count < size:
                    window[0], window[1] = count, contents
                    continue
                window[0] = 0
                window[1] = None
                contents = shown(contents)
                if contents is not None:
                    if has_function:
                        state.set_current_key(key)
                    self._emit(_CONTENTS[1], contents)
        except WindrowError:
            raise
        except BaseException as error:
            raise user_function_error(self.context.name, value, error) from error

    def process_watermark(self, timestamp: int) -> None:
        self._store_for_timer(self.context.state.next_event_time(), timestamp)
        super().process_watermark(timestamp)

    def advance_processing_time(self, now: int) -> None:
        self._store_for_timer(self.context.state.next_processing_time(), now)
        super().advance_processing_time(now)

    def holds_nothing(self) -> bool:
        """Tell whether no key has anything, here or in state."""
        return not self._open and self._nothing_is_stored()

    def taken(self, keys: Sequence[Any]) -> list[list[Any]]:
        """Hand over the windows of keys: how many elements each has, and its contents."""
        known = self._open
        self.context.state.expect(key for key in keys if key not in known)
        return [known.pop(key) if key in known else self._stored(key) for key in keys]

    def put(self, keys: Sequence[Any], counts: Sequence[int], contents: Sequence[Any]) -> None:
        """Take the windows of keys that have none."""
        for key, count, its_contents in zip(keys, counts, contents, strict=True):
            self._open[key] = [count, its_contents]

    def store_state(self) -> None:
        state, known = self.context.state, self._open
        state.expect(known)
        for key, (count, contents) in known.items():
            entry = state.entry_of(key)
            if count:
                entry[_CONTENTS] = contents
                entry[_COUNT] = count
        known.clear()
        self._is_fresh = None

    def restore(self, snapshot: Any, *, keeps_columns: bool = False) -> None:
        self._is_fresh = None
        super().restore(snapshot, keeps_columns=keeps_columns)

    def _store_for_timer(self, due: int | None, now: int) -> None:
        """A timer that another trigger has left looks into state."""
        if due is not None and due <= now:
            self.store_state()

    def _nothing_is_stored(self) -> bool:
        if self._is_fresh is None:
            self._is_fresh = self.context.state.is_empty()
        return self._is_fresh

    def _stored(self, key: Any) -> list[Any]:
        """Take the number of elements and the contents of a key's window out of its entry."""
        # A function that keeps state has its entries in the order of the keys' first elements.
        if self._is_fresh and self._function is None and not self._contents.may_use_state():
            return [0, None]
        entry = self.context.state.entry_of(key)
        count = entry.pop(_COUNT, 0)
        if type(count) is tuple:  # another trigger's state of this name had a time to live
            count = without_ttl(count)
        return [count, entry.pop(_CONTENTS, None)]
