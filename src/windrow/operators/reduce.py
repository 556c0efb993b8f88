"""Running reduce and fold of each key's elements: every result so far in streaming, the last one in batch."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from copy import deepcopy
from typing import TYPE_CHECKING, Any

from windrow.common.copies import copied
from windrow.common.limits import LONG_MAX
from windrow.common.unchangeable import ATOMS
from windrow.datastream.functions import Function
from windrow.elements.batch import Batch
from windrow.errors import UsageError, user_function_error
from windrow.operators.aggregations import FieldAggregator
from windrow.operators.user_function import UserFunctionOperator
from windrow.state.keyed import KeyedState

if TYPE_CHECKING:
    from windrow.operators.column_folds.kept_results import KeptResults

#: Where a key's result so far is; named, so that it is found again after a restart.
_RESULT = ("_reduced", None)


class ReduceOperator(UserFunctionOperator):
    """Emits the result so far for each element, with the element's timestamp (Flink's ``StreamGroupedReduceOperator``).

    A result that is None is none: the next element of its key starts anew, as in Flink's value state.

    Results so far are a cache over keyed state: a key's is in its state entry until its first element comes, then in
    the cache until :meth:`store_state`. Where a running reduce over columns has had too many of them for memory, they
    stay as it has written them until their keys' first elements come.
    """

    def __init__(self, function: Any, method: str = "reduce") -> None:
        super().__init__(function, method)
        #: Whether the function sees the runtime context, so that it needs the key set for each element.
        self.may_use_state = self._is_object and type(function).open is not Function.open
        self._results: dict[Any, Any] = {}
        #: Results that have left memory as columns; None: there are none.
        self.kept: KeptResults | None = None

    @property
    def function(self) -> Any:
        """The function that the program has given, or a built-in aggregation."""
        return self._function

    @property
    def call(self) -> Callable[..., Any]:
        """The function that reduces."""
        return self._call

    def process_batch(self, batch: Batch) -> None:
        results: list[Any] = []
        for part in batch.in_parts():
            results += self._reduce_each(part.keys, part.elements)
        self.context.output.emit_batch(batch.with_elements(results))

    def taken(self, keys: Sequence[Any]) -> list[Any]:
        """Hand over the results so far of keys; None for those that have none."""
        take, stored = self._results.pop, self._stored
        self._expect(keys)
        results = [take(key, None) for key in keys]
        return [stored(key) if result is None else result for key, result in zip(keys, results, strict=True)]

    def put(self, keys: Sequence[Any], results: Sequence[Any]) -> None:
        """Take results so far of keys that have none here; None: a key has none anywhere."""
        self._results.update(zip(keys, results, strict=True))

    def begin_anew(self, keys: Iterable[Any]) -> None:
        """Say of keys that have no result here that they have none anywhere."""
        for key in keys:
            self._results.setdefault(key, None)

    def holds_any(self) -> bool:
        """Tell whether any results are in the cache; those in state do not count."""
        return bool(self._results)

    def store_state(self) -> None:
        put_results(self.context.state, self._results, self._results.values())
        self._results.clear()
        columns = self.context.state.columns
        if self.kept is not None and self.kept.runs and columns is not None and columns.is_taken_up:
            self.kept.keep_within_bounds(columns, 0)

    def _first(self, value: Any) -> Any:
        """The result of a key's first element."""
        function = self._function
        return function.first(value) if isinstance(function, FieldAggregator) else value

    def _expect(self, keys: Iterable[Any]) -> None:
        """Have what is stored of keys read together."""
        known, state = self._results, self.context.state
        state.expect(key for key in keys if key not in known)  # not looked at where all are in memory
        if self.kept is None or not self.kept.runs or state.columns is None:
            return
        absent = [key for key in dict.fromkeys(keys) if key not in known and _RESULT not in state.entry_of(key)]
        for key, result in zip(absent, self.kept.runs.results_of(absent, state.columns), strict=True):
            if result is not None:
                known[key] = result

    def _stored(self, key: Any) -> Any:
        """A key's result in keyed state, which has it no longer then; None if there is none."""
        return self.context.state.entry_of(key).pop(_RESULT, None)

    def _take_up_columns(self) -> None:
        """Go on with results that were stored as columns."""
        columns = self.context.state.columns
        if columns is None or columns.is_taken_up:
            return
        counts = columns.take_up()
        if self.kept is None and columns.are_stored():
            # Here, because it imports Arrow.
            from windrow.operators.column_folds.kept_results import KeptResults

            self.kept = KeptResults()
        if self.kept is None or counts:
            return
        results = self.kept.read(columns)
        if results is not None:
            self.put(*results.listed())
        self.kept.keep_runs(columns)

    def _reduce_each(self, keys: Sequence[Any] | None, values: Sequence[Any], *, emits: bool = True) -> list[Any]:
        if keys is None:
            msg = f"operator {self.context.name!r} got elements without keys: call key_by before it"
            raise UsageError(msg)
        self._take_up_columns()
        reduce, first, stored = self._call, self._first, self._stored
        set_current_key = self.context.state.set_current_key if self.may_use_state else None
        copies = emits and not self.context.object_reuse
        known, cannot_change = self._results, ATOMS.issuperset
        self._expect(keys)
        results: list[Any] = []
        value = None
        try:
            for key, value in zip(keys, values, strict=True):
                if set_current_key is not None:
                    set_current_key(key)
                current = known.get(key)
                if current is None:
                    current = stored(key)
                known[key] = current = first(value) if current is None else reduce(current, value)
                if copies and not (type(current) is tuple and cannot_change(map(type, current))):
                    results.append(copied(current))
                elif emits:
                    results.append(current)
        except BaseException as error:
            raise user_function_error(self.context.name, value, error) from error
        return results


class FoldOperator(ReduceOperator):
    """Emits what a fold function has made of a key's elements so far (Flink 1.x's ``StreamGroupedFold``).

    Args:
        function: A ``FoldFunction``, or a callable of the value so far and an element.
        initial_value: What each key begins with a copy of.
    """

    def __init__(self, function: Any, initial_value: Any) -> None:
        super().__init__(function, "fold")
        self._initial_value = initial_value

    def _first(self, value: Any) -> Any:
        return self._call(deepcopy(self._initial_value), value)


class _LastResult(ReduceOperator):
    """Emits each key's last result at the end of the input (Flink's ``BatchGroupedReduceOperator``)."""

    def process_batch(self, batch: Batch) -> None:
        self._reduce_each(batch.keys, batch.elements, emits=False)
        register = self.context.state.event_timers.register
        for key in dict.fromkeys(batch.keys or ()):
            register(LONG_MAX, key, None)

    def process_watermark(self, timestamp: int) -> None:
        if timestamp == LONG_MAX:
            self.store_state()
        self.context.state.fire_event_timers(timestamp, self._emit)

    def _emit(self, time: int, _namespace: Hashable) -> None:
        result = self.context.state.entry.pop(_RESULT, None)
        if result is not None:
            self.context.output.emit(result, time)


class BatchReduceOperator(_LastResult):
    """Reduces each key's elements to one, at the end of the input."""


class BatchFoldOperator(_LastResult, FoldOperator):
    """Folds each key's elements to one value, at the end of the input."""


def put_older_results(state: KeyedState, keys: Iterable[Any], results: Iterable[Any]) -> None:
    """Let the entries of those keys have these results so far that have none yet."""
    entry_of = state.entry_of
    for key, result in zip(keys, results, strict=True):
        entry_of(key).setdefault(_RESULT, result)


def put_results(state: KeyedState, keys: Iterable[Any], results: Iterable[Any]) -> None:
    """Let the entries of keys have these results so far."""
    entry_of = state.entry_of
    for key, result in zip(keys, results, strict=True):
        entry_of(key)[_RESULT] = result
