"""Aggregates and ranks OVER rows in any order, once there are all."""

from __future__ import annotations

from typing import TYPE_CHECKING

from windrow.datastream.streams.data_stream import DataStream
from windrow.datastream.window import GlobalWindows
from windrow.operators.table.over_rows import OverRowsFunction
from windrow.operators.table.row_aggregates import RowCall
from windrow.sql.plan import OverRows
from windrow.table.planner.keys import key_of
from windrow.table.planner.own_functions import check_over

if TYPE_CHECKING:
    from windrow.table.planner.lowering import Lowering


def over_rows(lowering: Lowering, relation: OverRows) -> DataStream:
    """The rows of a query that ends, each with what its partition says of it."""
    calc, call, frame = lowering.columns_of(relation.input), relation.call, relation.frame
    types = [column.type for column in calc.base.columns]
    fields = [key_of([calc.expressions[place] for place in relation.partition]), *calc.expressions]
    elements = lowering.calculated(lowering.stream(calc.base), types, fields, calc.condition)
    arguments = tuple([place + 1 for place in call.arguments])
    of_rows = RowCall(call.name, arguments, call.type, call.distinct, None, call.options, over=True)
    check_over([of_rows], bounded=frame.start is not None)
    order = [(each.index + 1, each.descending, each.nulls_first) for each in relation.order]
    function = OverRowsFunction(order, of_rows, by_rows=frame.by_rows, start=frame.start, end=frame.end)
    return elements.key_by(0).window(GlobalWindows.create_with_end_of_stream_trigger()).process(function)
