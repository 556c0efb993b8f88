"""Tumbling and sliding event-time windows over columns, with the operator over rows behind them."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from windrow.common.limits import LONG_MAX, LONG_MIN
from windrow.elements.batch import Batch, Gathered
from windrow.elements.columns import Columns
from windrow.elements.shape import ScalarShape, Shape
from windrow.operators.base import Operator, OperatorContext
from windrow.operators.column_folds.choosing import NEVER
from windrow.operators.column_folds.described import goes_on_with
from windrow.operators.column_folds.field_fold import Longs
from windrow.operators.column_folds.fold_plan import FoldPlan, KeysDiffer
from windrow.operators.column_folds.key_index import key_column, key_index
from windrow.operators.column_folds.local_accumulators import are_local, element_shape
from windrow.operators.column_folds.slot_groups import SlotGroups
from windrow.operators.forecast import Forecast
from windrow.operators.local_aggregate import LocalAggregate
from windrow.operators.waiting import Waiting
from windrow.operators.window.fired_function import forecast_fired
from windrow.operators.window.incremental import Incremental
from windrow.operators.window.panes.by_row import give_to_rows, keys_of_rows, take_from_rows
from windrow.operators.window.panes.checking import FoldCheck
from windrow.operators.window.panes.due_windows import Due, DueWindows
from windrow.operators.window.panes.entries import columns_to_entries
from windrow.operators.window.panes.fire_times import FireTimes
from windrow.operators.window.panes.firings import firings
from windrow.operators.window.panes.kept_panes import Held, KeptPanes, keep, read
from windrow.operators.window.panes.late_firings import Arrived, LateFirings, add_late
from windrow.operators.window.panes.local_aggregate import PaneAggregate
from windrow.operators.window.panes.pane_windows import PaneWindows
from windrow.operators.window.panes.placing import Placed, first_end_kept, place
from windrow.operators.window.panes.planning import plan_of
from windrow.operators.window.panes.results import PaneResults
from windrow.state.kept_columns import KeptColumns
from windrow.tracing.outcome import NotExact, NotTraceable

if TYPE_CHECKING:  # which makes entries of columns itself, by the modules here
    from windrow.operators.window.aligned_window_operator import AlignedWindowOperator


#: More than so many entries, or keys, are kept by key: each costs some 1 KB of memory when it is moved to rows.
_MOST_ENTRIES, _MOST_KEYS = 1 << 20, 1 << 18


#: So many elements wait at most until they are added together: a batch costs some forty calls of NumPy.
_TOGETHER = 1 << 16


class PanesOperator(Operator):
    """Does what an :class:`AlignedWindowOperator` does, on columns as far as it can.

    It begins on columns when a batch is columns, and keeps columns in state where it can (``state.columns``): they are
    in memory in the next batch, if nobody else has written since. What it holds moves to the operator over rows when a
    batch comes that has to be done in Python (rows, values that are null, integers that may leave 64 bits), and when
    it is stored and is too much, or cannot be kept as columns; what that one has found in state moves the other way.
    Windows, their contents and the order of results are the same.

    Elements that are on time wait until a window fires, or until there are many of them: watermarks may come every few
    thousand elements, and nothing depends on those that fire nothing.

    Args:
        by_row: The operator over rows. A function of it need not hear that a window is over, and windows that wait for
            late elements are not purged.
        incremental: The function that combines elements.
    """

    def __init__(self, by_row: AlignedWindowOperator, incremental: Incremental) -> None:
        self._by_row = by_row
        self._incremental = incremental
        self._check = FoldCheck(incremental)
        self._windows = by_row.windows
        self._lateness = by_row.allowed_lateness
        self._early = by_row.early
        self._shape: Shape | None = None
        #: The plan for elements of this shape.
        self._plan: FoldPlan | None = None
        self._held: Held | None = None
        self._is_by_row = False
        #: Whether fields that are the key in the first elements are taken to be the key in all.
        self._finds_keys = True
        #: All windows whose last millisecond is no later have fired.
        self._fired_to = LONG_MIN
        #: Ends of others that have fired: they were found in state.
        self._fired: set[int] = set()
        self._waiting = Gathered()
        #: The watermark when the last of those that wait came.
        self._waited_at = LONG_MIN
        #: No element that waits makes a window fire earlier than this, unless that is at its end.
        self._waiting_fires = LONG_MAX
        #: When what was stored as columns fires by the clock.
        self._wakes = NEVER
        #: Slots of keys of which state may hold more: a timer, or an element that was too late, has brought them.
        self._not_fetched: set[int] = set()
        self._groups = SlotGroups()
        #: The watermark that the batch began with.
        self._began_at = LONG_MIN
        #: Whether elements that wait, or the last that have come, were combined before the exchange.
        self._are_local = False
        #: Whether there was too much to be kept as columns, and is not gone yet.
        self._keeps_rows = False

    def takes_columns(self, shape: Shape) -> bool:
        return not isinstance(plan_of(self._incremental, shape), NotTraceable)

    def local_aggregate(self, *, any_order: bool = False) -> LocalAggregate | None:
        # What is too late is given out or counted one by one.
        return None if self._by_row.wants_late else self._local_aggregate(any_order=any_order)

    def local_aggregate_by_clock(self, *, any_order: bool = False) -> LocalAggregate | None:
        """The same where this operator serves windows of processing time, for which nothing is late."""
        return self._local_aggregate(any_order=any_order, by_clock=True)

    def _local_aggregate(self, *, any_order: bool, by_clock: bool = False) -> LocalAggregate | None:
        # And so is what is in no window.
        if self._windows.slide > self._windows.size:
            return None
        return PaneAggregate(
            self._windows, self._incremental, by_clock=by_clock, any_order=any_order, early=self._early
        )

    def _plan_for(self, shape: Shape) -> FoldPlan | NotTraceable:
        plan = plan_of(self._incremental, shape)
        return plan if isinstance(plan, NotTraceable) or not self.context.any_order else plan.in_any_order()

    def forecast(self, shape: Shape | None) -> Forecast:
        return self.forecast_by_key(shape, None)

    def forecast_by_key(self, shape: Shape | None, key: Shape | None) -> Forecast:
        if shape is None:
            return super().forecast(shape)
        plan = plan_of(self._incremental, shape)
        if isinstance(plan, NotTraceable):
            return Forecast(False, f"its function {plan.reason}")
        return forecast_fired(self._by_row.function, key, plan.result_shape)

    def open(self, context: OperatorContext) -> None:
        super().open(context)
        self._by_row.open(context)
        self._results = PaneResults(context, self._by_row)

    def close(self) -> None:
        self._by_row.close()

    def snapshot(self) -> Any:
        snapshot = self._by_row.snapshot()
        return {**snapshot, "keeps_rows": True} if self._keeps_rows else snapshot

    def restore(self, snapshot: Any) -> None:
        self._by_row.restore(snapshot, keeps_columns=True)
        self._keeps_rows = snapshot.get("keeps_rows", False)
        self._began_at = self.context.time.watermark

    def process_element(self, value: Any, timestamp: int) -> None:
        self._show()
        self._add_waiting()
        self._move_to_rows()
        self._by_row.process_element(value, timestamp)

    def process_batch(self, batch: Batch) -> None:
        self._show()
        if len(batch) and are_local(batch) != self._are_local:
            self._add_waiting()
            self._are_local = are_local(batch)
        # What the clock says when elements come is not what it says later.
        if not self._can_wait(batch) or (self._early is not None and self._early.by_clock):
            self._add_waiting()
            self._add_batch(batch)
            return
        self._waiting.extend(batch)
        self._waited_at = self.context.time.watermark
        if self._early is not None:
            fires = self._early.after_elements(batch.timestamp_array())
            self._waiting_fires = min(self._waiting_fires, int(fires.min()))
        if len(self._waiting) >= _TOGETHER:
            self._add_waiting()

    def _can_wait(self, batch: Batch) -> bool:
        """Tell whether all elements are columns and in windows that have not fired."""
        watermark = self.context.time.watermark
        if self._is_by_row or not len(batch) or self.context.columns_of(batch) is None:
            return False
        if watermark < max(self._fired_to, self._waited_at):
            return False
        return self._windows.are_open(batch.timestamp_array(), watermark)

    def _may_fire(self, watermark: int) -> bool:
        """Tell whether a window of elements that wait may be due, or something in state."""
        timer = self.context.state.next_event_time()
        first = min(self._windows.first_end_after(self._waited_at) - 1, self._waiting_fires, self._next_early())
        return watermark >= first or (timer is not None and timer <= watermark)

    def _add_waiting(self) -> None:
        """Add the elements that wait, as if no watermark had come since: until now none has fired anything."""
        if not len(self._waiting):
            return
        waiting, self._waiting = self._waiting, Gathered()
        self._waiting_fires = LONG_MAX
        with self.context.time.as_at(max(self._waited_at, self._fired_to)):
            self._add_batch(waiting.all())

    def _add_batch(self, batch: Batch) -> None:
        if self._is_by_row and not self._by_row.holds_any():
            self._is_by_row = False
        if not len(batch):
            return
        elements, keys = self.context.columns_of(batch), batch.key_columns
        watermark = self.context.time.watermark
        # A watermark that goes back opens windows that have fired, for new elements alone.
        if not self._is_by_row and elements is not None and keys is not None and watermark >= self._fired_to:
            self._fired_to = watermark
            if self._process_columns(keys, elements, batch.timestamp_array()):
                return
        self._move_to_rows()
        if are_local(batch):
            self._by_row.process_local(batch)
        else:
            self._by_row.process_batch(batch)

    def next_due(self) -> int | None:
        """Give the time at which the next window fires; None: none. Windows must not wait for late elements."""
        self._show()
        self._add_waiting()
        end = self._next_end()
        times = [self._by_row.next_due(), None if end is None else end - 1]  # timers, too
        if self._early is not None and not self._early.by_clock and self._next_early() < NEVER:
            times.append(self._next_early())
        return min((time for time in times if time is not None), default=None)

    def _next_early(self) -> int:
        """Give the next time at which a window over columns fires before its end; NEVER: there is none."""
        fire_times = None if self._held is None else self._held.panes.fire_times
        return NEVER if fire_times is None else fire_times.next

    def waiting(self) -> Waiting | None:
        if self._early is not None and not self._early.fires_at_end:
            return None  # when they end windows are forgotten, and nothing comes out
        due = self.next_due()
        # Where windows wait for late elements a timer may be that of one that has fired, and so before their end.
        fires = due is not None and (self._next_end() == due + 1 or self._by_row.is_open(due + 1))
        return self._windows.waiting(due, fires=fires or not (self._lateness or self._early))

    def _next_end(self) -> int | None:
        """The end of the first window over columns that has not fired; None: there is none."""
        if self._held is None:
            return None
        return self._held.panes.next_end(self._windows.first_end_after(self._fired_to))

    def follows_sorted_time(self) -> bool:
        return self._by_row.follows_sorted_time()

    def process_watermark(self, timestamp: int) -> None:
        self._bring_due(timestamp, self._by_row.fetch_due)
        if not self._is_by_row and self._held is not None and not self._fire(self._held, timestamp):
            self._move_to_rows()
        if self._is_by_row:
            self._by_row.process_watermark(timestamp)
            return
        self._fired_to = max(self._fired_to, timestamp)

    def _bring_due(self, limit: int, fetch: Callable[[int], None]) -> None:
        """Have all that may fire by ``limit`` in memory, in one form; ``fetch``: brings it from state."""
        self._show()
        if len(self._waiting) and self._may_fire(limit):
            self._add_waiting()
        if not self._is_by_row:
            fetch(limit)
            if not self._take_due():
                self._move_to_rows()

    def next_processing_time(self) -> int | None:
        timer = super().next_processing_time()
        if self._wakes == NEVER:
            return timer
        return self._wakes if timer is None else min(timer, self._wakes)

    def store_state(self) -> None:
        self._add_waiting()
        if self._early is not None and self._early.by_clock:
            self._show()
            self._wakes = self._next_early()
        columns = self.context.state.columns
        if columns is None:
            self._move_to_rows()
        elif columns.is_taken_up and not self._keep(columns):
            self._move_to_rows()
            if columns.are_stored():
                columns.clear()
        self._by_row.store_state()
        self._is_by_row = False

    def _keep(self, columns: KeptColumns) -> bool:
        """Store what windows hold as columns; False if it has to be stored by key."""
        held, state = self._held, self.context.state
        if held is None:
            return False
        if held.panes.entries > _MOST_ENTRIES or held.keys.count > _MOST_KEYS:
            self._keeps_rows = True
        elif self._keeps_rows:
            self._keeps_rows = not state.is_empty()
        assert self._shape is not None, "elements have come"
        kept = KeptPanes(held, self._shape, self._lateness, frozenset(self._fired))
        if self._keeps_rows or not keep(kept, columns, self._groups):
            return False
        if not columns.may_stay(held.panes.nbytes):
            self._forget()
        return True

    def _show(self) -> None:
        """Go on with what state has as columns: what is in memory, or, if another has written since, what is stored."""
        columns = self.context.state.columns
        if columns is None or columns.is_taken_up or columns.take_up():
            return
        self._forget()
        if not columns.are_stored():
            return
        kept = read(columns)
        plan = self._plan_for(kept.elements)
        is_same = kept.windows == self._windows and kept.lateness == self._lateness
        fire_times = kept.held.panes.fire_times
        is_same = is_same and (fire_times is None) == (self._early is None)
        if fire_times is not None and self._early is not None:
            is_same = is_same and fire_times.early._replace(interval=self._early.interval) == self._early
            fire_times.early = self._early
        goes_on = self.context.columns and is_same
        if isinstance(plan, NotTraceable) or not goes_on or not goes_on_with(plan, kept.held.plan):
            columns_to_entries(self.context.state, self._began_at)
            return
        self._shape, self._plan = kept.elements, plan
        self._held = kept.held._replace(plan=plan.with_folds(kept.held.plan.folds))
        self._fired, self._fired_to = set(kept.fired), self._began_at
        # A table may have windows that are over beside others that have not changed since.
        self._held.panes.release(self._first_kept(self._fired_to))
        if not self.context.state.is_empty():
            self._not_fetched = set(range(kept.held.keys.count))

    def _forget(self) -> None:
        """Hold nothing in memory."""
        self._held, self._fired_to = None, LONG_MIN
        self._fired.clear()
        self._not_fetched.clear()
        self._groups.forget()

    def _fire(self, held: Held, watermark: int) -> bool:
        """Fire what is due; False if what is left has to be fired row by row."""
        first_kept = self._first_kept(watermark)
        if not (self._early is None or self._early.by_clock or self._fire_early(held, watermark, ends_windows=True)):
            return False
        if (self._early is None or self._early.fires_at_end) and not self._fire_ended(held, watermark):
            return False
        held.panes.release(first_kept)
        self._fired = {end for end in self._fired if end >= first_kept}
        return True

    def _fire_ended(self, held: Held, watermark: int) -> bool:
        """Fire the windows that end; False as :meth:`_fire`."""
        ends = held.panes.ends(self._windows.first_end_after(self._fired_to), watermark + 1)
        most = self._results.most_together()
        # Who calls a function for each key calls it in the order of arrival.
        by_arrival = self._by_row.function is not None
        due: DueWindows | None = None
        for number, end in enumerate(ends):
            row = None if end in self._fired else held.panes.window(end)
            if row is None:
                continue
            if due is None:
                keys = held.keys.count
                due = DueWindows(held, min(most + keys, (len(ends) - number) * keys), by_arrival=by_arrival)
            due.add(end, row)
            if due.count >= most:
                if not self._fire_together(held, due.taken()):
                    return False
                due = None
        return due is None or not due.count or self._fire_together(held, due.taken())

    def advance_processing_time(self, now: int) -> None:
        if self._early is not None and self._early.by_clock:
            self.fire_early(now)

    def fire_early(self, limit: int) -> None:
        """Fire windows at the times up to ``limit`` that are before their end, or of the clock."""
        self._bring_due(limit, self._by_row.fetch_due_early)
        if not (self._is_by_row or self._held is None or self._fire_early(self._held, limit, ends_windows=False)):
            self._move_to_rows()
        if self._is_by_row:
            self._by_row.fire_early(limit)

    def _fire_early(self, held: Held, limit: int, *, ends_windows: bool) -> bool:
        """Fire what is due before the end of windows, with the windows that end until then; False as :meth:`_fire`."""
        fire_times, most = held.panes.fire_times, self._results.most_together()
        if fire_times is None or not fire_times.are_due(limit):
            return True
        ends = held.panes.ends(self._windows.first_end_after(self._fired_to), limit + 1) if ends_windows else []
        ending = deque(end for end in ends if end not in self._fired)
        # At the end of a BATCH job a timer fires, and none is registered.
        is_last = fire_times.early.timers(self.context.state).closed
        intervals = 1
        while fire_times.are_due(limit):
            # So many times are taken together that there are about as many results as a batch has.
            until = limit if is_last else min(limit, fire_times.next + intervals * fire_times.early.interval - 1)
            ended = []
            while ending and ending[0] - 1 <= until:
                ended.append(ending.popleft())
            found = firings(held, fire_times, ended, until, is_last=is_last)
            if found is not None:
                try:
                    self._results.of_firings(held, found)
                except NotExact:
                    return False
            made = 1 if found is None else max(found.order.size, 1)
            intervals = max(1, min(2 * intervals, intervals * most // made))
            fire_times.fired(until, is_last=is_last)
            if ends_windows:
                self._fired_to = max(self._fired_to, until)  # an element may fire a window at times that are over
        return True

    def _fire_together(self, held: Held, due: Due) -> bool:
        """Fire windows by their ends: many may be due at once, and each call costs what it costs.

        False if the first that has not fired has to be fired row by row.
        """
        try:
            self._results.of_windows(held, due)
        except NotExact:
            if due.ends[0] != due.ends[-1]:
                return all(self._fire_together(held, window) for window in due.each())
            self._fired_to = int(due.ends[0]) - 2
            return False
        return True

    def _first_kept(self, watermark: int) -> int:
        return first_end_kept(self._windows, watermark, self._lateness)

    def _process_columns(self, keys: Columns, elements: Columns, times: Longs) -> bool:
        """Add elements; False, and nothing is done, if it has to be done row by row."""
        if isinstance(elements.shape, ScalarShape) and elements.null_count(0):
            return False  # a result of None is none
        held, shape = self._held or self._begin(keys, elements), element_shape(elements.shape)
        if held is None or shape != self._shape or not self._windows.are_safe(times):
            return False
        column = key_column(keys, held.keys)
        if column is None:
            return False
        try:
            inputs = held.plan.inputs(elements, column)
        except KeysDiffer:
            self._finds_keys = False
            return False
        if inputs is None or not held.panes.has_room(inputs):
            return False
        # What was combined has been looked at where it was.
        if shape is elements.shape and not self._check.look(self.context.name, held.plan, keys, elements):
            return False
        placed = place(held.panes.grid, times, self.context.time.watermark, self._lateness)
        if held.panes.is_sparse(placed.of_pane, held.keys.count + times.size):
            return False
        sequence = held.panes.sequence(times.size)
        first = int(sequence[0])
        if placed.is_open is not None:
            # Places for what keys had before in open windows, if none of their elements is in one.
            held.panes.sequence(times.size)
        slots = self._slots(held, column, placed, first)
        if slots is None:
            return False
        self._add(held.panes, Arrived(elements, times, placed, slots, sequence, inputs))
        return True

    def _begin(self, keys: Columns, elements: Columns) -> Held | None:
        """Make what columns need; None if these elements have to be combined row by row."""
        shape = element_shape(elements.shape)
        if shape != self._shape:
            self._shape = shape
            plan = self._plan_for(shape)
            self._plan = None if isinstance(plan, NotTraceable) else plan
        index = key_index(keys.shape)
        column = None if index is None else key_column(keys, index)
        if not self._check.agrees or self._plan is None or index is None or column is None:
            return None
        plan = self._plan.with_keys(column, elements) if self._finds_keys else self._plan
        self._held = Held(plan, index, PaneWindows(self._windows, plan.folds, early=self._early))
        return self._held

    def _slots(self, held: Held, keys: Any, placed: Placed, sequence: int) -> Longs | None:
        """The slots of a column of keys; None if state has something of them that is no fold of columns."""
        index = held.keys
        known = index.count
        slots = index.slots_of(keys)
        if index.count == known and not self._not_fetched:
            return slots
        self._not_fetched.update(range(known, index.count))
        asked = np.isin(slots, list(self._not_fetched))
        if placed.skipped is not None:
            asked &= ~placed.skipped
        # As row by row: what a key had before is there from its first element on, of those on time first.
        arrived = came = np.flatnonzero(asked)
        if placed.is_open is not None:
            came = came + np.where(placed.is_open[came], 0, slots.size)
            came.sort()
        fetched, indexes = np.unique(slots[came % slots.size], return_index=True)
        came = came[indexes]
        # In windows that have fired it is there from the first one on that comes, late as it may be.
        arrived = arrived[np.unique(slots[arrived], return_index=True)[1]]
        self._by_row.fetch(index.listed(fetched[np.argsort(came)]))
        self._not_fetched.difference_update(fetched.tolist())
        if index.count > held.panes.width:
            slots, fetched = self._make_room(held, slots, fetched)
        if not self._by_row.holds_any():
            return slots
        at, at_fired = np.zeros(index.count, np.int64), np.zeros(index.count, np.int64)
        at[fetched] = came + sequence
        at_fired[fetched] = arrived + sequence
        if self._take_from_rows(held, at, at_fired):
            return slots
        self._by_row.put_back()
        return None

    def _make_room(self, held: Held, slots: Longs, fetched: Longs) -> tuple[Longs, Longs]:
        """Make rows as wide as there are keys, without those of which no window holds anything any more.

        Gives what ``slots`` and ``fetched`` are then.
        """
        index, panes = held.keys, held.panes
        live = np.zeros(index.count, bool)
        live[: panes.width] = panes.present()
        live[slots] = True
        live[list(self._not_fetched)] = True
        kept = np.flatnonzero(live)
        if 2 * kept.size > index.count:
            panes.widen(index.count + index.count // 4)
            return slots, fetched
        self._by_row.forget(index.listed(np.flatnonzero(~live)))
        index.keep(kept)
        panes.keep(kept[kept < panes.width], max(kept.size + kept.size // 4, 1024))
        self._groups.forget()
        places: Longs = np.cumsum(live) - 1
        self._not_fetched = set(places[list(self._not_fetched)].tolist())
        return places[slots], places[fetched]

    def _add(self, panes: PaneWindows, arrived: Arrived) -> None:
        placed = arrived.placed
        watermark = self.context.time.watermark
        first_open = self._windows.first_end_after(watermark)
        on_time = kept = arrived
        if placed.late is not None and placed.skipped is not None:
            on_time, kept = arrived.take(~placed.late), arrived.take(~placed.skipped)
        panes.add(on_time.placed.of_pane, on_time.slots, on_time.sequence, on_time.inputs)
        panes.add_in_order(kept.placed.of_pane, kept.slots, kept.sequence, kept.inputs, first_open, LONG_MAX)
        if panes.fire_times is not None:
            self._note(panes.fire_times, kept, watermark)
        if placed.late is not None:
            firings = LateFirings(self._fire_again, self._by_row)
            add_late(panes, arrived, firings, (self._first_kept(watermark), first_open))

    def _note(self, fire_times: FireTimes, kept: Arrived, watermark: int) -> None:
        """Let windows fire early to which elements are the first of their keys to come."""
        early = fire_times.early
        times = np.full(kept.times.size, self.context.time.processing_time) if early.by_clock else kept.times
        first_open = self._windows.first_end_after(watermark) if early.fires_at_end else self._first_kept(watermark)
        fire_times.note(kept.placed.of_pane, kept.slots, times, first_open)

    def _fire_again(self, slots: Longs, values: Sequence[Sequence[Any]], times: Longs) -> None:
        """Give results for late elements: the values of the folds of one key each."""
        if self._held is not None and (self._early is None or self._early.fires_at_end):
            self._results.of_late(self._held, slots, values, times)

    def _take_due(self) -> bool:
        """Take over what timers have found; False if it is no fold of columns."""
        if not self._by_row.holds_any():
            return True
        if self._held is None:
            return False
        index, panes = self._held.keys, self._held.panes
        column = index.from_list(keys_of_rows(self._by_row))
        if column is None:
            return False
        known = index.count
        index.slots_of(column)  # each has a slot from here on
        self._not_fetched.update(range(known, index.count))
        if index.count > panes.width:
            panes.widen(index.count + index.count // 4)
        return self._take_from_rows(self._held)

    def _take_from_rows(self, held: Held, at: Longs | None = None, at_fired: Longs | None = None) -> bool:
        """Take over what the operator over rows has found in state; False if it is no fold of columns."""
        fired = take_from_rows(held, self._by_row, at, at_fired)
        if fired is None:
            return False
        self._fired |= fired
        return True

    def _move_to_rows(self) -> None:
        """Give all that windows hold to the operator over rows."""
        held, self._held = self._held, None
        fired_to, self._fired_to = self._fired_to, LONG_MIN
        self._is_by_row = True
        if held is None:
            return
        give_to_rows(held, self._by_row, self._first_kept(fired_to), fired_to, self._fired)
        self._groups.forget()
        self._fired.clear()
        self._not_fetched.clear()
