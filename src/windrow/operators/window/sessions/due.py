"""The sessions that fire at a watermark: of those that are held, and of those that are over without."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from windrow.operators.column_folds.field_fold import Array, Longs
from windrow.operators.column_folds.radix import stable_order
from windrow.operators.window.sessions.one_by_one import Held
from windrow.operators.window.sessions.over import Over


class Due(NamedTuple):
    """Sessions that fire, in the order in which they do."""

    slots: Longs
    starts: Longs
    ends: Longs
    #: What was folded in them, a column for each field.
    fields: Sequence[Array]

    def part(self, begin: int, end: int) -> Due:
        """Some of them."""
        chosen = slice(begin, end)
        fields = [values[chosen] for values in self.fields]
        return Due(self.slots[chosen], self.starts[chosen], self.ends[chosen], fields)

    @staticmethod
    def of(held: Held, rows: Longs, over: Over | None) -> Due:
        """Of held sessions, in their order, and others."""
        table = held.table
        if over is None:
            return Due(table.slots[rows], table.starts[rows], table.ends[rows], held.fields_of(rows))
        slots = np.concatenate([table.slots[rows], over.slots])
        starts, ends = np.concatenate([table.starts[rows], over.starts]), np.concatenate([table.ends[rows], over.ends])
        order = stable_order(ends)
        in_order = ends[order]
        if (in_order[1:] == in_order[:-1]).any():  # where none end together, nobody asks for their turns
            turns = stable_order(np.concatenate([table.orders[rows], over.orders(table)]))
            order = turns[stable_order(ends[turns])]
        slots = slots[order]
        fields = [
            held.keys.column(slots) if fold.kind == "key" else np.concatenate([values[rows], of_over])[order]
            for fold, values, of_over in zip(held.plan.folds, table.fields, over.fields, strict=True)
        ]
        return Due(slots, starts[order], in_order, fields)
