"""Aggregates of windows whose rows take back others: Flink's ``WindowAggregate`` of changes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from windrow.datastream.streams.data_stream import DataStream
from windrow.expressions.logical_types import BIGINT, BOOLEAN
from windrow.expressions.nodes import Call, Expression, InputRef, Literal
from windrow.operators.table.window_changes import ChangedRowAggregates
from windrow.sql.calc import Calc
from windrow.sql.plan import Aggregate, WindowTable
from windrow.table.data_types import DataType
from windrow.table.planner.aggregates import row_calls
from windrow.table.planner.changelogs import fields_of, kind_of, refuse_changes
from windrow.table.planner.keys import key_of
from windrow.table.planner.own_functions import check_without_window

if TYPE_CHECKING:
    from windrow.table.planner.lowering import Lowering

_LONG = BIGINT.not_null()


def check_windows(relation: Aggregate, windows: WindowTable) -> None:
    """Refuse that rows are taken back where windows are not of event time, or give more than one result each.

    Raises:
        ConfigurationError: they are, with what takes them back.
    """
    if relation.emit is not None or windows.of.by_clock:
        refuse_changes(windows)


def changes_folded(
    lowering: Lowering,
    stream: DataStream,
    calc: Calc,
    relation: Aggregate,
    keys: Sequence[Expression],
    assigner: Any,
    time: Expression | None,
    moment: Sequence[Expression],
) -> tuple[DataStream, list[DataType]]:
    """The key, keys and aggregates of windows, the least of what ``moment`` is, and the types of these.

    A window without rows that are left gives nothing.
    """
    head = [key_of(keys), *keys]
    needed, calls = row_calls(relation.calls, len(head))
    check_without_window(calls, retracts=True)
    given = [calc.expressions[each.index] for each in needed if isinstance(each, InputRef)]
    fields = [*head, *given, *moment, *kind_of(calc.base)]
    least = [len(head) + len(given) + place for place in range(len(moment))]
    elements = lowering.calculated(stream, fields_of(calc.base), fields, calc.condition, time)
    made = elements.key_by(0).window(assigner).aggregate(ChangedRowAggregates(len(head), calls, least))
    types = [each.type for each in head] + [call.type for call in relation.calls] + [each.type for each in moment]
    every = [InputRef(place, kind) for place, kind in enumerate(types)]
    is_left = Call("<>", (InputRef(len(types), _LONG), Literal(0, _LONG)), BOOLEAN.not_null())
    return lowering.calculated(made, [*types, _LONG], every, is_left), types
