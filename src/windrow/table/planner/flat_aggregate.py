"""Several rows for each group, as streams."""

from __future__ import annotations

from typing import TYPE_CHECKING

from windrow.datastream.streams.data_stream import DataStream
from windrow.datastream.window import GlobalWindows
from windrow.errors import ConfigurationError
from windrow.operators.table.flat_aggregate import FlatAggregates, FlatAggregatesAtEnd, TableAggregate
from windrow.sql.plan import FlatAggregate
from windrow.table.planner.changelogs import fields_of, kind_of
from windrow.table.planner.keys import key_of

if TYPE_CHECKING:
    from windrow.table.planner.lowering import Lowering


def flat_aggregate(lowering: Lowering, relation: FlatAggregate) -> DataStream:
    """The rows that a function gives for each group: as changes, of tables that end once.

    Raises:
        ConfigurationError: the function has no ``retract``, and rows are taken back.
    """
    calc, function, count = lowering.columns_of(relation.input), relation.function, relation.keys
    if relation.input.changes and not function.retracts:
        msg = f"function {function.name} has no retract, and here rows are taken back: write the method"
        raise ConfigurationError(msg)
    fields = [key_of(calc.expressions[:count]), *calc.expressions, *kind_of(calc.base)]
    stream = lowering.stream(calc.base)
    keyed = lowering.calculated(stream, fields_of(calc.base), fields, calc.condition).key_by(0)
    types = [each.type for each in calc.expressions[count:]]
    results = [column.type for column in relation.columns[count:]]
    aggregate = TableAggregate(function, count, types, results)
    if lowering.streaming:
        return keyed.process(FlatAggregates(aggregate, kinds=relation.input.changes))
    return keyed.window(GlobalWindows.create_with_end_of_stream_trigger()).process(FlatAggregatesAtEnd(aggregate))
