"""Operators of one element at a time: map, flat_map, filter and project, many elements in one call."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import compress
from operator import itemgetter, length_hint
from typing import Any

import numpy as np

from windrow.datastream.output_tag import OutputTag
from windrow.errors import user_function_error
from windrow.operators.base import as_list
from windrow.operators.results import check_results
from windrow.operators.user_function import UserFunctionOperator


class MapOperator(UserFunctionOperator):
    """One element for each element, with its timestamp (Flink's ``StreamMap``)."""

    def __init__(self, function: Any) -> None:
        super().__init__(function, "map")

    def process_batch(self, keys: Sequence[Any] | None, values: Sequence[Any], timestamps: Sequence[int]) -> None:
        self.context.output.emit_batch(self.call_each(keys, values), timestamps)


class ProjectOperator(MapOperator):
    """A tuple of some fields of each element (Flink's ``StreamProject``)."""

    def __init__(self, field_indexes: Sequence[int]) -> None:
        fields: Any = itemgetter(*field_indexes)
        if len(field_indexes) == 1:
            field = field_indexes[0]
            super().__init__(lambda value: (value[field],))
        else:
            super().__init__(fields)


class FilterOperator(UserFunctionOperator):
    """The elements for which the function is true (Flink's ``StreamFilter``)."""

    def __init__(self, function: Any) -> None:
        super().__init__(function, "filter")

    def process_batch(self, keys: Sequence[Any] | None, values: Sequence[Any], timestamps: Sequence[int]) -> None:
        kept = self._kept(values, self.call_each(keys, values))
        if kept is None:
            self.context.output.emit_batch(values, timestamps)
            return
        if isinstance(timestamps, np.ndarray):
            kept_timestamps: Sequence[int] = timestamps[np.fromiter(kept, np.bool_, len(kept))]
        else:
            kept_timestamps = list(compress(timestamps, kept))
        self.context.output.emit_batch(list(compress(values, kept)), kept_timestamps)

    def _kept(self, values: Sequence[Any], results: list[Any]) -> list[bool] | None:
        """Which results are true, which the user's objects decide and may raise at; None: all of them."""
        remaining = iter(results)
        try:
            if all(remaining):
                return None
            remaining = iter(results)
            return [True if result else False for result in remaining]  # noqa: SIM210  (bool() costs a call)
        except BaseException as error:
            failed = -1 - length_hint(remaining)
            raise user_function_error(self.context.name, values[failed], error) from error


class FlatMapOperator(UserFunctionOperator):
    """Any number of elements for each element, with its timestamp (Flink's ``StreamFlatMap``).

    The function returns an iterable, or None for no element; an ``(OutputTag, value)`` in it goes to that side output.
    """

    def __init__(self, function: Any) -> None:
        super().__init__(function, "flat_map")

    def process_batch(self, keys: Sequence[Any] | None, values: Sequence[Any], timestamps: Sequence[int]) -> None:
        call, output = self._call, self.context.output
        set_current_key = self.context.state.set_current_key if keys is not None and self._is_object else None
        emitted: list[Any] = []
        emitted_timestamps: list[int] = []
        value = None
        try:
            for index, (value, timestamp) in enumerate(zip(values, as_list(timestamps), strict=True)):
                if set_current_key is not None and keys is not None:
                    set_current_key(keys[index])
                results = call(value)
                if results is None:
                    continue
                if type(results) is not list and not isinstance(results, str):  # a text's letters may be meant
                    check_results(self.context.name, results, "function")
                for result in results:
                    if isinstance(result, tuple) and len(result) == 2 and isinstance(result[0], OutputTag):
                        output.emit_side(result[0].tag_id, result[1], timestamp)
                    else:
                        emitted.append(result)
                        emitted_timestamps.append(timestamp)
        except BaseException as error:
            raise user_function_error(self.context.name, value, error) from error
        output.emit_batch(emitted, emitted_timestamps)
