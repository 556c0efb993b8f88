"""Operators of one element at a time: map, flat_map, filter and project, many elements in one call."""

from __future__ import annotations

from collections.abc import Sequence
from operator import itemgetter, length_hint
from typing import TYPE_CHECKING, Any, NoReturn

from windrow.datastream.output_tag import OutputTag
from windrow.elements.batch import Batch
from windrow.errors import ElementError, shorten, user_function_error
from windrow.operators.base import OperatorContext
from windrow.operators.column_function import ColumnFunction
from windrow.operators.forecast import Forecast, forecast, passing_on
from windrow.operators.ownership import handed_on, handed_on_each, handing_on, reference_counts, without_kept
from windrow.operators.reach import Reach
from windrow.operators.results import check_results, references_of_loop
from windrow.operators.user_function import UserFunctionOperator

if TYPE_CHECKING:
    from windrow.elements.shape import Shape


#: In the place of a filter's result where its truth was not asked.
NO_RESULT = object()


class MapOperator(UserFunctionOperator):
    """One element for each element, with its timestamp (Flink's ``StreamMap``)."""

    def __init__(self, function: Any) -> None:
        super().__init__(function, "map")
        self.plain_call = self._call
        self._call_and_hand_on = handing_on(self.plain_call)

    def open(self, context: OperatorContext) -> None:
        super().open(context)
        self.reach = Reach(self.plain_call)
        self._on_columns = ColumnFunction(context.name, self.plain_call, enabled=context.columns)

    def process_batch(self, batch: Batch) -> None:
        found = self.by_columns(batch)
        self.context.output.emit_batch(self.by_rows(batch) if found is None else found)

    def by_columns(self, batch: Batch) -> Batch | None:
        """Give the results for a batch, as columns; None: the function has to be called for each element."""
        found = self._on_columns.of(batch, self._each)
        return None if found is None else batch.with_elements(found)

    def by_rows(self, batch: Batch) -> Batch:
        """Give the results for a batch; the function is called for each element."""
        return batch.with_elements(self._each(batch))

    def raise_for(self, value: Any, _: Any, error: BaseException) -> NoReturn:
        """Raise what the function has raised for an element."""
        raise user_function_error(self.context.name, value, error) from error

    def forecast(self, shape: Shape | None) -> Forecast:
        return forecast(self.plain_call, [shape])

    def _each(self, batch: Batch) -> list[Any]:
        plain = self.context.object_reuse or self.reach.ends_at(batch.elements)
        self._call = self.plain_call if plain else self._call_and_hand_on
        results = self.call_each(batch.keys, batch.elements)
        self.check_first(batch.elements, results)
        return results


class ProjectOperator(MapOperator):
    """A tuple of some fields of each element (Flink's ``StreamProject``)."""

    def __init__(self, field_indexes: Sequence[int]) -> None:
        fields: Any = itemgetter(*field_indexes)
        if len(field_indexes) == 1:
            super().__init__(_OneField(field_indexes[0]))
        else:
            super().__init__(fields)


class _OneField:
    """A tuple of one field, which ``itemgetter`` does not give."""

    def __init__(self, index: int) -> None:
        self._index = index

    def __call__(self, value: Any) -> Any:
        try:
            return (value[self._index],)
        except (LookupError, TypeError) as error:
            raise ElementError(str(error)) from error


class FilterOperator(UserFunctionOperator):
    """The elements for which the function is true (Flink's ``StreamFilter``)."""

    def __init__(self, function: Any) -> None:
        super().__init__(function, "filter")
        self.plain_call = self._call

    def open(self, context: OperatorContext) -> None:
        super().open(context)
        self.reach = Reach(self._call)
        self._on_columns = ColumnFunction(context.name, self._call, "trace_predicate", enabled=context.columns)

    def process_batch(self, batch: Batch) -> None:
        found = self.by_columns(batch)
        self.context.output.emit_batch(self.by_rows(batch) if found is None else found)

    def by_columns(self, batch: Batch) -> Batch | None:
        """Give what passes of a batch, as columns; None: the function has to be called for each element."""
        found = self._on_columns.of(batch, self._truths)
        if found is None:
            return None
        passed = batch if batch.keys is None else batch.with_elements(batch.elements)
        return passed.kept(found.truths())

    def forecast(self, shape: Shape | None) -> Forecast:
        return passing_on(forecast(self._call, [shape], "trace_predicate"), shape)

    def _truths(self, batch: Batch) -> list[bool]:
        results = self.call_each(batch.keys, batch.elements)
        self.check_first(batch.elements, results)
        kept = self._kept(batch.elements, results)
        return [True] * len(batch) if kept is None else kept

    def by_rows(self, batch: Batch) -> Batch:
        """Give what passes of a batch; the function is called for each element."""
        values = batch.elements
        is_watched = not (self.context.object_reuse or self.reach.ends_at(values))
        counts = reference_counts(values) if is_watched else None
        results = self.call_each(batch.keys, values)
        self.check_first(values, results)
        kept = self._kept(values, results)
        del results  # some may be the elements themselves
        passed = batch.with_elements(without_kept(values, counts))
        return passed if kept is None else passed.kept(kept)

    def _kept(self, values: Sequence[Any], results: list[Any]) -> list[bool] | None:
        """Tell of each result whether it is true, which the user's objects decide and may raise at; None: all are."""
        remaining = iter(results)
        try:
            if all(remaining):
                return None
            remaining = iter(results)
            return [True if result else False for result in remaining]  # noqa: SIM210  (bool() costs a call)
        except BaseException as error:
            failed = -1 - length_hint(remaining)
            raised_here = error.__traceback__ is None or error.__traceback__.tb_next is None
            self.raise_for(values[failed], results[failed] if raised_here else NO_RESULT, error)

    def raise_for(self, value: Any, result: Any, error: BaseException) -> NoReturn:
        """Raise what was raised for an element: by the function, or by the one who asked its ``result`` for its truth.

        ``result``: ``NO_RESULT`` if it was the function, or a method of the result that was asked.
        """
        told: BaseException = error
        if result is not NO_RESULT and isinstance(error, ValueError):  # an array has no truth, which is told in C
            given = f"{shorten(result)} ({type(result).__name__})"
            told = ElementError(f"the filter function must return True or False; it returned {given}: {error}")
        raise user_function_error(self.context.name, value, told) from error


class FlatMapOperator(UserFunctionOperator):
    """Any number of elements for each element, with its timestamp (Flink's ``StreamFlatMap``).

    The function returns an iterable, or None for no element; an ``(OutputTag, value)`` in it goes to that side output.
    """

    def __init__(self, function: Any) -> None:
        super().__init__(function, "flat_map")

    def open(self, context: OperatorContext) -> None:
        super().open(context)
        self._reach = Reach(self._call)

    def process_batch(self, batch: Batch) -> None:
        call, output = self._call, self.context.output
        keys, values = batch.keys, batch.elements
        reuse = self.context.object_reuse
        # Of a list from a function that keeps nothing, elements are as they will be: all lists are looked at together.
        looks_later = not reuse and self._reach.ends_at(values)
        set_current_key = self.context.state.set_current_key if keys is not None and self._is_object else None
        emitted: list[Any] = []
        emitted_timestamps: list[int] = []
        value = None
        try:
            for index, (value, timestamp) in enumerate(zip(values, batch.timestamp_list(), strict=True)):
                if set_current_key is not None and keys is not None:
                    set_current_key(keys[index])
                results = call(value)
                if results is None:
                    continue
                if type(results) is not list and not isinstance(results, str):  # a text's letters may be meant
                    check_results(self.context.name, results, "function")
                holders = references_of_loop(results)
                as_it_is = reuse or (looks_later and type(results) is list)
                for result in results:
                    if isinstance(result, tuple) and len(result) == 2 and isinstance(result[0], OutputTag):
                        tag, given = result if reuse else handed_on(result, holders)
                        output.emit_side(tag.tag_id, given, timestamp)
                    else:
                        emitted.append(result if as_it_is else handed_on(result, holders))
                        emitted_timestamps.append(timestamp)
        except BaseException as error:
            raise user_function_error(self.context.name, value, error) from error
        results = result = None  # they hold elements as well
        output.emit_batch(Batch(handed_on_each(emitted) if looks_later else emitted, emitted_timestamps))
