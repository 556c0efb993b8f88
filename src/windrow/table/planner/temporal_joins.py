"""Joins with versions of tables, as streams."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from windrow.datastream.streams.keyed_stream import KeyedStream
from windrow.datastream.streams.program import factory
from windrow.datastream.streams.two_inputs import two_inputs
from windrow.operators.table.joins import Condition
from windrow.operators.table.lookup_join import LookupJoinOperator
from windrow.operators.table.temporal_join import TemporalJoinOperator
from windrow.sql.plan import LookupJoin, Relation, TemporalJoin
from windrow.table.planner.by_clock import refuse_in_batch
from windrow.table.planner.changelogs import fields_of, kind_of, refuse_changes_of
from windrow.table.planner.keys import key_of

if TYPE_CHECKING:
    from windrow.datastream.streams.data_stream import DataStream
    from windrow.table.planner.lowering import Lowering


def temporal_join(lowering: Lowering, relation: TemporalJoin) -> DataStream:
    """Rows with the version that was valid at their time.

    Raises:
        ConfigurationError: the left side's rows take back others, or tables are read at once.
    """
    left, right = relation.left, relation.right
    refuse_changes_of(relation, left)
    refuse_in_batch(lowering.streaming, "joins FOR SYSTEM_TIME AS OF event time")
    rows = _side(lowering, left, relation.left_keys, relation.left_time)
    versions = _side(lowering, right, relation.right_keys, relation.right_time)
    types = [column.type for column in (*left.columns, *right.columns)]
    condition = Condition(types, relation.condition)
    outer = relation.kind == "LEFT"
    make = partial(TemporalJoinOperator, outer=outer, changes=right.changes)
    join = factory(make, relation.left_keys, relation.right_keys, len(right.columns), condition)
    return two_inputs("Temporal Join", rows, versions, join, None)


def lookup_join(lowering: Lowering, relation: LookupJoin) -> DataStream:
    """Rows with those that a table has for their key when they come.

    Raises:
        ConfigurationError: the left side's rows take back others.
    """
    left, table, source = relation.left, relation.table, relation.table.source
    refuse_changes_of(relation, left)
    calc = lowering.columns_of(left)
    stream = lowering.calculated(lowering.stream(calc.base), fields_of(calc.base), calc.expressions, calc.condition)
    lookup = source.lookup([table.columns[place].name for place in relation.table_keys])
    make = partial(LookupJoinOperator, outer=relation.kind == "LEFT", cache=source.cache)
    join = factory(
        make,
        [column.type for column in left.columns],
        relation.left_keys,
        [column.type for column in table.columns],
        lookup,
        relation.results,
        relation.condition,
    )
    return stream._transform("Lookup Join", join, None, stateless=True, convert=False, uses_processing_time=True)


def _side(lowering: Lowering, relation: Relation, keys: Sequence[int], time: int) -> KeyedStream:
    """The rows of one side behind their key, with their event time, and before the kind that they may have."""
    calc = lowering.columns_of(relation)
    fields = [key_of([calc.expressions[place] for place in keys]), *calc.expressions, *kind_of(calc.base)]
    stream = lowering.stream(calc.base)
    made = lowering.calculated(stream, fields_of(calc.base), fields, calc.condition, calc.expressions[time])
    return made.key_by(0)
