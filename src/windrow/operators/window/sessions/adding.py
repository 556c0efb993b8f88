"""Adding elements to the sessions that are held: most make the newest session of their key longer, and do no more."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from windrow.common.limits import LONG_MIN
from windrow.elements.batch import Batch
from windrow.operators.base import LATE_RECORDS
from windrow.operators.column_folds.field_fold import Longs
from windrow.operators.window.panes.placing import Mask
from windrow.operators.window.sessions.folding import Arrived, Grouped, fold, grow
from windrow.operators.window.sessions.grouping import Items, grouped
from windrow.operators.window.sessions.one_by_one import Held, one_by_one
from windrow.operators.window.sessions.over import Over, sessions_over
from windrow.operators.window.sessions.table import SessionTable

if TYPE_CHECKING:  # whose neighbour makes entries of columns, by the modules here
    from windrow.operators.window.session_window_operator import SessionWindowOperator

#: A batch of which more elements than one in so many have to be processed one by one is left to the operator over rows.
_FEW, _SHARE = 64, 4


class Times(NamedTuple):
    """The watermark when elements came, and the next one; None: it is not known yet, or elements may be late."""

    watermark: int
    following: int | None = None


class Adder:
    """Adds elements to sessions.

    Args:
        by_row: Takes elements one by one.
        ask_state: Asks state for the keys that came before a place in the order of arrival.
    """

    def __init__(self, by_row: SessionWindowOperator, ask_state: Callable[[int], None]) -> None:
        self._by_row = by_row
        self._ask_state = ask_state
        self._lateness = by_row.allowed_lateness

    def add(self, held: Held, batch: Batch, elements: Arrived, times: Times) -> Over | bool:
        """Add elements; False, and nothing is done, if it takes the operator over rows.

        Gives the sessions that are over at the next watermark and are not held, if there are any.
        """
        table, count = held.table, elements.slots.size
        rows = table.newest(elements.slots)
        growing = table.open_at(rows, elements.starts)
        growing = growing[elements.ends[growing] > times.watermark + 1]
        over: Over | None = None
        if growing.size < count:
            others = elements
            if growing.size:
                growing = table.apart(elements.slots, growing)
            if growing.size:
                is_other = np.ones(count, np.bool_)
                is_other[growing] = False
                others = elements.take(np.flatnonzero(is_other))
            found = self._over(table, others, times.following)
            if found is not None:
                over, left = found
                others = others.take(left)
            if others.slots.size and not self._add_strays(held, batch, others, times.watermark):
                return False
        if growing.size == count:
            grow(table, rows, elements)
        elif growing.size:
            grow(table, rows[growing], elements.take(growing))
        return over or True

    def _over(self, table: SessionTable, elements: Arrived, following: int | None) -> tuple[Over, Longs] | None:
        """The sessions that are over at the next watermark, and the indexes of the elements that are in others."""
        if following is None or self._lateness or (elements.length is None and not elements.reach):
            return None
        return sessions_over(table, elements, following)

    def _add_strays(self, held: Held, batch: Batch, elements: Arrived, watermark: int) -> bool:
        """Add elements of which, by key, some do more than to make the newest session longer."""
        table, folds = held.table, held.plan.folds
        rows = table.walk(elements.slots, int(elements.starts.min()))
        if rows is None:
            return False
        near = table.slots[rows], table.starts[rows], table.ends[rows]
        groups = grouped(
            Items.of(elements.slots, (elements.starts, elements.ends), near),
            elements.length,
            wants_founder=any(each.kind == "first" for each in folds),
            wants_single=any(each.ordered for each in folds),
            wants_turns=not elements.reach,
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
            self._by_row.context.counters[LATE_RECORDS] += int(np.count_nonzero(skipped[sessions.of_element]))
            slots = rows = np.zeros(0, np.int64)
        else:
            self._ask_state(sessions.elements.sequence + 2 * len(batch))
            slots, rows = one_by_one(self._by_row, held, batch, sessions, (special, skipped))
        chosen = ~(special | skipped)
        folded = fold(table, sessions, chosen)[chosen]
        slots, rows = np.concatenate([slots, groups.slots[chosen]]), np.concatenate([rows, folded])
        order = np.lexsort((table.starts[rows], slots))
        table.chain(slots[order], rows[order])

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
