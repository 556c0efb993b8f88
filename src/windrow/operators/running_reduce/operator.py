"""A running reduce over columns, with the operator over rows behind it."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from windrow.common.exponential_backoff import ExponentialBackoff
from windrow.elements.batch import Batch
from windrow.elements.columns import Columns
from windrow.elements.shape import ScalarShape, Shape
from windrow.operators.base import Operator, OperatorContext
from windrow.operators.column_folds.described import goes_on_with
from windrow.operators.column_folds.field_fold import Longs
from windrow.operators.column_folds.fold_plan import FoldPlan, KeysDiffer, are_text
from windrow.operators.column_folds.kept_results import KeptResults, Results, Stored
from windrow.operators.column_folds.key_index import IntKeyIndex, KeyIndex, key_column, key_index
from windrow.operators.column_folds.result_form import FoldForm
from windrow.operators.column_folds.runs import runs_of
from windrow.operators.forecast import Forecast
from windrow.operators.reduce import ReduceOperator
from windrow.operators.running_reduce.accumulators import Accumulators
from windrow.operators.running_reduce.planning import plan_of
from windrow.operators.window.incremental import Incremental
from windrow.operators.window.panes.checking import FoldCheck
from windrow.state.kept_columns import KeptColumns
from windrow.tracing.outcome import NotExact, NotTraceable

#: After so many failures in a row columns are tried once in 2^8 batches.
_MOST_FAILURES = 8


class Held(NamedTuple):
    """Results so far as columns, and how they are made."""

    plan: FoldPlan
    keys: KeyIndex
    accumulators: Accumulators


class RunningReduceOperator(Operator):
    """Does what a :class:`ReduceOperator` does, on columns as far as it can.

    A key's result so far is in arrays, which state keeps as columns where it can (``state.columns``): they are in
    memory in the next batch, if nobody else has written since. Else it is with the operator over rows, and is taken
    over from there when the key's first element comes in columns. All go back when a batch comes that has to be done in
    Python (rows, values that are null, sums that may leave 64 bits), and when state is stored and they cannot be kept
    as columns. Where they are too many, all of them leave memory as columns, from which either form takes them.

    Args:
        by_row: The operator over rows.
    """

    def __init__(self, by_row: ReduceOperator) -> None:
        self._by_row = by_row
        self._check = FoldCheck(Incremental.of(by_row.function))
        self._shape: Shape | None = None
        #: The plan for elements of this shape.
        self._plan: FoldPlan | None = None
        self._held: Held | None = None
        self._kept = by_row.kept = KeptResults()
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
        return Forecast(True, shape=plan.shape)

    def open(self, context: OperatorContext) -> None:
        super().open(context)
        self._by_row.open(context)

    def close(self) -> None:
        self._by_row.close()

    def process_element(self, value: Any, timestamp: int) -> None:
        self.process_batch(Batch([value], [timestamp], [self.context.state.current_key]))

    def process_batch(self, batch: Batch) -> None:
        self._show()
        elements = self.context.columns_of(batch)
        keys = batch.key_columns
        if elements is not None and keys is not None:
            if not len(batch):
                return
            if self._backoff.is_due():
                results = self._reduced(keys, elements)
                self._backoff.note(success=results is not None)
                if results is not None:
                    self.context.output.emit_batch(batch.with_elements(results))
                    return
        self._move_to_rows()
        self._by_row.process_batch(batch)

    def store_state(self) -> None:
        columns = self.context.state.columns
        is_taken_up = columns is not None and columns.is_taken_up
        if columns is None:
            self._move_to_rows()
        elif is_taken_up and not self._keep(columns):
            self._move_to_rows()
            self._kept.keep_runs(columns)
        self._by_row.store_state()
        if columns is None or not is_taken_up or self._held is None:
            return
        if not self._kept.keep_within_bounds(columns, self._held.accumulators.nbytes):
            self._held = None
            self._kept.forget()

    def _keep(self, columns: KeptColumns) -> bool:
        """Store results as columns; False if they have to be stored by key."""
        held = self._held
        if held is None or self._shape is None:
            return False
        results = Results(FoldForm(self._shape, held.plan), held.keys, held.accumulators.fields)
        changed = held.accumulators.changed
        stored = self._kept.store(results, np.flatnonzero(changed), columns, self.context.state.stored_keys())
        if stored is Stored.IN_RUNS:
            self._held = None
        changed[:] = False
        return stored is not Stored.BY_KEY

    def _show(self) -> None:
        """Go on with what state has as columns: what is in memory, or, if another has written since, what is stored."""
        columns = self.context.state.columns
        if columns is None or columns.is_taken_up or columns.take_up():
            return
        self._held = None
        results = self._kept.read(columns)
        if results is None:
            return
        form = results.form
        assert isinstance(form, FoldForm), "a reduce has folded what it has kept"
        plan = self._plan_of(form.elements)
        if isinstance(plan, NotTraceable) or not goes_on_with(plan, form.plan):
            self._by_row.put(*results.listed())
            self._kept.keep_runs(columns)
            return
        self._shape, self._plan = form.elements, plan
        folds = form.plan.folds
        accumulators = Accumulators.of(folds, results.fields, results.keys.count)
        self._held = Held(plan.with_folds(folds), results.keys, accumulators)

    def _plan_of(self, shape: Shape) -> FoldPlan | NotTraceable:
        return plan_of(self._by_row.function, self._by_row.call, shape)

    def _reduced(self, keys: Columns, elements: Columns) -> Columns | None:
        """The result behind each element; None, and nothing is reduced, if that takes Python."""
        if isinstance(elements.shape, ScalarShape) and elements.null_count(0):
            return None  # a result of None is none
        held = self._held or self._begin(keys, elements)
        if held is None or elements.shape != self._shape:
            return None
        column = key_column(keys, held.keys)
        if column is None:
            return None
        try:
            inputs = held.plan.inputs(elements, column)
        except KeysDiffer:
            self._finds_keys = False
            return None
        if inputs is None or not self._check.look(self.context.name, held.plan, keys, elements):
            return None
        known = held.keys.count
        slots = held.keys.slots_of(column)
        if held.keys.count > known and not self._fetch(held, known):
            return None
        runs = runs_of(slots)
        try:
            fields = held.accumulators.add(slots, runs, inputs)
            return held.plan.results([column if values is None else values for values in fields])
        except NotExact:
            return None

    def _begin(self, keys: Columns, elements: Columns) -> Held | None:
        """Make what columns need; None if these elements have to be reduced row by row."""
        if elements.shape != self._shape:
            self._shape = elements.shape
            plan = self._plan_of(elements.shape)
            self._plan = None if isinstance(plan, NotTraceable) else plan
        index = key_index(keys.shape)
        column = None if index is None else key_column(keys, index)
        if not self._check.agrees or self._plan is None or index is None or column is None:
            return None
        before = self._kept.runs.newest_form()
        if isinstance(before, FoldForm) and self._may_go_on_with(self._plan, before.plan):
            plan = self._plan.with_folds(before.plan.folds)  # so that runs can become one
        else:
            plan = self._plan.with_keys(column, elements) if self._finds_keys else self._plan
        self._held = Held(plan, index, Accumulators(plan.folds))
        return self._held

    def _may_go_on_with(self, plan: FoldPlan, kept: FoldPlan) -> bool:
        return goes_on_with(plan, kept) and (self._finds_keys or all(fold.kind != "key" for fold in kept.folds))

    def _fetch(self, held: Held, known: int) -> bool:
        """Take over what new keys have been reduced to; False, and nothing is, if it is of another shape."""
        slots = np.arange(known, held.keys.count)
        held.accumulators.widen(held.keys.count)
        if not self._by_row.holds_any() and self.context.state.is_empty() and self._fetch_from_runs(held, slots):
            return True
        keys = held.keys.listed(slots)
        results = self._by_row.taken(keys)
        places = [place for place, result in enumerate(results) if result is not None]
        if not places:
            return True
        found, owners = [results[place] for place in places], [keys[place] for place in places]
        fields = held.plan.fields_of(found, owners)
        if fields is None or not all(are_text(field) for field in fields):
            self._by_row.put(keys, results)
            return False
        held.accumulators.put(slots[places], fields)
        return True

    def _fetch_from_runs(self, held: Held, slots: Longs) -> bool:
        """Take over what has left memory as columns; False, and nothing is, if these cannot go on with it."""
        columns, runs = self.context.state.columns, self._kept.runs
        if not runs or columns is None or not isinstance(held.keys, IntKeyIndex) or self._shape is None:
            return True
        found = runs.fields_of(FoldForm(self._shape, held.plan), held.keys.column(slots), columns)
        if found is None:
            return False
        for places, fields in found:
            held.accumulators.put(slots[places], fields)
        return True

    def _move_to_rows(self) -> None:
        """Let the operator over rows have all results."""
        held, self._held = self._held, None
        self._kept.forget()
        if held is None:
            return
        if self._kept.runs:
            # A key that has come and has no result is to get no older one.
            self._by_row.begin_anew(held.keys.listed(np.arange(held.keys.count)))
        slots = held.accumulators.held()
        if slots.size and self._shape is not None:
            results = Results(FoldForm(self._shape, held.plan), held.keys, held.accumulators.fields)
            self._by_row.put(held.keys.listed(slots), results.rows(slots))
