"""Rows beside each row, as streams."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from windrow.datastream.streams.data_stream import DataStream
from windrow.datastream.streams.program import factory
from windrow.expressions.nodes import Expression
from windrow.operators.table.correlate import CorrelateOperator, FunctionRows, MadeRows, Replicated
from windrow.operators.table.unnest import Unnested
from windrow.sql.plan import Correlate, OneInput, Replicate
from windrow.table.planner.changelogs import fields_of, kind_of

if TYPE_CHECKING:
    from windrow.table.planner.lowering import Lowering


def correlate(lowering: Lowering, relation: Correlate) -> DataStream:
    """Rows with those that a function makes of them."""
    arguments = [relation.input.columns[place].type for place in relation.arguments]
    types = [column.type for column in relation.made]
    made: MadeRows
    if relation.function is None:
        made = Unnested(arguments[0], types, numbered=relation.numbered)
    else:
        made = FunctionRows(relation.function, arguments, types)
    kept = len(relation.columns) - len(types)
    return _beside(lowering, relation, kept, relation.arguments, made, relation.outer, relation.condition)


def replicated(lowering: Lowering, relation: Replicate) -> DataStream:
    """Each row as often as its last column says."""
    kept = len(relation.columns)
    return _beside(lowering, relation, kept, [kept], Replicated([]))


def _beside(
    lowering: Lowering,
    relation: OneInput,
    kept: int,
    arguments: Sequence[int],
    made: MadeRows,
    outer: bool = False,
    condition: Expression | None = None,
) -> DataStream:
    calc = lowering.columns_of(relation.input)
    fields = [*calc.expressions, *kind_of(calc.base)]
    stream = lowering.calculated(lowering.stream(calc.base), fields_of(calc.base), fields, calc.condition)
    make = partial(CorrelateOperator, outer=outer, has_kind=bool(kind_of(calc.base)), condition=condition)
    given = [each.type for each in fields]
    return stream._transform(
        "Correlate", factory(make, given, kept, arguments, made), None, stateless=True, convert=False
    )
