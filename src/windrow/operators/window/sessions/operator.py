"""Sessions of event time over columns, with the operator over rows behind them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from windrow.common.limits import LONG_MAX, LONG_MIN
from windrow.datastream.window import EventTimeSessionWindows
from windrow.elements.batch import EMPTY, Batch, taken
from windrow.elements.columns import Columns
from windrow.elements.shape import ScalarShape, Shape
from windrow.operators.base import Operator, OperatorContext
from windrow.operators.column_folds.described import goes_on_with
from windrow.operators.column_folds.field_fold import Array, Longs
from windrow.operators.column_folds.fold_plan import FoldPlan, KeysDiffer
from windrow.operators.column_folds.key_index import key_column, key_index
from windrow.operators.column_folds.local_accumulators import element_shape
from windrow.operators.forecast import Forecast
from windrow.operators.local_aggregate import LocalAggregate
from windrow.operators.waiting import Waiting
from windrow.operators.window.fired_function import Fired, FiredFunction, forecast_fired, present
from windrow.operators.window.incremental import Incremental
from windrow.operators.window.panes.checking import FoldCheck
from windrow.operators.window.panes.placing import Mask
from windrow.operators.window.sessions.adding import Adder, Times
from windrow.operators.window.sessions.due import Due
from windrow.operators.window.sessions.folding import Arrived
from windrow.operators.window.sessions.kept_sessions import KeptSessions, sessions_to_entries
from windrow.operators.window.sessions.local_aggregate import SessionAggregate
from windrow.operators.window.sessions.one_by_one import FIRST_PLACE, Held, Taken
from windrow.operators.window.sessions.over import Over
from windrow.operators.window.sessions.parts import parted
from windrow.operators.window.sessions.planning import FAR, Gaps, why_not
from windrow.operators.window.sessions.table import SessionTable
from windrow.operators.window.sessions.waiting import WaitingElements
from windrow.operators.window.window_functions import UserFunctionAdapter
from windrow.state.kept_columns import KeptColumns
from windrow.tracing.outcome import NotExact, NotTraceable

if TYPE_CHECKING:  # whose neighbour makes entries of columns, by the modules here
    from windrow.operators.window.session_window_operator import SessionWindowOperator

#: More than so many sessions are kept by key, and of those with text this many: a batch reads all, and writes most.
_MOST_SESSIONS, _MOST_TEXTS = 1 << 18, 1 << 16
#: So many elements wait at most until they are added together; where so many do no watermark is put off.
_TOGETHER, _PUT_OFF = 1 << 18, 1 << 17
#: Room for so many keys is made at least: looking which of them have no session any more takes its time.
_LEAST = 1 << 14


class SessionColumnsOperator(Operator):
    """Does what a :class:`SessionWindowOperator` does, on columns as far as it can.

    It begins on columns when a batch is columns, and keeps columns in state where it can (``state.columns``): they are
    in memory in the next batch, if nobody else has written since. What it holds moves to the operator over rows when a
    batch comes that has to be done in Python (rows, values that are null, integers that may leave 64 bits), and when it
    is stored and is too much, or cannot be kept as columns; what that one has found in state moves the other way.
    Sessions, their contents and the order of results are the same; behind a restart rows have the order of state's
    pages.

    Elements that are on time wait as long as they touch no session that fires, or until there are many of them:
    watermarks may come every few thousand elements, and a batch costs some hundred calls of NumPy.

    Args:
        by_row: The operator over rows. A function of it need not hear that a session is over, and sessions that wait
            for late elements are not purged.
        incremental: The function that combines elements.
    """

    def __init__(self, by_row: SessionWindowOperator, incremental: Incremental) -> None:
        self._by_row = by_row
        self._incremental = incremental
        self._check = FoldCheck(incremental)
        #: What is called with each result; None: they are emitted.
        self._function: FiredFunction | None = None
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
        #: Between the coming of a watermark and the results, the sessions that are over then and were not held before.
        self._over: Over | None = None
        #: The elements that they came with.
        self._added = EMPTY
        self._waiting = WaitingElements()
        self._kept = KeptSessions()
        #: The watermark that the batch began with.
        self._began_at = LONG_MIN

    def local_aggregate(self, *, any_order: bool = False) -> LocalAggregate | None:
        assigner = self._by_row.assigner
        # What is too late is given out one by one.
        if self._by_row.wants_late or not isinstance(assigner, EventTimeSessionWindows) or assigner.session_gap >= FAR:
            return None
        return SessionAggregate(assigner.session_gap, self._incremental, any_order=any_order)

    def _plan_for(self, shape: Shape) -> FoldPlan | NotTraceable:
        plan = why_not(self._incremental, self._by_row.assigner, shape)
        return plan if isinstance(plan, NotTraceable) or not self.context.any_order else plan.in_any_order()

    def takes_columns(self, shape: Shape) -> bool:
        return not isinstance(why_not(self._incremental, self._by_row.assigner, shape), NotTraceable)

    def forecast(self, shape: Shape | None) -> Forecast:
        return self.forecast_by_key(shape, None)

    def forecast_by_key(self, shape: Shape | None, key: Shape | None) -> Forecast:
        if shape is None:
            return super().forecast(shape)
        plan = why_not(self._incremental, self._by_row.assigner, shape)
        if isinstance(plan, NotTraceable):
            return Forecast(False, f"its function {plan.reason}")
        return forecast_fired(self._by_row.function, key, plan.result_shape)

    def open(self, context: OperatorContext) -> None:
        super().open(context)
        self._gaps = Gaps(context.name, self._by_row.assigner, columns=context.columns)
        self._adder = Adder(self._by_row, self._ask_state)
        self._by_row.open(context)
        if isinstance(self._by_row.function, UserFunctionAdapter):
            self._function = FiredFunction(context, self._by_row.function, per_window_state=False)

    def close(self) -> None:
        self._by_row.close()

    def snapshot(self) -> Any:
        return self._by_row.snapshot()

    def restore(self, snapshot: Any) -> None:
        self._by_row.restore(snapshot, keeps_columns=True)
        self._began_at = self.context.time.watermark

    def process_element(self, value: Any, timestamp: int) -> None:
        self.settle()
        self._show()
        self._add_waiting()
        self._move_to_rows()
        self._by_row.process_element(value, timestamp)

    def process_batch(self, batch: Batch) -> None:
        self._show()
        if not self._waiting.goes_with(batch):
            self.settle()
            self._add_waiting()
        batch = self._waiting.in_one_shape(batch)
        if not self._can_wait(batch):
            self.settle()
            self._add_waiting()
            self._add_batch(batch)
            return
        self._waiting.extend(batch, self.context.time.watermark)
        if len(self._waiting) >= _TOGETHER:
            self.settle()
            self._add_waiting()

    def next_due(self) -> int | None:
        """Give the time when the next session fires; None: there is none."""
        self._show()
        self._add_waiting()
        end = None if self._held is None else self._held.table.next_end()
        by_row = self._by_row.next_due()  # timers, too
        if end is None or by_row is None:
            return by_row if end is None else end - 1
        return min(end - 1, by_row)

    def waiting(self) -> Waiting | None:
        due = self.next_due()
        session = None if self._held is None else self._held.table.next_session()
        if due is None or session is None or session[1] - 1 > due:
            return self._by_row.waiting()
        start, end = session
        return Waiting(due, start, end)

    def follows_sorted_time(self) -> bool:
        return self._by_row.follows_sorted_time()

    def puts_off(self, timestamp: int) -> bool:
        self._show()
        if not self._can_put_off(timestamp):
            return False
        self._waiting.put_off.append(timestamp)
        return True

    def settle(self) -> None:
        if self._waiting.put_off:
            watermarks, self._waiting.put_off = self._waiting.put_off, []
            self._advance(watermarks)
            self.context.output.emit_watermark(watermarks[-1])

    def process_watermark(self, timestamp: int) -> None:
        self._show()
        watermarks, self._waiting.put_off = [*self._waiting.put_off, timestamp], []
        self._advance(watermarks)

    def _advance(self, watermarks: Sequence[int]) -> None:
        """Fire what is due at each of these watermarks, and emit all of them but the last."""
        last = watermarks[-1]
        if len(self._waiting) and self._may_fire(last):
            self._add_waiting(last)
        if not self._is_by_row:
            self._by_row.fetch_due(last)
            if not self._take_due():
                self._move_to_rows()
        if not self._is_by_row and self._held is not None and not self._fire(self._held, watermarks):
            self._move_to_rows()
        if self._is_by_row:
            for watermark in watermarks[:-1]:
                with self.context.time.as_at(watermark):
                    self._by_row.process_watermark(watermark)
                self.context.output.emit_watermark(watermark)
            self._by_row.process_watermark(last)
            return
        self._fired_to = max(self._fired_to, last)

    def store_state(self) -> None:
        self._add_waiting()
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
        """Store sessions as columns; False if they have to be stored by key."""
        held = self._held
        if held is None or self._shape is None:
            return False
        count = held.table.count + self.context.state.stored_keys()
        if count > (_MOST_TEXTS if held.has_text else _MOST_SESSIONS):
            return False
        if not self._kept.keep(held, self._shape, self._lateness, columns):
            return False
        if not columns.may_stay(held.table.nbytes):
            self._forget()
        return True

    def _show(self) -> None:
        """Go on with what state has as columns: what is in memory, or, if another has written since, what is stored."""
        columns, state = self.context.state.columns, self.context.state
        if columns is None or columns.is_taken_up or columns.take_up():
            return
        self._forget()
        if not columns.are_stored():
            return
        elements, held, _, next_place = self._kept.read(columns, state.event_timers.next_sequence())
        plan = self._plan_for(elements)
        if not self.context.columns or isinstance(plan, NotTraceable) or not goes_on_with(plan, held.plan):
            sessions_to_entries(state)
            return
        self._shape, self._plan = elements, plan
        self._held = held._replace(plan=plan.with_folds(held.plan.folds))
        self._sequence = self._asked_to = next_place
        self._fired_to = self._began_at
        if not state.is_empty():
            # State has all of a key, or columns have it.
            self._is_fetched = np.ones(held.table.width, np.bool_)

    def _forget(self) -> None:
        """Hold nothing in memory."""
        self._held, self._fired_to, self._is_fetched = None, LONG_MIN, None
        self._kept.forget()

    def _can_put_off(self, watermark: int) -> bool:
        """Tell whether what is due at a watermark may come out later, with what is due at those that follow.

        Then sessions that are over, and what has come since, are added together. Nothing that comes touches one that is
        over, and no function is called for late elements or at another time than it would be.
        """
        if self._lateness or self._is_by_row or self._gaps.only is None or watermark >= LONG_MAX:
            return False
        if not self._waiting.are_touched_by(watermark) or self._state_fires(watermark):  # none of them is added for it
            return False
        return self._waiting.are_mostly_behind(watermark) or len(self._waiting) < _PUT_OFF

    def _can_wait(self, batch: Batch) -> bool:
        """Tell whether a batch can wait: all elements are columns, and none of them can be late."""
        if self._is_by_row or not len(batch) or self.context.columns_of(batch) is None or batch.key_columns is None:
            return False
        watermark = self.context.time.watermark
        if watermark < max(self._fired_to, self._waiting.came_at):
            return False
        # A session that is over at a watermark that was put off is touched by what begins where it ends.
        after = max(watermark + 1 if self._waiting.put_off else watermark, -FAR)
        times = batch.timestamp_array()
        return int(times.min()) > after and int(times.max()) < FAR

    def _may_fire(self, watermark: int) -> bool:
        """Tell whether elements that wait may touch a session that is due, or state has one."""
        return self._waiting.are_touched_by(watermark) or self._state_fires(watermark)

    def _state_fires(self, watermark: int) -> bool:
        """Tell whether state has a session that is due."""
        timer = self.context.state.next_event_time()
        return timer is not None and timer <= watermark

    def _add_waiting(self, following: int | None = None) -> None:
        """Add the elements that wait, as if no watermark had come since: what has fired until now they do not touch.

        ``following``: the watermark that has come now.
        """
        if not len(self._waiting):
            return
        with self.context.time.as_at(max(self._waiting.came_at, self._fired_to)):
            self._add_batch(self._waiting.take(), following)

    def _add_batch(self, batch: Batch, following: int | None = None) -> None:
        if self._is_by_row and not self._by_row.holds_any():
            self._by_row.let_go()
            self._is_by_row = False
        if not len(batch):
            return
        watermark = self.context.time.watermark
        # A watermark that goes back, and one at the end of time, have rules of their own.
        if not self._is_by_row and self._fired_to <= watermark < LONG_MAX:
            self._fired_to = watermark
            if self._process_columns(batch, Times(watermark, following)):
                return
        self._move_to_rows()
        self._by_row.process_batch(batch)

    def _fire(self, held: Held, watermarks: Sequence[int]) -> bool:
        """Fire what is due at watermarks, and emit all but the last; False, and nothing is done, if it takes rows."""
        table, over, watermark = held.table, self._over, watermarks[-1]
        rows = table.due(watermark) if over is None else table.due(watermark, over.held)
        due = Due.of(held, rows, over)
        if due.slots.size:
            try:
                results = held.plan.results(due.fields)
            except NotExact:
                return False
            self._over, self._added = None, EMPTY
            self._give_at(watermarks, held, due, results)
            table.fired(rows if over is None else np.concatenate([rows, over.held]))
        else:
            for each in watermarks[:-1]:
                self.context.output.emit_watermark(each)
        if due.slots.size or self._lateness:
            # Sessions that wait for late elements until the end of time are never over.
            table.drop(max(min(watermark, LONG_MAX - 1) - self._lateness, -FAR * 4) + 1)
        return True

    def _give_at(self, watermarks: Sequence[int], held: Held, due: Due, results: Columns) -> None:
        """Give out results, each before the first watermark at which its session is over; emit all but the last."""
        begin = 0
        for watermark in watermarks[:-1]:
            end = int(np.searchsorted(due.ends, watermark + 1, side="right"))
            if end > begin:
                with self.context.time.as_at(watermark):
                    self._give(held, due.part(begin, end), results.part(begin, end))
            self.context.output.emit_watermark(watermark)
            begin = end
        if begin < due.ends.size:
            self._give(held, due.part(begin, due.ends.size), results.part(begin, due.ends.size) if begin else results)

    def _give(self, held: Held, due: Due, results: Sequence[Any]) -> None:
        """Give out results of sessions, or what the function makes of them."""
        slots, starts, ends = due.slots, due.starts, due.ends
        chosen = present(results)
        if chosen is not None:
            results, slots, starts, ends = taken(results, chosen), slots[chosen], starts[chosen], ends[chosen]
        if self._function is None:
            self.context.output.emit_batch(Batch(results, ends - 1))
        else:
            self.context.output.emit_batch(self._function.results(Fired(held.keys, slots, starts, ends), results))

    def _hold_over(self) -> bool:
        """Hold the sessions that were to be fired without; False, and nothing is done, if it takes rows."""
        over, held = self._over, self._held
        if over is None or held is None:
            return True
        if not self._adder.add(held, self._added, over.elements(), Times(self._waiting.came_at)):
            return False
        self._over, self._added = None, EMPTY
        return True

    def _process_columns(self, batch: Batch, watermarks: Times) -> bool:
        """Add elements; False, and nothing is done, if it has to be done row by row."""
        elements, keys, times = self.context.columns_of(batch), batch.key_columns, batch.timestamp_array()
        if elements is None or keys is None:
            return False
        elements, reaches = parted(elements)
        if isinstance(elements.shape, ScalarShape) and elements.null_count(0):
            return False  # contents of None are none
        held, shape = self._held or self._begin(keys, elements), element_shape(elements.shape)
        if held is None or shape != self._shape or int(times.min()) <= -FAR or int(times.max()) >= FAR:
            return False
        column = key_column(keys, held.keys)
        inputs = None if column is None else self._inputs(held, elements, column)
        gaps = None if inputs is None else self._gaps.after(elements)
        if inputs is None or gaps is None:
            return False
        # What was combined has been looked at where it was.
        if shape is elements.shape and not self._check.look(self.context.name, held.plan, keys, elements):
            return False
        slots = self._slots(held, column)
        # Behind what state had of these keys, which now is held.
        if slots is None or not held.table.has_room(inputs):
            return False
        ends, length = times + gaps, self._gaps.only
        if reaches is not None:
            ends, length = ends + reaches, None
        indexes = np.arange(slots.size)
        arrived = Arrived(slots, times, ends, indexes, self._sequence, inputs, length, reach=reaches is not None)
        added = self._adder.add(held, batch, arrived, watermarks)
        if not added:
            return False
        self._over, self._added = (added, batch) if isinstance(added, Over) else (None, EMPTY)
        self._sequence += 2 * slots.size
        return True

    def _inputs(self, held: Held, elements: Columns, column: Any) -> list[Array | None] | None:
        """The columns that are folded; None if the elements have to be combined one by one."""
        try:
            return held.plan.inputs(elements, column)
        except KeysDiffer:
            self._finds_keys = False
            return None

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
            self._kept.forget()
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

    def _ask_state(self, place: int) -> None:
        """Ask state for the keys that came before a place, as row by row: pages have keys in this order."""
        held = self._held
        if held is not None and self._is_fetched is None:
            for key in held.keys.listed(held.table.came_since(self._asked_to)):
                self.context.state.entry_of(key)
        self._asked_to = place

    def _take_due(self) -> bool:
        """Take over what timers have found; False if it is no fold of columns."""
        if not self._by_row.holds_any():
            return True
        held = self._held
        if held is None or not self._hold_over():  # slots may be other keys' behind this
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
        over, added = (None, EMPTY) if self._hold_over() else (self._over, self._added)
        self._over, self._added = None, EMPTY
        # Of keys whose elements were all too late, too.
        self._ask_state(self._sequence)
        held = self._held
        self._forget()
        self._is_by_row = True
        if held is None:
            return
        next_sequence = self.context.state.event_timers.next_sequence
        table = held.table
        rows = table.rows()
        orders = table.orders[rows]
        if over is not None:
            orders = np.concatenate([orders, over.orders(table)])
        sequences = orders.tolist()
        for number in np.argsort(orders, kind="stable").tolist():
            if sequences[number] >= FIRST_PLACE:
                sequences[number] = next_sequence()
        # What was found in state just now comes behind them.
        for session in self._by_row.held():
            if session.sequence >= held.stored_to:
                session.sequence = next_sequence()
        held.lend(rows, sequences[: rows.size], self._by_row)
        if over is not None:
            with self.context.time.as_at(self._waiting.came_at):
                self._by_row.process_batch(added.take(over.elements().indexes))
            sessions = zip(held.keys.listed(over.slots), over.starts.tolist(), over.ends.tolist(), strict=True)
            turns = dict(zip(sessions, sequences[rows.size :], strict=True))
            for session in list(self._by_row.held()):  # by when their elements came, not others'
                sequence = turns.get((session.key, session.start, session.end))
                if sequence is not None:
                    self._by_row.give_turn(session, sequence)
