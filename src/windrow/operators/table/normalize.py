"""Rows that take the place of each other as complete changes (Flink's ``ChangelogNormalize``)."""

from __future__ import annotations

from typing import Any

from windrow.operators.table.changes import DELETE, INSERT, TAKES_BACK, UPDATE_AFTER, UPDATE_BEFORE, ChangesOperator

_ROW = "row"


class NormalizeOperator(ChangesOperator):
    """The fields behind the key of each tuple, with what was there before.

    The last field is the tuple's kind. A deletion may have the key alone: what is deleted is the whole last row. One of
    a row that is not there, and a row like the last one, change nothing.
    """

    def _take(self, row: Any, made: list[Any]) -> None:
        state = self.context.state
        fields, kind = row[1:-1], row[-1]
        last = state.get(_ROW)
        if kind in TAKES_BACK:
            if last is not None:
                state.remove(_ROW)
                made.append((*last, DELETE))
        elif last is None:
            state.put(_ROW, None, fields)
            made.append((*fields, INSERT))
        elif fields != last:
            state.put(_ROW, None, fields)
            made += [(*last, UPDATE_BEFORE), (*fields, UPDATE_AFTER)]
