"""Count windows over columns, with the operator over rows behind them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from windrow.common.exponential_backoff import ExponentialBackoff
from windrow.common.limits import LONG_MAX
from windrow.elements.batch import Batch, taken
from windrow.elements.columns import Columns
from windrow.elements.shape import ScalarShape, Shape
from windrow.operators.base import Operator, OperatorContext
from windrow.operators.column_folds.field_fold import Longs
from windrow.operators.column_folds.fold_plan import FoldPlan, KeysDiffer, are_text
from windrow.operators.column_folds.key_index import KeyIndex, key_column, key_index
from windrow.operators.column_folds.planning import of_plain_fields
from windrow.operators.forecast import Forecast
from windrow.operators.waiting import Waiting
from windrow.operators.window.count_folds import CountFolds, segments_of
from windrow.operators.window.fired_function import present
from windrow.operators.window.incremental import Incremental
from windrow.operators.window.panes.checking import FoldCheck
from windrow.operators.window.panes.planning import plan_of
from windrow.tracing.outcome import NotExact, NotTraceable

if TYPE_CHECKING:
    from windrow.operators.window.count_window_operator import CountWindowOperator

#: After so many failures in a row columns are tried once in 2^8 batches.
_MOST_FAILURES = 8


class Held(NamedTuple):
    """Open windows as columns, and how their elements are combined."""

    plan: FoldPlan
    keys: KeyIndex
    folds: CountFolds


class CountColumnsOperator(Operator):
    """Does what a :class:`CountWindowOperator` with an incremental function and no other does, on columns if it can.

    State has windows by key: the operator over rows gives what it has found there when a key's first element comes, and
    gets all windows when state is stored, and when a batch comes that has to be done in Python (rows, values that are
    null, sums that may leave 64 bits).

    Args:
        by_row: The operator over rows.
        incremental: The function that combines elements.
        size: How many elements a window has.
    """

    def __init__(self, by_row: CountWindowOperator, incremental: Incremental, size: int) -> None:
        self._by_row = by_row
        self._incremental = incremental
        self._size = size
        self._check = FoldCheck(incremental)
        self._shape: Shape | None = None
        #: The plan for elements of this shape.
        self._plan: FoldPlan | None = None
        self._held: Held | None = None
        #: Whether fields that are the key in the first elements are taken to be the key in all.
        self._finds_keys = True
        self._backoff = ExponentialBackoff(_MOST_FAILURES)

    def takes_columns(self, shape: Shape) -> bool:
        return not isinstance(self._plan_of(shape), NotTraceable)

    def forecast(self, shape: Shape | None) -> Forecast:
        if shape is None:
            return super().forecast(shape)
        plan = self._plan_of(shape)
        if isinstance(plan, NotTraceable):
            return Forecast(False, f"its function {plan.reason}")
        return Forecast(True, shape=plan.result_shape)

    def open(self, context: OperatorContext) -> None:
        super().open(context)
        self._by_row.open(context)

    def close(self) -> None:
        self._by_row.close()

    def snapshot(self) -> Any:
        return self._by_row.snapshot()

    def restore(self, snapshot: Any) -> None:
        self._by_row.restore(snapshot)

    def waiting(self) -> Waiting | None:
        return self._by_row.waiting()

    def process_element(self, value: Any, timestamp: int) -> None:
        self._move_to_rows()
        self._by_row.process_element(value, timestamp)

    def process_batch(self, batch: Batch) -> None:
        elements, keys = self.context.columns_of(batch), batch.key_columns
        if elements is not None and keys is not None and self._backoff.is_due():
            if not len(batch):
                return
            is_done = self._process_columns(keys, elements)
            self._backoff.note(success=is_done)
            if is_done:
                return
        self._move_to_rows()
        self._by_row.process_batch(batch)

    def process_watermark(self, timestamp: int) -> None:
        due = self.context.state.next_event_time()
        if due is not None and due <= timestamp:  # a timer that another trigger has left looks into state
            self._move_to_rows()
        self._by_row.process_watermark(timestamp)

    def advance_processing_time(self, now: int) -> None:
        due = self.context.state.next_processing_time()
        if due is not None and due <= now:
            self._move_to_rows()
        self._by_row.advance_processing_time(now)

    def store_state(self) -> None:
        self._move_to_rows()
        self._by_row.store_state()

    def _plan_of(self, shape: Shape) -> FoldPlan | NotTraceable:
        plan = plan_of(self._incremental, shape)
        if isinstance(plan, NotTraceable):
            return plan
        if plan.chooses:
            return NotTraceable("keeps one of the elements whole")
        return of_plain_fields(plan)

    def _process_columns(self, keys: Columns, elements: Columns) -> bool:
        """Add elements, and emit the windows that are complete; False, and nothing is done, if that takes Python."""
        if isinstance(elements.shape, ScalarShape) and elements.null_count(0):
            return False  # contents of None are none
        held = self._held or self._begin(keys, elements)
        column = None if held is None or elements.shape != self._shape else key_column(keys, held.keys)
        if held is None or column is None:
            return False
        try:
            inputs = held.plan.inputs(elements, column)
        except KeysDiffer:
            self._finds_keys = False
            return False
        if inputs is None or not self._check.look(self.context.name, held.plan, keys, elements):
            return False
        known = held.keys.count
        slots = held.keys.slots_of(column)
        if held.keys.count > known and not self._fetch(held, known):
            return False
        segments = segments_of(slots, held.folds.counts, self._size)
        results = None
        try:
            folded = held.folds.fold(segments, inputs)
            if segments.complete.size:
                results = held.plan.results(
                    [
                        held.keys.column(segments.completed) if values is None else values[segments.complete]
                        for values in folded
                    ]
                )
        except NotExact:
            return False
        held.folds.take(segments, folded)
        if results is not None:
            chosen = present(results)
            given = results if chosen is None else taken(results, chosen)
            self.context.output.emit_batch(Batch(given, np.full(len(given), LONG_MAX, np.int64)))
        return True

    def _begin(self, keys: Columns, elements: Columns) -> Held | None:
        """Make what columns need; None if these elements have to be combined row by row."""
        if elements.shape != self._shape:
            self._shape = elements.shape
            plan = self._plan_of(elements.shape)
            self._plan = None if isinstance(plan, NotTraceable) else plan
        index = key_index(keys.shape)
        column = None if index is None else key_column(keys, index)
        if not self._check.agrees or self._plan is None or index is None or column is None:
            return None
        plan = self._plan.with_keys(column, elements) if self._finds_keys else self._plan
        self._held = Held(plan, index, CountFolds(plan.folds, self._size))
        return self._held

    def _fetch(self, held: Held, known: int) -> bool:
        """Take over the windows of new keys; False, and none is taken, if they are of another shape."""
        held.folds.widen(held.keys.count)
        if self._by_row.holds_nothing():
            return True
        slots: Longs = np.arange(known, held.keys.count)
        keys = held.keys.listed(slots)
        windows = self._by_row.taken(keys)
        places = [place for place, (count, _) in enumerate(windows) if count]
        if not places:
            return True
        owners = [keys[place] for place in places]
        counts, contents = zip(*[windows[place] for place in places], strict=True)
        fields = None if any(each is None for each in contents) else held.plan.fields_of(contents, owners)
        if fields is None or not all(are_text(field) for field in fields) or max(counts) >= self._size:
            self._by_row.put(owners, counts, contents)
            return False
        held.folds.put(slots[places], counts, fields)
        return True

    def _move_to_rows(self) -> None:
        """Let the operator over rows have all windows."""
        held, self._held = self._held, None
        if held is None:
            return
        slots = held.folds.held()
        if slots.size:
            columns = [
                held.keys.column(slots) if fold.kind == "key" else values[slots]
                for fold, values in zip(held.plan.folds, held.folds.fields, strict=True)
            ]
            counts = held.folds.counts[slots].tolist()
            self._by_row.put(held.keys.listed(slots), counts, held.plan.accumulators(columns))
