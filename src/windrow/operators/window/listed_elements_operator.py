"""Tumbling and sliding event-time windows that keep their elements, in a list for each window and key."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from types import GeneratorType
from typing import Any

from windrow.common.copies import copied
from windrow.common.unchangeable import ATOMS, all_never_change
from windrow.datastream.functions import AggregateFunction
from windrow.datastream.window import TimeWindow
from windrow.elements.batch import Batch
from windrow.operators.results import gather_another, gather_results
from windrow.operators.window.aligned_window_operator import AlignedWindowOperator
from windrow.operators.window.aligned_windows import AlignedAssigner, Times
from windrow.operators.window.buckets import Bucket, BucketsByEnd
from windrow.operators.window.incremental import Incremental
from windrow.operators.window.skipped import LateTag
from windrow.operators.window.window_functions import FoldBuffer, UserFunctionAdapter


class _Elements(AggregateFunction):
    """Keeps elements in the order in which they come."""

    def create_accumulator(self) -> list[Any]:
        return []

    def add(self, value: Any, accumulator: list[Any]) -> list[Any]:
        accumulator.append(value)
        return accumulator

    def get_result(self, accumulator: list[Any]) -> list[Any]:
        # A copy: a function that sorts its input must not reorder what later firings see.
        return list(accumulator)

    def merge(self, acc_a: list[Any], acc_b: list[Any]) -> list[Any]:
        return [*acc_a, *acc_b]


class ListedElementsOperator(AlignedWindowOperator):
    """An :class:`AlignedWindowOperator` whose accumulators are lists of the elements themselves.

    An element that cannot change is one object, however many windows hold it, in memory as in a page of state.

    Args:
        assigner: Tumbling or sliding event-time windows that ``is_aligned`` accepts.
        function: What is called with the elements of a window that fires.
        allowed_lateness: For how many milliseconds after its maximum timestamp a window is kept.
        late_tag: The side output of elements that are too late; None counts them instead.
        purging: Whether a window is emptied when it fires.
    """

    def __init__(
        self,
        assigner: AlignedAssigner,
        function: UserFunctionAdapter | FoldBuffer,
        allowed_lateness: int = 0,
        late_tag: LateTag | None = None,
        *,
        purging: bool = False,
    ) -> None:
        super().__init__(assigner, Incremental.of(_Elements()), function, allowed_lateness, late_tag, purging=purging)
        self._clears = function.has_clear()

    def _add(self, keys: Sequence[Any], values: Sequence[Any], first: Times, last: Times) -> None:
        windows = self.windows
        slide, cached = windows.slide, self._cached_keys
        buckets = BucketsByEnd(self._buckets, windows)
        # What is done to an element in one window is not to be seen in another.
        shares = slide >= windows.size or self.context.object_reuse or all_never_change(values)
        # What has fired is looked for only where something has.
        fired = self._fired
        #: By the first and the last end of an element's windows: their buckets.
        known: dict[tuple[int, int], list[Bucket]] = {}
        for key, value, first_end, last_end in zip(keys, values, first.tolist(), last.tolist(), strict=True):
            if key not in cached:
                self._cache(key)
            if fired:
                for end in range(first_end, last_end + 1, slide):
                    self._add_to_window(key, value if shares else copied(value), windows.window(end))
                continue
            its_buckets = known.get((first_end, last_end))
            if its_buckets is None:
                its_buckets = [buckets[end] for end in range(first_end, last_end + 1, slide)]
                known[(first_end, last_end)] = its_buckets
            for bucket in its_buckets:
                elements = bucket.get(key)
                if elements is None:
                    bucket[key] = [value if shares else copied(value)]
                else:
                    elements.append(value if shares else copied(value))

    def _add_to_window(self, key: Any, value: Any, window: TimeWindow) -> None:
        """Add an element to a window that may have been in keyed state, or may have fired, if it is there at all."""
        elements = self._take(key, window)
        if elements is None:
            self._buckets[window][key] = [value]
        else:
            elements.append(value)
            self._buckets[window][key] = elements

    def _call_function(self, function: Any, window: TimeWindow, bucket: Bucket, *, is_kept: bool) -> None:
        if is_kept:
            super()._call_function(function, window, bucket, is_kept=True)
        else:
            self._call_each(function, window, bucket.items())

    def _call_each(self, function: Any, window: TimeWindow, contents: Iterable[tuple[Any, list[Any]]]) -> None:
        """Call the function with the elements of each key in a window that is over then."""
        context, state = self._window_context, self.context.state.in_own_time
        waiting = state.entry_of_each()
        get_current_key, timestamp, clears = state.get_current_key, window.max_timestamp(), self._clears
        context.current = window
        call, shown = function.call_in(window, context)
        values: list[Any] = []
        append = values.append
        for key, elements in contents:
            if waiting is None:
                state.set_current_key(key)
            else:
                # The same, without a call, and without a look for what hardly any function asks for.
                state.current_key, state.current_slot, state.entry = key, None, waiting
            results = call(key if type(key) in ATOMS else get_current_key(), shown, elements)
            if type(results) is GeneratorType:
                for result in results:
                    if type(result) in ATOMS:
                        append(result)
                    else:
                        gather_another(self.context, result, timestamp, values)
            elif results is not None:
                gather_results(self.context, results, timestamp, values, "window function")
            if clears:
                function.clear(context)
        self.context.output.emit_batch(Batch(values, [timestamp] * len(values)))
