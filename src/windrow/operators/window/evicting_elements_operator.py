"""Tumbling and sliding event-time windows with an evictor, each element held once with its timestamp."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from windrow.common.limits import NO_TIMESTAMP
from windrow.datastream.window import Evictor, TimestampedValue, TimeWindow
from windrow.elements.batch import Batch
from windrow.errors import MissingTimestampError
from windrow.operators.base import OperatorContext
from windrow.operators.results import gather_results
from windrow.operators.window.aligned_elements_operator import AlignedElementsOperator
from windrow.operators.window.aligned_windows import AlignedAssigner
from windrow.operators.window.skipped import LateTag
from windrow.operators.window.trigger_context import OperatorEvictorContext
from windrow.operators.window.window_functions import FoldBuffer, UserFunctionAdapter


class EvictingElementsOperator(AlignedElementsOperator):
    """An :class:`AlignedElementsOperator` whose evictor removes elements before or after the function sees them.

    Windows do not wait for late elements: they fire once, so what an evictor leaves of one is of no use any more.

    Args:
        assigner: Tumbling or sliding event-time windows that ``is_aligned`` accepts.
        evictor: It edits the list of a window that fires, of elements with their timestamps.
        function: What is called with the elements that it has left, whether there are any or not.
        late_tag: The side output of elements that are too late; None counts them instead.
    """

    def __init__(
        self,
        assigner: AlignedAssigner,
        evictor: Evictor[Any, Any],
        function: UserFunctionAdapter | FoldBuffer,
        late_tag: LateTag | None = None,
    ) -> None:
        super().__init__(assigner, function, late_tag=late_tag)
        self._takes_tables = False
        self._evictor = evictor

    def open(self, context: OperatorContext) -> None:
        super().open(context)
        self._evictor_context = OperatorEvictorContext(context)

    def follows_sorted_time(self) -> bool:
        return False  # an evictor can ask for the watermark

    def process_batch(self, batch: Batch) -> None:
        times = batch.timestamp_list()
        elements = [TimestampedValue(value, time) for value, time in zip(batch.elements, times, strict=True)]
        try:
            super().process_batch(Batch(elements, batch.timestamps, batch.keys))
        except MissingTimestampError:
            raise MissingTimestampError(self.context.name, batch.elements[times.index(NO_TIMESTAMP)]) from None

    def skip(self, value: Any, timestamp: int, *, in_no_window: bool) -> None:
        super().skip(value.value, timestamp, in_no_window=in_no_window)

    def _call_each(self, function: Any, window: TimeWindow, contents: Iterable[tuple[Any, list[Any]]]) -> None:
        context, state, evictor, of_evictor = (
            self._window_context,
            self.context.state,
            self._evictor,
            self._evictor_context,
        )
        timestamp = window.max_timestamp()
        values: list[Any] = []
        for key, elements in contents:
            state.set_current_key(key)
            context.current = window
            evictor.evict_before(elements, len(elements), window, of_evictor)
            left = [element.value for element in elements]
            results = function.process(state.get_current_key(), window, context, left)
            if results is not None:
                gather_results(self.context, results, timestamp, values, "window function")
            evictor.evict_after(elements, len(elements), window, of_evictor)
            if self._clears:
                function.clear(context)
        self.context.output.emit_batch(Batch(values, [timestamp] * len(values)))
