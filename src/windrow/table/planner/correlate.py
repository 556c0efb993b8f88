"""Rows beside each row, as streams."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from windrow.datastream.streams.data_stream import DataStream
from windrow.datastream.streams.program import factory
from windrow.operators.table.correlate import CorrelateOperator, FunctionRows, MadeRows
from windrow.operators.table.unnest import Unnested
from windrow.sql.plan import Correlate
from windrow.table.planner.changelogs import fields_of, kind_of

if TYPE_CHECKING:
    from windrow.table.planner.lowering import Lowering


def correlate(lowering: Lowering, relation: Correlate) -> DataStream:
    """Rows with those that a function makes of them."""
    calc = lowering.columns_of(relation.input)
    fields = [*calc.expressions, *kind_of(calc.base)]
    stream = lowering.calculated(lowering.stream(calc.base), fields_of(calc.base), fields, calc.condition)
    arguments = [relation.input.columns[place].type for place in relation.arguments]
    types = [column.type for column in relation.made]
    made: MadeRows
    if relation.function is None:
        made = Unnested(arguments[0], types, numbered=relation.numbered)
    else:
        made = FunctionRows(relation.function, arguments, types)
    kept = len(relation.columns) - len(types)
    has_kind = bool(kind_of(calc.base))
    make = partial(CorrelateOperator, outer=relation.outer, has_kind=has_kind, condition=relation.condition)
    given = [each.type for each in fields]
    return stream._transform(
        "Correlate", factory(make, given, kept, relation.arguments, made), None, stateless=True, convert=False
    )
