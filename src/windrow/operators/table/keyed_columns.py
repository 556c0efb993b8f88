"""The base of operators that do on columns what one over rows does, whose state is stored by key."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from windrow.common.exponential_backoff import ExponentialBackoff
from windrow.elements.batch import Batch
from windrow.elements.columns import Columns
from windrow.operators.base import Operator
from windrow.operators.column_folds.field_fold import Longs
from windrow.operators.column_folds.key_index import KeyIndex, key_column, key_index
from windrow.operators.forecast import Forecast
from windrow.operators.table.calc import tuples_of
from windrow.operators.waiting import Waiting
from windrow.state.keyed import Entry
from windrow.table.data_types import DataType

if TYPE_CHECKING:
    from windrow.elements.shape import Shape

#: Of so few rows each is worked on by itself: what is stored of their keys would have to become columns first.
_FEW = 256
#: After so many failures in a row columns are tried once in 2^8 batches.
_MOST_FAILURES = 8
#: Where more rows than this are stored for each row that comes, making columns of them costs more than it saves.
_MOST_STORED = 8
#: How many results are one batch.
_RESULTS = 1 << 16


class KeyedColumnsOperator(Operator):
    """Stands in front of an operator over rows, and does what that does on columns.

    What is kept of keys is in arrays by the slots of keys, from a key's first row in columns on until state is stored,
    or until rows come that have to be worked on one by one: then it is with the keys, as the operator over rows has it.

    Args:
        types: The types of the tuples' fields, of which the first one is the key.
        results: The types of the results' fields.
    """

    def __init__(self, types: Sequence[DataType], results: Sequence[DataType], *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._types, self._results = list(types), list(results)
        self._index: KeyIndex | None = None
        #: So many slots are those of keys whose state has been taken over.
        self._count = 0
        self._backoff = ExponentialBackoff(_MOST_FAILURES)

    def takes_columns(self, shape: Shape) -> bool:
        return True

    def forecast(self, shape: Shape | None) -> Forecast:
        return super().forecast(shape) if shape is None else Forecast(True, shape=tuples_of(self._results))

    def process_batch(self, batch: Batch) -> None:
        if not len(batch):
            return
        is_many = self._index is not None or len(batch) >= _FEW
        if self.context.columns_of(batch) is not None and is_many and self._backoff.is_due():
            slots = self._slots(batch)
            is_done = slots is not None and self._take(batch, slots)
            self._backoff.note(success=is_done)
            if is_done:
                return
        self._move_to_rows()
        super().process_batch(batch)

    def process_watermark(self, timestamp: int) -> None:
        if self._index is not None and self._fetch_due(timestamp):
            self._fire_columns(timestamp)
        else:
            self._move_to_rows()
            super().process_watermark(timestamp)

    def waiting(self) -> Waiting | None:
        times = [self.context.state.next_event_time(), self._next_time()]
        return Waiting.at(min((time for time in times if time is not None), default=None))

    def store_state(self) -> None:
        self._move_to_rows()

    @abstractmethod
    def _begin(self) -> None:
        """Have arrays for no keys."""

    @abstractmethod
    def _widen(self, count: int) -> None:
        """Make room for so many slots."""

    @abstractmethod
    def _load(self, slots: Longs, keys: Sequence[Any], entries: Sequence[Entry]) -> None:
        """Go on with what is stored of keys, and take their timers."""

    @abstractmethod
    def _take(self, batch: Batch, slots: Longs) -> bool:
        """Take rows; false, and nothing is changed, if that has to be done one by one."""

    @abstractmethod
    def _fire_columns(self, watermark: int) -> None:
        """Do what is due."""

    @abstractmethod
    def _next_time(self) -> int | None:
        """For which event time columns wait."""

    @abstractmethod
    def _give_back(self, keys: Sequence[Any]) -> None:
        """Store what there is of keys, by slot, as the operator over rows does."""

    def _slots(self, batch: Batch) -> Longs | None:
        """The slots of the rows' keys; None: they are keys that have none."""
        keys = batch.key_columns
        if keys is None:
            return None
        if self._index is None:
            self._index = key_index(keys.shape)
            if self._index is None:
                return None
            self._begin()
        column = key_column(keys, self._index)
        return None if column is None else self._slots_of(self._index, column)

    def _slots_of(self, index: KeyIndex, column: Any) -> Longs | None:
        """The slots of keys; of those that are new what is stored is taken over. None: that is too much."""
        known = self._count
        slots = index.slots_of(column)
        if index.count == known:
            return slots
        self._widen(index.count)
        state = self.context.state
        if state.is_empty() and not state.stored_keys():
            self._count = index.count
            return slots
        new: Longs = np.arange(known, index.count)
        keys = index.listed(new)
        state.expect(keys)
        found = [
            (slot, key, entry) for slot, key in zip(new.tolist(), keys, strict=True) if (entry := state.entry_of(key))
        ]
        if found:
            of_slots, of_keys, entries = zip(*found, strict=True)
            self._load(np.array(of_slots, np.int64), of_keys, entries)
        self._count = index.count
        return slots

    def _fetch_due(self, watermark: int) -> bool:
        """Take over keys whose timers are due; false if they are keys of another kind."""
        state, index = self.context.state, self._index
        if state.due_event_timer(watermark) is None:
            return True
        assert index is not None
        due: dict[Any, None] = {}
        for time, key, _ in state.event_timers:
            if time > watermark:
                break
            due[key] = None
        column = index.from_list(list(due))
        if column is None:
            return False
        if self._slots_of(index, column) is None:
            return False
        # What is left are those that do nothing any more.
        state.take_due_event_timers(watermark)
        return True

    def _move_to_rows(self) -> None:
        """Let keyed state have what columns have."""
        index, self._index = self._index, None
        if index is not None:
            self._give_back(index.listed(np.arange(self._count)))
            self._count = 0

    def _emit(self, arrays: Sequence[pa.Array], times: Longs) -> None:
        """Emit results."""
        made = Columns.of(tuples_of(self._results), arrays)
        for start in range(0, len(made), _RESULTS):
            part = made if len(made) <= _RESULTS else made.part(start, start + _RESULTS)
            self.context.output.emit_batch(Batch(part, times[start : start + _RESULTS]))
