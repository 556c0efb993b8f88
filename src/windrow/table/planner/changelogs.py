"""Relations whose rows take back others, as streams: tuples whose last field is the kind of the row."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from windrow.datastream.streams.data_stream import DataStream
from windrow.datastream.streams.program import factory
from windrow.errors import ConfigurationError
from windrow.expressions.logical_types import BIGINT
from windrow.expressions.nodes import Call, Expression, InputRef, references
from windrow.operators.table.group_aggregate import GroupAggregateOperator
from windrow.operators.table.keep_first import KeepFirstByClockOperator
from windrow.operators.table.normalize import NormalizeOperator
from windrow.operators.table.over import OverOperator
from windrow.operators.table.row_aggregates import RowCall
from windrow.operators.table.top_changes import KeepLastOperator, TopChangesOperator
from windrow.sql.calc import Calc
from windrow.sql.plan import Aggregate, AggregateCall, Normalize, Over, Relation, RowNumber
from windrow.sql.plan_text import producer_of_changes
from windrow.sql.ranks import is_by_event_time, is_by_time, keeps_first, rank_range
from windrow.table.changelog_mode import ROW_KIND
from windrow.table.data_types import DataType
from windrow.table.planner.aggregates import row_calls
from windrow.table.planner.by_clock import over_by_clock, refuse_in_batch
from windrow.table.planner.keys import key_of
from windrow.table.planner.own_functions import check_over, check_without_window

if TYPE_CHECKING:
    from windrow.table.planner.lowering import Lowering


def fields_of(relation: Relation) -> list[DataType]:
    """The types of the fields of its tuples: its columns, and where rows take back others their kind."""
    return [*[column.type for column in relation.columns], *[ROW_KIND] * relation.changes]


def kind_of(relation: Relation) -> list[Expression]:
    """The kind of a relation's rows, over its fields; nothing where all are insertions."""
    return [InputRef(len(relation.columns), ROW_KIND)] * relation.changes


def refuse_changes(relation: Relation) -> None:
    """Refuse that an input takes rows back.

    Raises:
        ConfigurationError: it does, with what makes these changes.
    """
    for each in relation.inputs:
        refuse_changes_of(relation, each)


def refuse_changes_of(relation: Relation, side: Relation) -> None:
    """Refuse that one of its inputs takes rows back.

    Raises:
        ConfigurationError: it does, with what makes these changes.
    """
    if side.changes:
        name = type(relation).__name__
        msg = (
            f"{name} doesn't support consuming {producer_of_changes(side)}: group by window_start and window_end "
            "of a window table function, whose results stay"
        )
        raise ConfigurationError(msg)


def group_aggregate(lowering: Lowering, relation: Aggregate) -> DataStream:
    """Groups whose results change with each row."""
    calc = lowering.columns_of(relation.input)
    keys = [calc.expressions[place] for place in relation.keys]
    needed, calls = row_calls(relation.calls, 1 + len(keys))
    given = [calc.expressions[each.index] for each in needed if isinstance(each, InputRef)]
    if relation.input.changes:
        calls = [
            replace(call, grows=_grows(calc, keys, of.arguments, call.name))
            for call, of in zip(calls, relation.calls, strict=True)
        ]
    check_without_window(calls, retracts=relation.input.changes)
    fields = [key_of(keys), *keys, *given, *kind_of(calc.base)]
    elements = lowering.calculated(lowering.stream(calc.base), fields_of(calc.base), fields, calc.condition)
    # Here, because they import Arrow.
    from windrow.operators.table.column_accumulators import column_accumulator
    from windrow.operators.table.group_columns import GroupColumnsOperator

    retracts, types = relation.input.changes, [each.type for each in fields]
    make: Any = partial(GroupAggregateOperator, len(keys), calls, retracts=retracts)
    if all(column_accumulator(call, types, retracts=retracts) is not None for call in calls):
        make = partial(GroupColumnsOperator, len(keys), calls, types, retracts=retracts)
    return elements.key_by(0)._transform("Group Aggregate", factory(make), None, stateless=False, convert=False)


def _grows(calc: Calc, keys: Sequence[Expression], arguments: Sequence[int], name: str) -> bool:
    """Tell if a least or greatest value needs nothing taken back: COUNT and MAX of what stays only become greater."""
    inner = calc.base
    if name not in ("MIN", "MAX") or not isinstance(inner, Aggregate) or inner.input.changes or calc.condition:
        return False
    value = calc.expressions[arguments[0]]
    if isinstance(value, Call) and value.name in ("CAST", "CAST_IMPLICIT"):
        value = value.operands[0]
    of_inner = [isinstance(key, InputRef) and key.index < len(inner.keys) for key in keys]
    if not isinstance(value, InputRef) or value.index < len(inner.keys) or not all(of_inner):
        return False
    return inner.calls[value.index - len(inner.keys)].name in (("COUNT", "MAX") if name == "MAX" else ("MIN",))


def normalized(lowering: Lowering, relation: Normalize) -> DataStream:
    """Rows that take the place of each other, with what was there before."""
    calc = lowering.columns_of(relation.input)
    keys = [calc.expressions[place] for place in relation.keys]
    fields = [key_of(keys), *calc.expressions, *kind_of(calc.base)]
    stream = lowering.calculated(lowering.stream(calc.base), fields_of(calc.base), fields, calc.condition)
    make = factory(NormalizeOperator)
    return stream.key_by(0)._transform("Changelog Normalize", make, None, stateless=False, convert=False)


def over_aggregate(lowering: Lowering, relation: Over) -> DataStream:
    """Aggregates over the rows up to each row."""
    refuse_changes(relation)
    calc = lowering.columns_of(relation.input)
    by_clock = relation.input.columns[relation.time].proctime
    keys = [calc.expressions[place] for place in relation.partition]
    calls = [
        RowCall(
            call.name,
            tuple([place + 1 for place in call.arguments]),
            call.type,
            call.distinct,
            None,
            call.options,
            over=True,
        )
        for call in relation.calls
    ]
    check_over(calls, bounded=relation.preceding is not None)
    fields = [key_of(keys), *calc.expressions]
    stream = lowering.stream(calc.base)
    time = None if by_clock else calc.expressions[relation.time]
    elements = lowering.calculated(stream, fields_of(calc.base), fields, calc.condition, time)
    if by_clock:
        if not relation.by_rows:
            refuse_in_batch(lowering.streaming, "ranges of processing time")
        return over_by_clock(elements.key_by(0), relation, calls)
    # Here, because it imports Arrow.
    from windrow.operators.table.over_columns import OverColumnsOperator

    types = [each.type for each in fields]
    make: Any = partial(OverOperator, calls)
    if OverColumnsOperator.takes(types, calls, relation.preceding):
        make = partial(OverColumnsOperator, types, calls)
    make = factory(partial(make, by_rows=relation.by_rows, preceding=relation.preceding))
    return elements.key_by(0)._transform("Over Aggregate", make, None, stateless=False, convert=False)


def numbered_by_time(lowering: Lowering, relation: RowNumber) -> DataStream:
    """Rows with their number by time, which stays.

    Raises:
        ConfigurationError: they are in another order, so that numbers would change.
    """
    if not is_by_time(relation) or relation.order[0].descending:
        msg = (
            "ROW_NUMBER() OVER (...) can only be ordered by a time attribute in ascending mode, unless the first rows "
            "are chosen: write WHERE number <= N around it"
        )
        raise ConfigurationError(msg)
    count = AggregateCall("COUNT", (), BIGINT.not_null())
    time = relation.order[0].index
    over = Over(relation.columns, relation.input, relation.partition, time, [count], by_rows=True, preceding=None)
    return over_aggregate(lowering, over)


def top_rows(lowering: Lowering, calc: Calc, base: RowNumber) -> DataStream:
    """The first rows of all so far.

    Raises:
        ConfigurationError: the condition does not say how many.
    """
    number = len(base.columns) - 1
    chosen = rank_range(calc.condition, number)
    if chosen.most is None:
        msg = "the end of the numbers is not specified: ROW_NUMBER() is for the first rows; write WHERE number <= N"
        raise ConfigurationError(msg)
    inner = lowering.columns_of(base.input)
    keys = [inner.expressions[place] for place in base.partition]
    stream = lowering.stream(inner.base)
    by_event_time = is_by_event_time(base)
    time = inner.expressions[base.order[0].index] if by_event_time else None
    fields = [key_of(keys), *inner.expressions, *kind_of(inner.base)]
    elements = lowering.calculated(stream, fields_of(inner.base), fields, inner.condition, time).key_by(0)
    types = [*[column.type for column in base.columns]]
    results = list(calc.expressions)
    order = [(each.index, each.descending, each.nulls_first) for each in base.order]
    by_time = is_by_time(base) and (chosen.least, chosen.most) == (1, 1) and not base.input.changes
    if keeps_first(base, chosen):
        # Here, because it imports Arrow.
        from windrow.operators.table.keep_first_columns import KeepFirstColumnsOperator

        by_columns = partial(KeepFirstColumnsOperator, [each.type for each in fields])
        keeps: Any = by_columns if by_event_time else KeepFirstByClockOperator
        first = elements._transform("Deduplicate", factory(keeps), None, stateless=False, convert=False)
        return lowering.calculated(first, types, results, chosen.rest)
    if by_time:
        make = factory(KeepLastOperator, base.order[0].index if by_event_time else None)
        last = elements._transform("Deduplicate", make, None, stateless=False, convert=False)
        return _with_kind(lowering, last, types, results, chosen.rest)
    rest = [] if chosen.rest is None else [chosen.rest]
    numbered = chosen.most > 1 and number in references([*results, *rest])
    make_top = partial(TopChangesOperator, numbered=numbered, retracts=base.input.changes)
    make = factory(make_top, order, chosen.least, chosen.most)
    ranked = elements._transform("Rank", make, None, stateless=False, convert=False)
    return _with_kind(lowering, ranked, types, results, chosen.rest)


def _with_kind(
    lowering: Lowering,
    stream: DataStream,
    types: Sequence[DataType],
    expressions: Sequence[Expression],
    condition: Expression | None,
) -> DataStream:
    kind = InputRef(len(types), ROW_KIND)
    return lowering.calculated(stream, [*types, ROW_KIND], [*expressions, kind], condition)
