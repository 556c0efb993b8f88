"""Tumbling and sliding event-time windows that keep their elements, each element once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from windrow.common.copies import copied, copied_each
from windrow.common.limits import LONG_MAX, LONG_MIN
from windrow.common.unchangeable import all_never_change
from windrow.datastream.window import TimeWindow
from windrow.elements.batch import Batch, columns_of
from windrow.errors import WindrowError, user_function_error
from windrow.operators.base import OperatorContext
from windrow.operators.forecast import Forecast
from windrow.operators.window.aligned_windows import AlignedAssigner, Times
from windrow.operators.window.buckets import Bucket
from windrow.operators.window.co_group import co_group_of
from windrow.operators.window.kept_elements import KeptElements, KeptWindow
from windrow.operators.window.listed_elements_operator import ListedElementsOperator
from windrow.operators.window.skipped import LateTag
from windrow.operators.window.stored_columns import entries_of_columns
from windrow.operators.window.waiting_elements import WaitingElements
from windrow.operators.window.whole_windows import WholeWindowFunction
from windrow.operators.window.window_functions import FoldBuffer, UserFunctionAdapter

if TYPE_CHECKING:
    from windrow.elements.shape import Shape
    from windrow.operators.window.whole_windows import WindowColumns
    from windrow.state.kept_columns import KeptColumns

#: More than so many elements are kept by key: each costs some 200 bytes of memory, in every batch.
_MOST_ELEMENTS = 1 << 20
#: So many elements wait at most until they are put by window: what a batch costs is some thirty calls of NumPy.
_TOGETHER = 1 << 16


class AlignedElementsOperator(ListedElementsOperator):
    """A :class:`ListedElementsOperator` that puts windows together when they fire.

    Until then an element is held once, however many windows it is in (:class:`KeptElements`), and stored once
    (:class:`StoredElements`). What entries of keys have (a checkpoint of an earlier version, or too much to be kept as
    columns) is in the lists of the base, and comes before what has come since. Where an element may go to windows that
    have fired, or to others than its time says, all moves to those lists, until they are empty again. For a function
    of tables columns stay columns, and a key's elements in a window are a slice of them.

    Columns that are on time wait until a window fires, or until there are many elements: watermarks may come every few
    hundred of them, and nothing depends on those that fire nothing.

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
        from windrow.operators.window.stored_elements import StoredElements  # imports Arrow

        super().__init__(assigner, function, allowed_lateness, late_tag, purging=purging)
        self._takes_tables = function.takes_tables
        #: The function of a co-group, if it is one.
        self._co_group = co_group_of(function)
        #: Computes windows on columns; None: it is called for each key.
        self._on_columns: WindowColumns | None = None
        #: The function, if it is one that computes windows itself.
        self._whole = function.function if isinstance(function, UserFunctionAdapter) else None
        self._kept = KeptElements(self.windows.slide)
        self._stored = StoredElements(self.windows, allowed_lateness)
        self._waiting = WaitingElements()
        #: The watermark when the last of those that wait came.
        self._waited_at = LONG_MIN
        #: The least time of those that wait.
        self._waiting_from = LONG_MAX
        #: Where in the order of arrival a key came whose lists were brought from keyed state.
        self._brought_at: dict[Any, int] = {}
        #: Where we are in that order.
        self._place = 0
        #: Whether all is in the lists of the base.
        self._is_listed = False
        #: Whether what came may be changed: then each window has elements of its own.
        self._may_change = False
        #: The same of what came as columns, once they are rows.
        self._columns_may_change = False
        #: All windows whose last millisecond is no later have fired.
        self._fired_to = LONG_MIN
        #: The watermark that the batch began with.
        self._began_at = LONG_MIN

    def open(self, context: OperatorContext) -> None:
        super().open(context)
        if self._co_group is not None and context.columns:
            from windrow.operators.window.co_group_columns import CoGroupColumns  # imports Arrow

            self._on_columns = CoGroupColumns(context.name, self._co_group)
        if isinstance(self._whole, WholeWindowFunction) and context.columns:
            self._on_columns = self._whole.on_columns()

    def takes_columns(self, shape: Shape) -> bool:
        return self._takes_tables or isinstance(self._whole, WholeWindowFunction)

    def forecast(self, shape: Shape | None) -> Forecast:
        if isinstance(self._whole, WholeWindowFunction) and shape is not None:
            return Forecast(True, shape=self._whole.shape())
        return Forecast(True) if self._takes_tables and shape is not None else super().forecast(shape)

    def forecast_of_several(self, shapes: Sequence[Shape]) -> Forecast:
        if self._co_group is None:
            return super().forecast_of_several(shapes)
        if self._keeps:
            return Forecast(False, "its windows are kept for late elements, with which they fire again")
        from windrow.operators.window.co_group_columns import forecast_co_group  # imports Arrow

        return forecast_co_group(self._co_group, shapes)

    def process_batch(self, batch: Batch) -> None:
        self._show()
        if not self._can_wait(batch):
            self._add_waiting()
            super().process_batch(batch)
            return
        self._waiting.extend(batch)
        self._waited_at = self.context.time.watermark
        self._waiting_from = min(self._waiting_from, int(batch.timestamp_array().min()))
        if len(self._waiting) >= _TOGETHER:
            self._add_waiting()

    def _can_wait(self, batch: Batch) -> bool:
        """Tell whether a batch can wait: all elements are columns, and in windows that have not fired."""
        if not len(batch) or batch.columns is None or batch.key_columns is None:
            return False
        watermark = self.context.time.watermark
        if self._is_listed or self._fired or self.fires_again or watermark < max(self._fired_to, self._waited_at):
            return False
        return self.windows.are_open(batch.timestamp_array(), watermark)

    def _may_fire(self, watermark: int) -> bool:
        """Tell whether a window of elements that wait is due, or something in state is."""
        timer = self.context.state.next_event_time()
        return watermark >= self.windows.first_end_after(self._waiting_from - 1) - 1 or (
            timer is not None and timer <= watermark
        )

    def _add_waiting(self) -> None:
        """Add the elements that wait, as if no watermark had come since: until now none has fired anything."""
        if not len(self._waiting):
            return
        waiting, self._waiting = self._waiting, WaitingElements()
        then, self._waited_at, self._waiting_from = max(self._waited_at, self._fired_to), LONG_MIN, LONG_MAX
        with self.context.time.as_at(then):
            if self._state_is_fresh():
                self._keep_together(waiting)
            else:
                for batch in waiting.batches:
                    super().process_batch(batch)

    def _keep_together(self, waiting: WaitingElements) -> None:
        """Keep elements of whose keys there is nothing in keyed state."""
        self._fired_to = self.context.time.watermark
        for batch, places in waiting.alike(self._kept.skip(waiting.places)):
            first, last = self.windows.ends(batch.timestamp_array())
            assert batch.keys is not None, "keys are columns"
            self._kept.add(batch.keys, self._held(batch.elements), first, last, places)

    def next_due(self) -> int | None:
        self._show()
        self._add_waiting()
        end, others = self._kept.next_end(), super().next_due()
        if end is None or others is None:
            return others if end is None else end - 1
        return min(end - 1, others)

    def is_open(self, end: int) -> bool:
        self._add_waiting()
        return self._kept.next_end() == end or super().is_open(end)

    def process_watermark(self, timestamp: int) -> None:
        self._show()
        if len(self._waiting) and self._may_fire(timestamp):
            self._add_waiting()
        super().process_watermark(timestamp)
        self._fired_to = max(self._fired_to, timestamp)

    def restore(self, snapshot: Any, *, keeps_columns: bool = True) -> None:
        super().restore(snapshot, keeps_columns=keeps_columns)
        self._began_at = self.context.time.watermark

    def store_state(self) -> None:
        self._add_waiting()
        columns = self.context.state.columns
        if columns is None:
            self._list_all()
        elif columns.is_taken_up and not self._store_columns(columns):
            self._list_all()
            columns.clear()
        super().store_state()
        self._brought_at.clear()
        self._is_listed = False

    def _store_columns(self, columns: KeptColumns) -> bool:
        """Store what is kept as columns; False if it has to be stored by key."""
        if self._kept.count > _MOST_ELEMENTS:
            return False
        try:
            if not self._stored.write(self._kept, columns):
                return False
        except Exception:  # of an element that cannot be pickled: by key it is named
            return False
        if not columns.may_stay(self._kept.nbytes):
            self._drop_kept()
        return True

    def _show(self) -> None:
        """Go on with what state has as columns: what is in memory, or, if another has written since, what is stored."""
        columns = self.context.state.columns
        if columns is None or columns.is_taken_up or columns.take_up():
            return
        self._drop_kept()
        if not self._stored.is_of(columns):
            entries_of_columns(self.context.state, self._began_at)
            return
        self._stored.read(columns, self._kept)
        self._kept.release(self.windows.first_end_after(self._began_at) - self.windows.slide)
        self._fired_to = self._began_at
        if self._keeps_columns:
            self._columns_may_change = self._parts_windows and self._kept.columns_may_change()
        else:
            self._kept.as_rows()
        self._may_change = not self._shares() and self._kept.rows_may_change()

    def _drop_kept(self) -> None:
        """Hold nothing in memory."""
        self._kept.clear()
        self._stored.forget()
        self._may_change = self._columns_may_change = False
        self._fired_to = LONG_MIN

    def _add(self, keys: Sequence[Any], values: Sequence[Any], first: Times, last: Times) -> None:
        if self._is_listed and not self._buckets:
            self._is_listed = False
            self._brought_at.clear()
        watermark = self.context.time.watermark
        if watermark < self._fired_to or any(window.end - 1 > watermark for window in self._fired):
            self._list_all()
        if self._is_listed:
            super()._add(keys, values, first, last)
            return
        self._fired_to = watermark
        brought = self._bring(keys)
        if brought == len(keys):
            self._keep(keys, values, first, last)
            return
        self._keep(keys[:brought], values[:brought], first[:brought], last[:brought])
        self._list_all()
        super()._add(keys[brought:], values[brought:], first[brought:], last[brought:])

    def _keep(self, keys: Sequence[Any], values: Sequence[Any], first: Times, last: Times) -> None:
        self._kept.add(keys, self._held(values), first, last)
        self._place = self._kept.skip()

    def _held(self, values: Sequence[Any]) -> Sequence[Any]:
        """The elements as they are held: columns, or rows that nobody else can change."""
        columns = columns_of(values) if self._keeps_columns else None
        if columns is None or (self._on_columns is not None and not self._on_columns.takes(columns.shape)):
            return self._own(values)
        if not columns.shape.never_changes and self._parts_windows:
            self._columns_may_change = True
        return values

    @property
    def _keeps_columns(self) -> bool:
        return self._takes_tables or self._on_columns is not None

    @property
    def _parts_windows(self) -> bool:
        """True if what is done to an element that was a column might be seen in another window."""
        return self._takes_tables or not self._shares()

    def _own(self, values: Sequence[Any]) -> Sequence[Any]:
        """The elements as rows that nobody else can change."""
        columns = columns_of(values)
        is_fixed = columns is not None and columns.shape.never_changes
        if self._shares() or is_fixed or all_never_change(values):
            return list(values)
        self._may_change = True
        return copied_each(values)

    def _shares(self) -> bool:
        """Tell whether an element that can change is one object in all windows that hold it."""
        return self.windows.slide >= self.windows.size or self.context.object_reuse

    def _bring(self, keys: Sequence[Any]) -> int:
        """Bring what keyed state has of the keys of elements that come next.

        How many elements can be kept: before the first one of a key of which windows have fired that may fire again.
        """
        cached = self._cached_keys
        if cached.issuperset(keys):
            return len(keys)
        if not self.fires_again and self._state_is_fresh():
            cached.update(keys)
            return len(keys)
        begin = self._kept.next_place
        for number, key in enumerate(keys):
            if key not in cached:
                self._place = begin + number
                self._cache(key)
                if self.fires_again:
                    return number
        return len(keys)

    def _cache(self, key: Any) -> None:
        if not self._state_is_fresh():
            self._brought_at[key] = self._place
        super()._cache(key)

    def _assigned(self, keys: Sequence[Any], values: Sequence[Any], timestamps: list[int]) -> Iterable[Any]:
        self._list_all()
        return super()._assigned(keys, values, timestamps)

    def _due(self, watermark: int) -> Iterable[TimeWindow]:
        kept = self._kept.ends(min(watermark, LONG_MAX - 1) + 1)
        return {*super()._due(watermark), *[self.windows.window(end) for end in kept]}

    def _fire(self, window: TimeWindow, *, is_kept: bool) -> None:
        if not self._kept or window.end - window.start != self.windows.size:
            super()._fire(window, is_kept=is_kept)
            return
        if self._on_columns is not None and not is_kept and window not in self._buckets:
            made = self._on_columns.results(self._kept.chunks(window.end), window.max_timestamp())
            if made is not None:
                self._kept.release(window.end)
                if len(made):
                    self.context.output.emit_batch(made)
                return
        found = self._kept.window(window.end)
        self._kept.release(window.end)
        # Elements of a co-group that were columns: several windows may have made rows of them together.
        may_change = self._may_change or (self._on_columns is not None and self._columns_may_change)
        if is_kept or may_change or window in self._buckets:
            self._buckets[window] = self._bucket(window, found)
            super()._fire(window, is_kept=is_kept)
            return
        try:
            self._call_each(self._function, window, found.items())
        except WindrowError:
            raise
        except BaseException as error:
            raise user_function_error(self.context.name, (self.context.state.current_key, window), error) from error

    def _bucket(self, window: TimeWindow, found: KeptWindow) -> Bucket:
        """Lists for a window: what was brought from keyed state, and what has come since, in the order of keys."""
        kept = {key: list(elements) for key, elements in found.items()}
        if self._may_change or self._columns_may_change:
            kept = {key: [copied(element) for element in elements] for key, elements in kept.items()}
        brought = self._buckets.pop(window, {})
        if not brought:
            return kept
        at = {key: self._brought_at.get(key, LONG_MAX) for key in brought}
        for key, place in zip(found.keys, found.firsts, strict=True):
            at[key] = min(at.get(key, LONG_MAX), place)
        for key, elements in kept.items():
            brought[key] = brought[key] + elements if key in brought else elements
        return {key: brought[key] for key, _ in sorted(at.items(), key=itemgetter(1))}

    def _list_all(self) -> None:
        """Move all that is kept into lists by window and key."""
        self._is_listed = True
        if self._columns_may_change:
            self._may_change, self._columns_may_change = True, False
        self._kept.as_rows()
        for key in self._kept.present_keys():
            # Of a key that came in an earlier batch, entries may have more that was not asked for in this one.
            if key not in self._cached_keys:
                self._cache(key)
        begun: list[tuple[int, TimeWindow, Bucket]] = []
        for end in self._kept.ends(LONG_MAX):
            window, found = self.windows.window(end), self._kept.window(end)
            if found.keys:
                bucket = self._bucket(window, found)
                place = min(found.firsts[0], self._brought_at.get(next(iter(bucket)), LONG_MAX))
                begun.append((place, window, bucket))
        for _, window, bucket in sorted(begun, key=itemgetter(0)):  # as they came to be, element by element
            self._buckets[window] = bucket
        self._kept.clear()
        self._stored.forget()
        self._may_change = False
