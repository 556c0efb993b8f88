"""Windows that give results before their end, and behind it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, TypeVar

from windrow.datastream.streams.program import factory
from windrow.datastream.streams.windows import WindowsBase
from windrow.expressions.nodes import Expression, InputRef
from windrow.operators.table.latest_result import LatestResultOperator
from windrow.operators.window.emit_trigger import EmitTrigger
from windrow.sql.plan import Aggregate
from windrow.table.planner.keys import key_of

if TYPE_CHECKING:
    from windrow.datastream.streams.data_stream import DataStream
    from windrow.table.planner.lowering import Lowering

Windows = TypeVar("Windows", bound=WindowsBase)


def with_emit(windows: Windows, relation: Aggregate) -> Windows:
    """Windows that fire when the groups of a relation are to give results."""
    emit = relation.emit
    if emit is None:
        return windows
    by_clock = _by_clock(relation)
    windows = windows.trigger(EmitTrigger(emit.early, emit.late, by_clock=by_clock))
    return windows if by_clock else windows.allowed_lateness(emit.lateness)


def latest_results(lowering: Lowering, relation: Aggregate, results: DataStream) -> DataStream:
    """Results of groups as changes, of which the last one of a group is the one that counts."""
    types = [column.type for column in relation.columns]
    every: list[Expression] = [InputRef(place, kind) for place, kind in enumerate(types)]
    keyed = lowering.calculated(results, types, [key_of(every[: len(relation.keys)]), *every]).key_by(0)
    by_clock, emit = _by_clock(relation), relation.emit
    assert emit is not None
    make = factory(partial(LatestResultOperator, by_clock=by_clock), 0 if by_clock else emit.lateness)
    return keyed._transform("Changes", make, None, stateless=False, convert=False, uses_processing_time=by_clock)


def _by_clock(relation: Aggregate) -> bool:
    return relation.window is not None and relation.window.window.by_clock
