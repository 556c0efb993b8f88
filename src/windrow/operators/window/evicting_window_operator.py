"""The window operator with an evictor: it keeps all elements with their timestamps (``EvictingWindowOperator``)."""

from __future__ import annotations

from typing import Any

from windrow.common.copies import copied_each
from windrow.datastream.window import Evictor, Trigger, Window, WindowAssigner
from windrow.operators.base import OperatorContext
from windrow.operators.window.contents import TimestampedContents
from windrow.operators.window.skipped import LateTag
from windrow.operators.window.trigger_context import OperatorEvictorContext
from windrow.operators.window.window_functions import InternalWindowFunction
from windrow.operators.window.window_operator import WindowOperator


class EvictingWindowOperator(WindowOperator):
    """A :class:`WindowOperator` whose evictor removes elements before or after the function sees them."""

    def __init__(
        self,
        assigner: WindowAssigner[Any, Any],
        trigger: Trigger[Any, Any],
        evictor: Evictor[Any, Any],
        function: InternalWindowFunction,
        allowed_lateness: int = 0,
        late_tag: LateTag | None = None,
        elements: TimestampedContents | None = None,
    ) -> None:
        #: How elements are kept.
        self._elements = TimestampedContents() if elements is None else elements
        super().__init__(assigner, trigger, self._elements, function, allowed_lateness, late_tag)
        self._evictor = evictor

    def open(self, context: OperatorContext) -> None:
        super().open(context)
        self._evictor_context = OperatorEvictorContext(context)

    def _fire(self, window: Window, state_window: Window, *, is_kept: bool) -> None:
        """The function is called even if the evictor left nothing, as in Flink; what is left is written back."""
        entry = self.context.state.entry
        elements = self._elements.get(entry, state_window)
        if elements is None:
            return
        evictor = self._evictor
        context = self._evictor_context
        evictor.evict_before(elements, len(elements), window, context)
        values = [element.value for element in elements]
        self._emit(window, copied_each(values) if is_kept and not self.context.object_reuse else values)
        evictor.evict_after(elements, len(elements), window, context)
        self._elements.replace(entry, state_window, elements)
