"""PyFlink's assigners of windows that hold a number of elements.

``count_window`` and ``count_window_all`` do not use them: they have Flink Java's semantics, on the global window.
"""

from __future__ import annotations

from typing import Any

from windrow.common.typeinfo import Types
from windrow.datastream.state import ValueStateDescriptor
from windrow.datastream.window.arguments import whole_number
from windrow.datastream.window.assigner import WindowAssigner, WindowAssignerContext
from windrow.datastream.window.count_trigger import CountTrigger
from windrow.datastream.window.nesting_triggers import PurgingTrigger
from windrow.datastream.window.serializers import CountWindowSerializer
from windrow.datastream.window.trigger import Trigger
from windrow.datastream.window.windows import CountWindow

_TUMBLING_COUNT = ValueStateDescriptor("tumble-count-assigner", Types.LONG())
_SLIDING_COUNT = ValueStateDescriptor("slide-count-assigner", Types.LONG())


class _CountAssigner(WindowAssigner[Any, CountWindow]):
    def __init__(self, window_size: int) -> None:
        self.window_size = whole_number(window_size, 1, "window_size", type(self).__name__)

    def get_default_trigger(self, env: Any = None) -> Trigger[Any, CountWindow]:
        # PyFlink's does not purge, and so keeps every full window for ever; no element can follow in a full window.
        return PurgingTrigger.of(CountTrigger.of(self.window_size))

    def get_window_serializer(self) -> CountWindowSerializer:
        return CountWindowSerializer()

    def is_event_time(self) -> bool:
        return False


class CountTumblingWindowAssigner(_CountAssigner):
    """Each ``window_size`` elements of a key are one window (PyFlink's ``CountTumblingWindowAssigner``).

    >>> CountTumblingWindowAssigner.of(3)
    CountTumblingWindowAssigner(3)
    """

    @staticmethod
    def of(window_size: int) -> CountTumblingWindowAssigner:
        """Windows of ``window_size`` elements.

        Raises:
            ConfigurationError: if ``window_size`` is less than 1.
        """
        return CountTumblingWindowAssigner(window_size)

    def assign_windows(self, element: Any, timestamp: int, context: WindowAssignerContext) -> list[CountWindow]:
        return [CountWindow(_next_index(context, _TUMBLING_COUNT) // self.window_size)]

    def __repr__(self) -> str:
        return f"CountTumblingWindowAssigner({self.window_size})"


class CountSlidingWindowAssigner(_CountAssigner):
    """Windows of ``window_size`` elements, one beginning every ``window_slide`` (``CountSlidingWindowAssigner``).

    This is PyFlink's sliding count window, which fires when a window is full; Flink Java's, which ``count_window``
    offers, fires every ``window_slide`` elements on at most the last ``window_size``.

    >>> CountSlidingWindowAssigner.of(4, 2)
    CountSlidingWindowAssigner(4, 2)
    """

    def __init__(self, window_size: int, window_slide: int) -> None:
        super().__init__(window_size)
        self.window_slide = whole_number(window_slide, 1, "window_slide", type(self).__name__)

    @staticmethod
    def of(window_size: int, window_slide: int) -> CountSlidingWindowAssigner:
        """Windows of ``window_size`` elements, one beginning every ``window_slide`` elements.

        Raises:
            ConfigurationError: if either is less than 1.
        """
        return CountSlidingWindowAssigner(window_size, window_slide)

    def assign_windows(self, element: Any, timestamp: int, context: WindowAssignerContext) -> list[CountWindow]:
        index = _next_index(context, _SLIDING_COUNT)
        first = max(0, (index - self.window_size) // self.window_slide + 1)
        return [CountWindow(number) for number in range(index // self.window_slide, first - 1, -1)]

    def __repr__(self) -> str:
        return f"CountSlidingWindowAssigner({self.window_size}, {self.window_slide})"


def _next_index(context: WindowAssignerContext, descriptor: ValueStateDescriptor) -> int:
    """Count the elements of the current key before this one; this one counts from now on."""
    counter = context.get_runtime_context().get_state(descriptor)
    index: int = counter.value() or 0
    counter.update(index + 1)
    return index
