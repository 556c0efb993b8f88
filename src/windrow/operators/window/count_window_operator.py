"""Windows of so many elements of a key, without asking an assigner and a trigger about each."""

from __future__ import annotations

from typing import Any

from windrow.datastream.window import CountTrigger, GlobalWindow, GlobalWindows, PurgingTrigger, Trigger, WindowAssigner
from windrow.datastream.window.count_trigger import COUNT
from windrow.elements.batch import Batch
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
    """How many elements a window has, if these are the windows of ``count_window(size)``; else None.

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

    It leaves in state what that one would have left: either goes on where the other one stopped. The global window is
    never late, and never over.

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

    def process_element(self, value: Any, timestamp: int) -> None:
        self.process_batch(Batch([value], [timestamp], [self.context.state.current_key]))

    def process_batch(self, batch: Batch) -> None:
        if batch.keys is None:
            msg = f"operator {self.context.name!r} got elements without keys; windows need a keyed stream"
            raise UsageError(msg)
        state, size = self.context.state, self._size
        set_current_key, start, grow = state.set_current_key, self._contents.start, self._contents.grow
        state.expect(batch.keys)
        value = None
        try:
            for key, value in zip(batch.keys, batch.elements, strict=True):
                set_current_key(key)
                entry = state.entry
                contents = entry.get(_CONTENTS)
                contents = start(value) if contents is None else grow(contents, value)
                count = entry.get(_COUNT, 0)
                if type(count) is tuple:  # another trigger's state of this name had a time to live
                    count = without_ttl(count)
                count += 1
                if count < size:
                    entry[_CONTENTS] = contents
                    entry[_COUNT] = count
                    continue
                entry.pop(_CONTENTS, None)
                entry.pop(_COUNT, None)
                contents = self._contents.shown(contents)
                if contents is not None:
                    self._emit(_CONTENTS[1], contents)
        except WindrowError:
            raise
        except BaseException as error:
            raise user_function_error(self.context.name, value, error) from error
