"""All rows in an order, once there are all."""

from __future__ import annotations

from typing import TYPE_CHECKING

from windrow.datastream.streams.data_stream import DataStream
from windrow.datastream.window import GlobalWindows
from windrow.expressions import logical_types as lt
from windrow.expressions.logical_types import BIGINT
from windrow.expressions.nodes import Call, Expression, InputRef, Literal
from windrow.operators.table.top_rows import TopRows
from windrow.sql.plan import Sort
from windrow.table.planner.keys import key_of

if TYPE_CHECKING:
    from windrow.table.planner.lowering import Lowering


def sorted_rows(lowering: Lowering, relation: Sort) -> DataStream:
    """The rows of a query that ends, in its order: one subtask has them all."""
    types = [column.type for column in relation.input.columns]
    every: list[Expression] = [InputRef(place, kind) for place, kind in enumerate(types)]
    key = key_of([])
    keyed = lowering.calculated(lowering.stream(relation.input), types, [key, *every]).key_by(0)
    order = [(each.index + 1, each.descending, each.nulls_first) for each in relation.order]
    count = None if relation.count is None else relation.offset + relation.count
    windows = keyed.window(GlobalWindows.create_with_end_of_stream_trigger())
    made = windows.process(TopRows(order, count, [key.type, *types])).set_parallelism(1)
    number = InputRef(len(types) + 1, BIGINT.not_null())
    behind = Call(">", (number, Literal(relation.offset, number.type)), lt.BOOLEAN.not_null())
    results: list[Expression] = [InputRef(place + 1, kind) for place, kind in enumerate(types)]
    fields = [BIGINT.not_null(), *types, BIGINT.not_null()]
    condition = behind if relation.offset else None
    return lowering.calculated(made, fields, results, condition).set_parallelism(1)
