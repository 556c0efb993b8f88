"""Views of keyed state with a time to live (Flink's ``TtlValueState`` and its siblings)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from windrow.state.ttl import Cell, Ttl, WithTtl, has_ttl
from windrow.state.views import (
    AggregatingStateView,
    ListStateView,
    MapStateView,
    MergingStateView,
    ReducingStateView,
    ValueStateView,
    View,
)


class _TtlView(View):
    """The base of views with a time to live."""

    is_plain = False

    def __init__(self, ttl: Ttl, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._ttl = ttl


class _WholeValue(_TtlView):
    """Content that expires as a whole."""

    def _read(self) -> Any:
        stored = self._state.entry.get(self._slot)
        if stored is None:
            return None
        if not has_ttl(stored):
            self._write(stored)
            return stored
        _, value, last_access = stored
        if self._ttl.expired(last_access):
            self.clear()
            return value if self._ttl.returns_expired else None
        if self._ttl.refreshes_on_read:
            self._write(value)
        return value

    def _alive(self) -> Any:
        return self._unexpired(self._state.entry.get(self._slot))

    def _write(self, content: Any) -> None:
        self._state.entry[self._slot] = (WithTtl, content, self._ttl.now())

    def _unexpired(self, stored: Any) -> Any:
        if not has_ttl(stored):
            return stored
        _, value, last_access = stored
        return None if self._ttl.expired(last_access) and not self._ttl.returns_expired else value


class TtlValueStateView(_WholeValue, ValueStateView):
    """One value."""


class _MergedValue(_WholeValue, MergingStateView):
    def _merge_stored(self, first: Any, second: Any) -> Any:
        if first is None or second is None:
            return second if first is None else first
        # Flink's TtlReduceFunction and TtlAggregateFunction: what has expired is left out, what remains is new.
        values = [value for value in (self._unexpired(first), self._unexpired(second)) if value is not None]
        if not values:
            return None
        return WithTtl, values[0] if len(values) == 1 else self._merge(*values), self._ttl.now()


class TtlReducingStateView(_MergedValue, ReducingStateView):
    """One value, reduced from those added."""


class TtlAggregatingStateView(_MergedValue, AggregatingStateView):
    """One accumulator."""


class TtlListStateView(_TtlView, ListStateView):
    """A list whose elements expire one by one."""

    def get(self) -> list[Any]:
        cells = self._cells(self._state.entry.get(self._slot))
        alive = [cell for cell in cells if not self._ttl.expired(cell[1])]
        if not alive:
            self.clear()
        elif self._ttl.refreshes_on_read:
            now = self._ttl.now()
            self._write([(value, now) for value, _ in alive])
        elif not self._ttl.returns_expired:
            self._write(alive)
        return list(self._copied_each([value for value, _ in (cells if self._ttl.returns_expired else alive)]))

    def add_all(self, values: Sequence[Any]) -> None:
        if not values:
            return
        cells = self._cells(self._state.entry.get(self._slot))
        now = self._ttl.now()
        cells.extend((value, now) for value in self._copied_each(list(values)))
        self._write(cells)

    def _cells(self, stored: Any) -> list[Cell]:
        if has_ttl(stored):
            cells: list[Cell] = stored[1]
            return cells
        now = self._ttl.now()
        return [(value, now) for value in stored or ()]

    def _write(self, content: list[Cell]) -> None:
        self._state.entry[self._slot] = (WithTtl, content)

    def _merge_stored(self, first: Any, second: Any) -> Any:
        if first is None or second is None:
            return second if first is None else first
        return WithTtl, self._cells(first) + self._cells(second)


class TtlMapStateView(_TtlView, MapStateView):
    """A dictionary whose entries expire one by one."""

    def get(self, key: Any) -> Any:
        cell = self._access(key)
        return None if cell is None else self._copied(cell[0])

    def put_all(self, dict_value: Mapping[Any, Any]) -> None:
        if not dict_value:
            return
        cells = self._cells()
        now = self._ttl.now()
        cells.update((key, (self._copied(value), now)) for key, value in dict_value.items())
        self._write(cells)

    def contains(self, key: Any) -> bool:
        return self._access(key) is not None

    def is_empty(self) -> bool:
        # Flink counts what has expired and is still stored; here an empty map has no items.
        cells = self._cells().values()
        return not cells if self._ttl.returns_expired else all(self._ttl.expired(cell[1]) for cell in cells)

    def _copy(self) -> dict[Any, Any]:
        accessed = {key: self._access(key) for key in list(self._cells())}
        return {key: self._copied(cell[0]) for key, cell in accessed.items() if cell is not None}

    def _alive(self) -> dict[Any, Cell]:
        return self._cells()

    def _access(self, key: Any) -> Cell | None:
        """The entry for the user, its life prolonged or ended."""
        cells = self._cells()
        cell = cells.get(key)
        if cell is None:
            return None
        if self._ttl.expired(cell[1]):
            self.remove(key)
            return cell if self._ttl.returns_expired else None
        if self._ttl.refreshes_on_read:
            cells[key] = (cell[0], self._ttl.now())
            self._write(cells)
        return cell

    def _cells(self) -> dict[Any, Cell]:
        stored = self._state.entry.get(self._slot)
        cells: dict[Any, Cell]
        if has_ttl(stored):
            cells = stored[1]
            return cells
        now = self._ttl.now()
        cells = {key: (value, now) for key, value in (stored or {}).items()}
        if cells:
            self._write(cells)
        return cells

    def _write(self, content: dict[Any, Cell]) -> None:
        self._state.entry[self._slot] = (WithTtl, content)
