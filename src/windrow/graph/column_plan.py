"""Tells which operators of a job will work on columns, and why the others will not: followed from the sources on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from windrow.graph.job_graph import Edge, Entry, JobGraph, Node
from windrow.graph.partitioners import KeyGroupPartitioner
from windrow.operators.base import TwoInputOperator
from windrow.operators.column_function import fields_given
from windrow.operators.forecast import ROWS_IN, SEVERAL_FORMS, Forecast, forecast

if TYPE_CHECKING:
    from windrow.elements.shape import Shape

_OFF = Forecast(False, "windrow.columns.enabled is false")


@dataclass
class ColumnPlan:
    """The forms known before a job runs; what is made of rows of a plain form may become columns all the same.

    Attributes:
        operators: The form of each operator and source, by its tag.
        keys: The form of the keys that each edge with a key asks for, by the edge's number.
        combined: What elements are combined to before they cross an edge, by its number.
    """

    operators: dict[str, Forecast] = field(default_factory=dict)
    keys: dict[int, Forecast] = field(default_factory=dict)
    combined: dict[int, Shape] = field(default_factory=dict)


def column_plan(job: JobGraph) -> ColumnPlan:
    """Follow the shapes of elements through the job."""
    plan = ColumnPlan()
    if not job.columns:
        plan.operators = {node.tag: _OFF for node in job.nodes()}
        return plan
    arriving: dict[int, Shape | None] = {}
    for level in job.levels:
        for entry in level:
            keys = _same([forecast.shape for edge in entry.edges if (forecast := plan.keys.get(edge.id)) is not None])
            _follow(entry.node, _of_entry(entry, arriving), plan, arriving, keys, _several(entry, arriving))
            known = plan.operators[entry.node.tag]
            if known.reason == ROWS_IN and entry.edges and None not in [arriving.get(edge.id) for edge in entry.edges]:
                plan.operators[entry.node.tag] = known._replace(reason=SEVERAL_FORMS)
            if job.combines:
                found = {edge.id: _combined(edge, plan, arriving, any_order=job.any_order) for edge in entry.edges}
                plan.combined |= {number: shape for number, shape in found.items() if shape}
    return plan


def _combined(edge: Edge, plan: ColumnPlan, arriving: dict[int, Shape | None], *, any_order: bool) -> Shape | None:
    """The shape of what is combined before it crosses an edge; None if nothing is."""
    shape, key = arriving.get(edge.id), plan.keys.get(edge.id)
    if edge.operator is None or shape is None or key is None or key.shape is None:
        return None
    local = edge.operator().local_aggregate(any_order=any_order)
    if local is None or not isinstance(edge.partitioner, KeyGroupPartitioner):
        return None
    are_key = fields_given(edge.partitioner.key_selector, shape)
    return local.shape_of(shape) if local.takes(shape, key.shape, are_key) else None


def _of_entry(entry: Entry, arriving: dict[int, Shape | None]) -> Sequence[Shape | None]:
    """Give the shape of what comes into a chain by each input; None where it is unknown, or there are several."""
    if entry.source is not None:
        return [entry.source.produced_shape()]
    return [
        _same([arriving.get(edge.id) for edge in entry.edges if edge.input == number])
        for number in sorted({edge.input for edge in entry.edges})
    ]


def _several(entry: Entry, arriving: dict[int, Shape | None]) -> Sequence[Shape]:
    """Give the different shapes of what comes into a chain by its one input; nothing if there are not several."""
    known = [shape for edge in entry.edges if (shape := arriving.get(edge.id)) is not None]
    if len(known) < len(entry.edges) or {edge.input for edge in entry.edges} != {0}:
        return ()
    shapes = [*dict.fromkeys(known)]
    return shapes if len(shapes) > 1 else ()


def _same(shapes: Sequence[Shape | None]) -> Shape | None:
    return shapes[0] if shapes and all(shape == shapes[0] for shape in shapes) else None


def _follow(
    node: Node,
    shapes: Sequence[Shape | None],
    plan: ColumnPlan,
    arriving: dict[int, Shape | None],
    keys: Shape | None = None,
    several: Sequence[Shape] = (),
) -> None:
    shape = shapes[0] if len(shapes) == 1 else None
    operator = None if node.factory is None else node.factory()
    if operator is None:
        made = Forecast(True, shape=shape) if shape is not None else Forecast(False, "it gives rows")
    elif isinstance(operator, TwoInputOperator) and len(shapes) == 2:
        made = operator.forecast_of(*shapes)
    elif several:
        made = operator.forecast_of_several(several)
    else:
        made = operator.forecast_by_key(shape, keys)
    known = plan.operators.get(node.tag)
    # An operator behind a union stands in several places.
    plan.operators[node.tag] = made if known is None or known.columns else known
    for side, taker in node.takers:
        given = made.shape if side is None else None
        if not isinstance(taker, Edge):
            _follow(taker, [given], plan, arriving)
            continue
        arriving[taker.id] = given
        if isinstance(taker.partitioner, KeyGroupPartitioner):
            selector = taker.partitioner.key_selector
            plan.keys[taker.id] = forecast(selector, [given]) if given is not None else Forecast(False, ROWS_IN)


def describe(job: JobGraph) -> str:
    """The job as text: a line for each source, operator, exchange by key and sink, with the form it works in."""
    plan = column_plan(job)
    return "\n".join(_lines(job, plan))


def _lines(job: JobGraph, plan: ColumnPlan) -> Iterator[str]:
    for number, level in enumerate(job.levels):
        for entry in level:
            subtasks = "1 subtask" if entry.subtasks == 1 else f"{entry.subtasks} subtasks"
            yield f"level {number}, {subtasks}"
            yield from _chain(entry.node, plan, job, "  ")


def _chain(node: Node, plan: ColumnPlan, job: JobGraph, indent: str) -> Iterator[str]:
    made = plan.operators[node.tag]
    yield f"{indent}{node.name}: {made}{_fields(made.shape)}"
    several = len(node.takers) > 1
    for side, taker in node.takers:
        deeper = f"{indent}  " if several else indent
        name = "" if side is None else f"side output {side}: "
        if isinstance(taker, Edge):
            combined = plan.combined.get(taker.id)
            if combined is not None:
                yield f"{deeper}{name}Local aggregate: columns{_fields(combined)}"
            yield f"{deeper}{name}-> {_edge(taker, plan, job)}"
        else:
            if name:
                yield f"{deeper}{name}"
            yield from _chain(taker, plan, job, deeper)


def _edge(edge: Edge, plan: ColumnPlan, job: JobGraph) -> str:
    if edge.operator is None:
        return f"sink {job.sinks[edge.target].name}"
    target = job.levels[edge.target_level][edge.target].node.name
    keys = plan.keys.get(edge.id)
    by = "" if keys is None else f", keys as {keys}{_fields(keys.shape)}"
    return f"{edge.partitioner.ship_strategy} to {target}{by}"


def _fields(shape: Shape | None) -> str:
    return "" if shape is None else f" ({_joined(zip(shape.names, shape.types, strict=True))})"


def _joined(fields: Iterable[tuple[str, object]]) -> str:
    return ", ".join(f"{name} {kind}" for name, kind in fields)
