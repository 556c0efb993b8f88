"""Window assigners decide which windows an element belongs to."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING, Any, Generic, TypeAlias, TypeVar

from windrow.datastream.window.serializers import PickledWindowSerializer, WindowSerializer
from windrow.datastream.window.windows import Window

if TYPE_CHECKING:
    from windrow.datastream.window.trigger import Trigger

T = TypeVar("T")
"""Type of the elements."""
W = TypeVar("W", bound=Window)
"""Type of the windows."""


class WindowAssignerContext(ABC):
    """Serves an assigner (Flink's ``WindowAssigner.WindowAssignerContext``)."""

    @abstractmethod
    def get_current_processing_time(self) -> int:
        """The current processing time in milliseconds."""

    @abstractmethod
    def get_runtime_context(self) -> Any:
        """The ``RuntimeContext`` of the window operator, through which an assigner may use keyed state."""


# Another name, so that it can also be an attribute of WindowAssigner.
_WindowAssignerContext = WindowAssignerContext


class WindowAssigner(ABC, Generic[T, W]):
    """Assigns zero or more windows to each element (Flink's ``WindowAssigner``)."""

    #: As in PyFlink, the context can also be named through the class.
    WindowAssignerContext: TypeAlias = _WindowAssignerContext

    @abstractmethod
    def assign_windows(self, element: T, timestamp: int, context: WindowAssignerContext) -> Collection[W]:
        """The windows of ``element``, whose timestamp is in milliseconds (``NO_TIMESTAMP`` if it has none)."""

    @abstractmethod
    def get_default_trigger(self, env: Any = None) -> Trigger[T, W]:
        """The trigger used when the user names none; ``env`` exists for PyFlink's signature and is not used."""

    def get_window_serializer(self) -> WindowSerializer[W]:
        """Give the serializer of this assigner's windows; the default serves any window that can be pickled."""
        return PickledWindowSerializer()

    @abstractmethod
    def is_event_time(self) -> bool:
        """Tell whether windows are placed by element timestamps (True) or by processing time (False)."""


class MergeCallback(ABC, Generic[W]):
    """Receives the merges that a :class:`MergingWindowAssigner` decides on."""

    @abstractmethod
    def merge(self, to_be_merged: Collection[W], merge_result: W) -> None:
        """Say that the windows ``to_be_merged`` become ``merge_result``."""


_MergeCallback = MergeCallback


class MergingWindowAssigner(WindowAssigner[T, W]):
    """An assigner whose windows may grow together, as sessions do (Flink's ``MergingWindowAssigner``)."""

    #: As in PyFlink, the callback can also be named through the class.
    MergeCallback: TypeAlias = _MergeCallback

    @abstractmethod
    def merge_windows(self, windows: Iterable[W], callback: MergeCallback[W]) -> None:
        """Call ``callback.merge`` once for each group of ``windows`` that has to become one."""
