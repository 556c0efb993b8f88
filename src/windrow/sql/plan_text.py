"""Relations as text: the tree of a plan, and what makes the changes in one."""

from __future__ import annotations

from windrow.sql.plan import (
    Aggregate,
    AssignTime,
    Correlate,
    FlatAggregate,
    Join,
    LookupJoin,
    Normalize,
    Over,
    OverRows,
    RegularJoin,
    Relation,
    Replicate,
    RowNumber,
    Scan,
    Sort,
    TemporalJoin,
    Values,
    WindowTable,
)


def producer_of_changes(relation: Relation) -> str:
    """The relation that makes the changes, with which of them: ``update changes which is produced by node ...``."""
    while not isinstance(relation, Aggregate | FlatAggregate | RowNumber | Normalize | RegularJoin | Scan):
        relation = next((each for each in relation.inputs if each.changes), relation.inputs[0])
    only_updates = isinstance(relation, Aggregate) and not relation.input.changes
    return f"{'update' if only_updates else 'update and delete'} changes which is produced by node {_line(relation)}"


def describe(relation: Relation, indent: str = "") -> str:
    """The relations as a tree of text."""
    head = f"{indent}{_line(relation)}"
    deeper = f"{'   ' * (len(indent) // 3)}+- " if indent else "+- "
    below = [describe(each, f"{'   ' * ((len(indent) + 2) // 3)}+- " if indent else deeper) for each in relation.inputs]
    return "\n".join([head, *below])


def _line(relation: Relation) -> str:
    names = ", ".join(column.name for column in relation.columns)
    match relation:
        case Scan():
            return f"TableSourceScan(table=[{relation.name}], fields=[{names}])"
        case Values():
            return f"Values({len(relation.rows)} rows, fields=[{names}])"
        case AssignTime():
            column = relation.columns[relation.time].name
            return f"WatermarkAssigner(rowtime=[{column}], delay=[{relation.delay} ms])"
        case Normalize():
            return f"ChangelogNormalize(key=[{', '.join(relation.columns[key].name for key in relation.keys)}])"
        case WindowTable():
            of = relation.of
            slide = f", slide=[{of.slide} ms]" if of.slide else ""
            column = relation.input.columns[relation.time].name
            return f"WindowTableFunction({of.kind}({column}, size=[{of.size} ms]{slide}))"
        case Aggregate():
            keys = ", ".join(relation.input.columns[key].name for key in relation.keys)
            kind = "WindowAggregate" if relation.windowed else "GroupAggregate"
            return f"{kind}(groupBy=[{keys}], select=[{', '.join(call.shown for call in relation.calls)}])"
        case Over():
            partition = ", ".join(relation.input.columns[key].name for key in relation.partition)
            back = "UNBOUNDED" if relation.preceding is None else relation.preceding
            frame = f"{'ROWS' if relation.by_rows else 'RANGE'} {back} PRECEDING"
            calls = ", ".join(call.shown for call in relation.calls)
            return f"OverAggregate(partitionBy=[{partition}], window=[{frame}], select=[{calls}])"
        case Correlate():
            name = "UNNEST" if relation.function is None else relation.function.name
            kind = "LEFT" if relation.outer else "INNER"
            return f"Correlate(function=[{name}], joinType=[{kind}], select=[{names}])"
        case Replicate():
            return f"Correlate(function=[$REPLICATE_ROWS$1], joinType=[INNER], select=[{names}])"
        case RowNumber():
            partition = ", ".join(relation.input.columns[key].name for key in relation.partition)
            return f"Rank(partitionBy=[{partition}])"
        case FlatAggregate():
            keys = ", ".join(column.name for column in relation.input.columns[: relation.keys])
            return f"GroupTableAggregate(groupBy=[{keys}], select=[{relation.function.name}])"
        case OverRows():
            partition = ", ".join(relation.input.columns[key].name for key in relation.partition)
            return f"OverAggregate(partitionBy=[{partition}], select=[{relation.call.shown}])"
        case Sort():
            by = ", ".join(
                f"{relation.columns[o.index].name} {'DESC' if o.descending else 'ASC'}" for o in relation.order
            )
            return f"Sort(orderBy=[{by}], offset=[{relation.offset}], fetch=[{relation.count}])"
        case LookupJoin():
            keys = ", ".join(relation.table.columns[key].name for key in relation.table_keys)
            return f"LookupJoin(table=[{relation.table.name}], {relation.kind}, lookup=[{keys}])"
        case TemporalJoin():
            keys = ", ".join(relation.left.columns[key].name for key in relation.left_keys)
            at = relation.left.columns[relation.left_time].name
            return f"TemporalJoin({relation.kind}, keys=[{keys}], asOf=[{at}])"
        case Join() | RegularJoin():
            keys = ", ".join(relation.left.columns[key].name for key in relation.left_keys)
            return f"Join({relation.kind}, keys=[{keys}])"
    return f"{type(relation).__name__}(select=[{names}])"
