"""Triggers decide when a window's contents are evaluated and when they are thrown away."""

from __future__ import annotations

from abc import ABC, abstractmethod
from enum import Enum
from typing import TYPE_CHECKING, Any, Generic, TypeAlias, TypeVar

from windrow.datastream.window.windows import Window

if TYPE_CHECKING:
    from windrow.datastream.state import StateDescriptor

T_contra = TypeVar("T_contra", contravariant=True)
"""Type of the elements."""
W_contra = TypeVar("W_contra", bound=Window, contravariant=True)
"""Type of the windows."""


class TriggerResult(Enum):
    """Says what happens to a window after a trigger was asked (Flink's ``TriggerResult``).

    >>> TriggerResult.FIRE_AND_PURGE.is_fire(), TriggerResult.FIRE.is_purge()
    (True, False)
    """

    #: Nothing happens.
    CONTINUE = (False, False)
    #: The window function is called, then the contents are thrown away.
    FIRE_AND_PURGE = (True, True)
    #: The window function is called, the contents stay.
    FIRE = (True, False)
    #: The contents are thrown away without calling the window function; trigger state and timers stay.
    PURGE = (False, True)

    def is_fire(self) -> bool:
        """Tell whether the window function is called."""
        return self.value[0]

    def is_purge(self) -> bool:
        """Tell whether the window's contents are thrown away."""
        return self.value[1]


class TriggerContext(ABC):
    """Serves a trigger; timers and state belong to the current key and window (``Trigger.TriggerContext``)."""

    @abstractmethod
    def get_current_processing_time(self) -> int:
        """The current processing time in milliseconds."""

    @abstractmethod
    def get_metric_group(self) -> Any:
        """The metric group of the window operator."""

    @abstractmethod
    def get_current_watermark(self) -> int:
        """The current watermark in milliseconds; -2^63 before the first one."""

    @abstractmethod
    def register_processing_time_timer(self, time: int) -> None:
        """Have ``on_processing_time`` called once processing time reaches ``time``."""

    @abstractmethod
    def register_event_time_timer(self, time: int) -> None:
        """Have ``on_event_time`` called once the watermark reaches ``time``."""

    @abstractmethod
    def delete_processing_time_timer(self, time: int) -> None:
        """Take back the processing-time timer at ``time``; nothing happens if there is none."""

    @abstractmethod
    def delete_event_time_timer(self, time: int) -> None:
        """Take back the event-time timer at ``time``; nothing happens if there is none."""

    @abstractmethod
    def get_partitioned_state(self, state_descriptor: StateDescriptor) -> Any:
        """The state that ``state_descriptor`` describes, for the current key and window."""


class OnMergeContext(TriggerContext):
    """The context of :meth:`Trigger.on_merge` (Flink's ``Trigger.OnMergeContext``)."""

    @abstractmethod
    def merge_partitioned_state(self, state_descriptor: StateDescriptor) -> None:
        """Add the state of the windows that were merged to that of the resulting window.

        Only states that know how to add can be merged: lists, reducing and aggregating states.
        """


# Other names for the two, so that they can also be attributes of Trigger.
_TriggerContext = TriggerContext
_OnMergeContext = OnMergeContext


class Trigger(ABC, Generic[T_contra, W_contra]):
    """Decides when a window is evaluated (Flink's ``Trigger``).

    A trigger object is shared by all keys and windows, so what it must remember goes into
    ``ctx.get_partitioned_state``, never into the object.
    """

    #: As in PyFlink, the contexts can also be named through the class.
    TriggerContext: TypeAlias = _TriggerContext
    OnMergeContext: TypeAlias = _OnMergeContext

    @abstractmethod
    def on_element(self, element: T_contra, timestamp: int, window: W_contra, ctx: TriggerContext) -> TriggerResult:
        """Called for each element that was added to ``window``; ``timestamp`` in milliseconds."""

    @abstractmethod
    def on_processing_time(self, time: int, window: W_contra, ctx: TriggerContext) -> TriggerResult:
        """Called when a processing-time timer at ``time`` is due."""

    @abstractmethod
    def on_event_time(self, time: int, window: W_contra, ctx: TriggerContext) -> TriggerResult:
        """Called when an event-time timer at ``time`` is due, and at the window's cleanup time."""

    def can_merge(self) -> bool:
        """Tell whether the trigger works with merging windows; then :meth:`on_merge` is called for each merge."""
        return False

    @abstractmethod
    def on_merge(self, window: W_contra, ctx: OnMergeContext) -> None:
        """Called for ``window`` after others were merged into it."""

    @abstractmethod
    def clear(self, window: W_contra, ctx: TriggerContext) -> None:
        """Remove the timers and state kept for ``window``, which is over or was merged into another."""
