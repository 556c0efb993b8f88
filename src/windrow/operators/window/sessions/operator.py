"""Sessions of event time over columns, with the operator over rows behind them."""

from __future__ import annotations

from typing import Any

import numpy as np

from windrow.common.limits import LONG_MAX, LONG_MIN
from windrow.elements.batch import Batch, Gathered
from windrow.elements.columns import Columns
from windrow.elements.shape import Shape
from windrow.operators.base import Operator, OperatorContext
from windrow.operators.column_folds.field_fold import Array, Longs
from windrow.operators.column_folds.fold_plan import FoldPlan, KeysDiffer
from windrow.operators.column_folds.key_index import key_column, key_index
from windrow.operators.forecast import Forecast
from windrow.operators.window.incremental import Incremental
from windrow.operators.window.panes.placing import Mask
from windrow.operators.window.session_window_operator import SessionWindowOperator
from windrow.operators.window.sessions.folding import Arrived, Grouped, fold, grow
from windrow.operators.window.sessions.grouping import Items, grouped
from windrow.operators.window.sessions.one_by_one import FIRST_PLACE, Held, Taken, one_by_one
from windrow.operators.window.sessions.planning import FAR, Gaps, why_not
from windrow.operators.window.sessions.table import SessionTable
from windrow.operators.window.skipped import LATE_RECORDS
from windrow.tracing.outcome import NotExact, NotTraceable

#: A batch of which more elements than one in so many have to be processed one by one is left to the operator over rows.
_FEW, _SHARE = 64, 4
#: So many elements wait at most until they are added together.
_TOGETHER = 1 << 16
#: Room for so many keys is made at least: looking which of them have no session any more takes its time.
_LEAST = 1 << 14


class SessionColumnsOperator(Operator):
    """Does what a :class:`SessionWindowOperator` does, on columns as far as it can.

    It begins on columns when a batch is columns. What it holds moves to the operator over rows when a batch comes that
    has to be done in Python (rows, values that are null, integers that may leave 64 bits), and when state is stored;
    what that one has found in state moves the other way. Sessions, their contents and the order of results are the
    same.

    Elements that are on time wait as long as they touch no session that fires, or until there are many of them:
    watermarks may come every few thousand elements, and a batch costs some hundred calls of NumPy.

    Args:
        by_row: The operator over rows; without a window function, and not purging.
        incremental: The function that combines elements.
    """

    def __init__(self, by_row: SessionWindowOperator, incremental: Incremental) -> None:
        self._by_row = by_row
        self._incremental = incremental
        self._lateness = by_row.allowed_lateness
        self._shape: Shape | None = None
        #: The plan for elements of this shape.
        self._plan: FoldPlan | None = None
        self._held: Held | None = None
        self._is_by_row = False
        #: Whether fields that are the key in the first elements are taken to be the key in all.
        self._finds_keys = True
        #: All sessions whose last millisecond is no later have fired.
        self._fired_to = LONG_MIN
        #: By slot, whether state has nothing of the key; None: it has nothing at all.
        self._is_fetched: Mask | None = None
        self._sequence = FIRST_PLACE
        #: State was asked for all keys that came before this place in the order of arrival.
        self._asked_to = FIRST_PLACE
        self._waiting = Gathered()
        #: The earliest time of the elements that wait, and the watermark when the last of them came.
        self._waiting_from, self._waited_at = LONG_MAX, LONG_MIN

    def takes_columns(self, shape: Shape) -> bool:
        return not isinstance(why_not(self._incremental, self._by_row.assigner, shape), NotTraceable)

    def forecast(self, shape: Shape | None) -> Forecast:
        if shape is None:
            return super().forecast(shape)
        plan = why_not(self._incremental, self._by_row.assigner, shape)
        if isinstance(plan, NotTraceable):
            return Forecast(False, f"its function {plan.reason}")
        return Forecast(True, shape=plan.result_shape)

    def open(self, context: OperatorContext) -> None:
        super().open(context)
        self._gaps = Gaps(context.name, self._by_row.assigner, columns=context.columns)
        self._by_row.open(context)

    def close(self) -> None:
        self._by_row.close()

    def snapshot(self) -> Any:
        return self._by_row.snapshot()

    def restore(self, snapshot: Any) -> None:
        self._by_row.restore(snapshot)

    def process_element(self, value: Any, timestamp: int) -> None:
        self._add_waiting()
        self._move_to_rows()
        self._by_row.process_element(value, timestamp)

    def process_batch(self, batch: Batch) -> None:
        if not self._can_wait(batch):
            self._add_waiting()
            self._add_batch(batch)
            return
        self._waiting.extend(batch)
        self._waiting_from = min(self._waiting_from, int(batch.timestamp_array().min()))
        self._waited_at = self.context.time.watermark
        if len(self._waiting) >= _TOGETHER:
            self._add_waiting()

    def process_watermark(self, timestamp: int) -> None:
        if len(self._waiting) and self._may_fire(timestamp):
            self._add_waiting()
        if not self._is_by_row:
            self._by_row.fetch_due(timestamp)
            if not self._take_due():
                self._move_to_rows()
        if not self._is_by_row and self._held is not None and not self._fire(self._held, timestamp):
            self._move_to_rows()
        if self._is_by_row:
            self._by_row.process_watermark(timestamp)
            return
        self._fired_to = max(self._fired_to, timestamp)

    def store_state(self) -> None:
        self._add_waiting()
        self._move_to_rows()
        self._by_row.store_state()
        self._is_by_row = False

    def _can_wait(self, batch: Batch) -> bool:
        """Whether all elements are columns and none of them can be late."""
        if self._is_by_row or not len(batch) or batch.columns is None or batch.key_columns is None:
            return False
        watermark = self.context.time.watermark
        if watermark < max(self._fired_to, self._waited_at):
            return False
        times = batch.timestamp_array()
        return int(times.min()) > max(watermark, -FAR) and int(times.max()) < FAR

    def _may_fire(self, watermark: int) -> bool:
        """Whether elements that wait may touch a session that is due, or state has one."""
        timer = self.context.state.next_event_time()
        return self._waiting_from <= watermark + 1 or (timer is not None and timer <= watermark)

    def _add_waiting(self) -> None:
        """Add the elements that wait, as if no watermark had come since: what has fired until now they do not touch."""
        if not len(self._waiting):
            return
        waiting, self._waiting, self._waiting_from = self._waiting, Gathered(), LONG_MAX
        time = self.context.time
        watermark, time.watermark = time.watermark, max(self._waited_at, self._fired_to)
        try:
            self._add_batch(waiting.all())
        finally:
            time.watermark = watermark

    def _add_batch(self, batch: Batch) -> None:
        if self._is_by_row and not self._by_row.holds_any():
            self._by_row.let_go()
            self._is_by_row = False
        if not len(batch):
            return
        watermark = self.context.time.watermark
        # A watermark that goes back, and one at the end of time, have rules of their own.
        if not self._is_by_row and self._fired_to <= watermark < LONG_MAX:
            self._fired_to = watermark
            if self._process_columns(batch, watermark):
                return
        self._move_to_rows()
        self._by_row.process_batch(batch)

    def _fire(self, held: Held, watermark: int) -> bool:
        """Fire what is due; False, and nothing is done, if it has to be fired row by row."""
        table = held.table
        rows = table.due(watermark)
        if rows.size:
            try:
                results = held.plan.results(held.fields_of(rows))
            except NotExact:
                return False
            self.context.output.emit_batch(Batch(results, table.ends[rows] - 1))
            table.fired(rows)
        if rows.size or self._lateness:
            # Sessions that wait for late elements until the end of time are never over.
            table.drop(max(min(watermark, LONG_MAX - 1) - self._lateness, -FAR * 4) + 1)
        return True

    def _process_columns(self, batch: Batch, watermark: int) -> bool:
        """Add elements; False, and nothing is done, if it has to be done row by row."""
        elements, keys, times = batch.columns, batch.key_columns, batch.timestamp_array()
        if elements is None or keys is None:
            return False
        held = self._held or self._begin(keys, elements)
        if held is None or elements.shape != self._shape or int(times.min()) <= -FAR or int(times.max()) >= FAR:
            return False
        column = key_column(keys, held.keys)
        inputs = None if column is None else self._inputs(held, elements, column)
        gaps = None if inputs is None else self._gaps.after(elements)
        if inputs is None or gaps is None:
            return False
        slots = self._slots(held, column)
        if slots is None:
            return False
        indexes = np.arange(slots.size)
        return self._add(held, batch, Arrived(slots, times, times + gaps, indexes, self._sequence, inputs), watermark)

    def _inputs(self, held: Held, elements: Columns, column: Any) -> list[Array | None] | None:
        """The columns that are folded; None if the elements have to be combined one by one."""
        try:
            inputs = held.plan.inputs(elements, column)
        except KeysDiffer:
            self._finds_keys = False
            return None
        return inputs if inputs is not None and held.table.has_room(inputs) else None

    def _begin(self, keys: Columns, elements: Columns) -> Held | None:
        """Make what columns need; None if these elements have to be combined row by row."""
        if elements.shape != self._shape:
            self._shape = elements.shape
            plan = why_not(self._incremental, self._by_row.assigner, elements.shape)
            self._plan = None if isinstance(plan, NotTraceable) else plan
        index = key_index(keys)
        column = None if index is None else key_column(keys, index)
        if self._plan is None or index is None or column is None:
            return None
        plan = self._plan.with_keys(column, elements) if self._finds_keys else self._plan
        state = self.context.state
        stored_to = state.event_timers.next_sequence()
        self._asked_to = self._sequence
        self._is_fetched = None if state.is_empty() else np.zeros(0, np.bool_)
        self._held = Held(plan, index, SessionTable(plan.folds), stored_to)
        return self._held

    def _slots(self, held: Held, keys: Any) -> Longs | None:
        """The slots of a column of keys; None if state has something of them that is no fold of columns."""
        index = held.keys
        known = index.count
        slots = index.slots_of(keys)
        new = np.flatnonzero(slots >= known) if index.count > known else slots[:0]
        if index.count > held.table.width:
            slots = self._make_room(held, slots)
        held.table.note(slots[new], self._sequence + 2 * new)
        if self._is_fetched is None:
            return slots
        asked = np.flatnonzero(~self._is_fetched[slots])
        if not asked.size:
            return slots
        # As row by row: what a key had before is there from its first element on.
        fetched, came = np.unique(slots[asked], return_index=True)
        came = asked[came]
        by_arrival = np.argsort(came)
        self._by_row.fetch(index.listed(fetched[by_arrival]))
        self._is_fetched[fetched] = True
        places = dict(zip(fetched.tolist(), (self._sequence + 2 * came).tolist(), strict=True))
        return slots if self._take_from_rows(held, places) else None

    def _make_room(self, held: Held, slots: Longs) -> Longs:
        """Make room for as many slots as there are keys, without keys that have no session any more.

        Gives what ``slots`` are then.
        """
        index, table = held.keys, held.table
        live = np.zeros(index.count, np.bool_)
        live[: table.width] = table.has()
        live[slots] = True
        kept = np.flatnonzero(live)
        fetched = self._is_fetched
        if 2 * kept.size <= index.count:
            index.keep(kept)
            table.keep(kept[kept < table.width], max(kept.size + kept.size // 4, _LEAST))
            slots = (np.cumsum(live) - 1)[slots]
            if fetched is not None:
                fetched = fetched[kept[kept < fetched.size]]
        else:
            table.widen(max(index.count + index.count // 4, _LEAST))
        if fetched is not None:
            self._is_fetched = np.zeros(table.width, np.bool_)
            self._is_fetched[: fetched.size] = fetched
        return slots

    def _add(self, held: Held, batch: Batch, elements: Arrived, watermark: int) -> bool:
        """Add elements; False, and nothing is done, if it takes the operator over rows."""
        table = held.table
        rows, is_open = table.touched(elements.slots, elements.starts)
        strays = np.flatnonzero(~(is_open & (elements.ends > watermark + 1)))
        if strays.size:
            strays = table.apart(elements.slots, strays)
            if not self._add_strays(held, batch, elements.take(strays), watermark):
                return False
        self._sequence += 2 * elements.slots.size
        if not strays.size:
            grow(table, rows, elements)
        elif strays.size < rows.size:
            others = np.ones(rows.size, np.bool_)
            others[strays] = False
            chosen = np.flatnonzero(others)
            grow(table, rows[chosen], elements.take(chosen))
        return True

    def _add_strays(self, held: Held, batch: Batch, elements: Arrived, watermark: int) -> bool:
        """Add elements of which, by key, some do more than to make the newest session longer."""
        table, folds = held.table, held.plan.folds
        rows = table.walk(elements.slots, int(elements.starts.min()))
        if rows is None:
            return False
        near = table.slots[rows], table.starts[rows], table.ends[rows]
        groups = grouped(
            Items.of(elements.slots, (elements.starts, elements.ends), near),
            self._gaps.only,
            wants_founder=any(each.kind == "first" for each in folds),
            wants_single=any(each.ordered for each in folds),
        )
        if groups is None:
            return False
        sessions = Grouped.of(elements, groups, rows)
        special, skipped = self._late(sessions, watermark)
        if groups.is_single.size:
            special |= ~groups.is_single & ~skipped
        count = int(np.count_nonzero(special[sessions.of_element])) if special.any() else 0
        if count > _FEW and count * _SHARE > len(batch):
            return False
        if count or skipped.any():
            self._add_some(held, batch, sessions, (special, skipped))
        else:
            table.chain(groups.slots, fold(table, sessions, None))
        return True

    def _add_some(self, held: Held, batch: Batch, sessions: Grouped, others: tuple[Mask, Mask]) -> None:
        """Add elements of which some are late, or change more than their session."""
        table, groups = held.table, sessions.groups
        special, skipped = others
        if not special.any() and not self._by_row.wants_late:
            self.context.counters[LATE_RECORDS] += int(np.count_nonzero(skipped[sessions.of_element]))
            slots = rows = np.zeros(0, np.int64)
        else:
            self._ask_state(held, sessions.elements.sequence + 2 * len(batch))
            slots, rows = one_by_one(self._by_row, held, batch, sessions, (special, skipped))
        chosen = ~(special | skipped)
        folded = fold(table, sessions, chosen)[chosen]
        slots, rows = np.concatenate([slots, groups.slots[chosen]]), np.concatenate([rows, folded])
        order = np.lexsort((table.starts[rows], slots))
        table.chain(slots[order], rows[order])

    def _ask_state(self, held: Held, place: int) -> None:
        """Ask state for the keys that came before a place, as row by row: pages have keys in this order."""
        if self._is_fetched is None:
            for key in held.keys.listed(held.table.came_since(self._asked_to)):
                self.context.state.entry_of(key)
        self._asked_to = place

    def _late(self, sessions: Grouped, watermark: int) -> tuple[Mask, Mask]:
        """Groups with elements whose own windows are over, and groups of nothing but elements that are too late."""
        groups, of_element, ends = sessions.groups, sessions.of_element, sessions.elements.ends
        has_late, has_kept = np.zeros(groups.first.size, np.bool_), groups.first_held >= 0
        late = ends <= watermark + 1
        if not late.any():
            return has_late, has_late.copy()
        has_late[of_element[late]] = True
        limit = watermark + 1 - self._lateness
        has_kept[of_element[ends > limit] if limit > LONG_MIN else of_element] = True
        return has_late & has_kept, has_late & ~has_kept

    def _take_due(self) -> bool:
        """Take over what timers have found; False if it is no fold of columns."""
        if not self._by_row.holds_any():
            return True
        held = self._held
        if held is None:
            return False
        keys = list(dict.fromkeys(session.key for session in self._by_row.held()))
        column = held.keys.from_list(keys)
        if column is None:
            return False
        known = held.keys.count
        slots = held.keys.slots_of(column)
        new = np.flatnonzero(slots >= known)
        if held.keys.count > held.table.width:
            slots = self._make_room(held, slots)
        if self._is_fetched is not None:
            self._is_fetched[slots] = True
        came = np.arange(self._sequence, self._sequence + slots.size)
        self._sequence += slots.size
        held.table.note(slots[new], came[new])
        places = dict(zip(slots.tolist(), came.tolist(), strict=True))
        return self._take_from_rows(held, places)

    def _take_from_rows(self, held: Held, places: dict[int, int]) -> bool:
        """Take over what the operator over rows has found in state; False if it is no fold of columns.

        ``places``: by slot, from which place in the order of arrival on it is there.
        """
        if not self._by_row.holds_any():
            return True
        taken = Taken.of(self._by_row, held)
        if taken is None or not held.table.has_room(taken.fields):
            return False
        starts, ends = taken.windows
        if int(starts.min()) <= -FAR or int(ends.max()) >= 2 * FAR:
            return False
        if (~taken.pending & (ends - 1 > self.context.time.watermark)).any():
            # The watermark was further already.
            return False
        for number in np.flatnonzero(taken.sequences >= held.stored_to).tolist():
            taken.sequences[number] = places[int(taken.slots[number])]
        table = held.table
        order = np.lexsort((starts, taken.slots))
        rows = taken.put(table)[order]
        slots = taken.slots[order]
        table.walk(np.unique(slots), LONG_MAX)  # state has all of a key, or nothing
        table.chain(slots, rows)
        self._by_row.let_go()
        return True

    def _move_to_rows(self) -> None:
        """Give all sessions to the operator over rows."""
        held, self._held = self._held, None
        self._fired_to = LONG_MIN
        self._is_by_row = True
        if held is None:
            return
        # Of keys whose elements were all too late, too.
        self._ask_state(held, self._sequence)
        next_sequence = self.context.state.event_timers.next_sequence
        table = held.table
        rows = table.rows()
        orders = table.orders[rows]
        sequences = orders.tolist()
        for number in np.argsort(orders).tolist():
            if sequences[number] >= FIRST_PLACE:
                sequences[number] = next_sequence()
        # What was found in state just now comes behind them.
        for session in self._by_row.held():
            if session.sequence >= held.stored_to:
                session.sequence = next_sequence()
        held.lend(rows, sequences, self._by_row)
