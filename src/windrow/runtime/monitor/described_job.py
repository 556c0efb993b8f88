"""A job graph as plain data: sources, operators and sinks by level, and how elements get from one to the other."""

from __future__ import annotations

from typing import Any, TypedDict

from windrow.common.watermark_generators import NoWatermarksGenerator
from windrow.common.watermark_strategy import WatermarkStrategy
from windrow.connectors.interfaces import WriterSink
from windrow.graph.column_plan import ColumnPlan, column_plan
from windrow.graph.job_graph import SINK_LEVEL, Edge, Entry, JobGraph, Node


class Input(TypedDict):
    """One exchange that brings elements to the head of a chain."""

    #: The head of the chain that sends, and how many channels come from there. Of a source, one for each of its own.
    head: str
    channels: int


class Vertex(TypedDict):
    """A source, an operator or a sink. An operator that stands in several places is one vertex."""

    id: str
    name: str
    #: ``source``, ``operator`` or ``sink``.
    kind: str
    level: int
    parallelism: int
    #: Whether it works on columns (None: that does not apply to it), and what they are, or why it does not.
    columns: bool | None
    form: str
    #: The exchanges that lead to it; of an operator that is chained, none.
    inputs: list[Input]
    #: Whether it gives the stream its time, and after how many milliseconds without elements it is idle (None: never).
    makes_watermarks: bool
    idle_timeout: int | None
    #: What its keyed state is, in words; None: nothing was said of it. And whether that waits for event time.
    state: str | None
    waits_for_time: bool


class Link(TypedDict):
    """The way that elements take from one vertex to another: a call within a chain, or an exchange."""

    source: str
    target: str
    #: The side output that they come from; None: the main one.
    side: str | None
    #: Flink's name of the strategy; FORWARD in a chain.
    ship_strategy: str
    #: Whether they leave the subtask: an exchange, and not a call.
    exchange: bool
    #: Whether elements of one key are combined before they are sent.
    combined: bool


class DescribedJob(TypedDict):
    """The graph of a job: its vertices by level, and the links between them."""

    vertices: list[Vertex]
    links: list[Link]


def described_job(job: JobGraph) -> DescribedJob:
    """Describe the graph.

    Functions are traced for it, as they are by ``StreamExecutionEnvironment.explain``.
    """
    return _Description(job).result()


class _Description:
    def __init__(self, job: JobGraph) -> None:
        self._job = job
        self._plan: ColumnPlan = column_plan(job)
        self._vertices: dict[str, Vertex] = {}
        self._links: dict[tuple[str, str, str | None, str], Link] = {}
        self._inputs: dict[int, Input] = {}

    def result(self) -> DescribedJob:
        for number, level in enumerate(self._job.levels):
            for entry in level:
                self._chain(entry, entry.node, number)
        for level in self._job.levels[1:]:
            for entry in level:
                inputs = [self._inputs[edge.id] for edge in entry.edges if edge.id in self._inputs]
                self._vertices[entry.node.tag]["inputs"] = inputs
        sinks = [vertex for vertex in self._vertices.values() if vertex["kind"] == "sink"]
        operators = [vertex for vertex in self._vertices.values() if vertex["kind"] != "sink"]
        return {"vertices": [*operators, *sinks], "links": [*self._links.values()]}

    def _chain(self, entry: Entry, node: Node, level: int) -> None:
        self._vertex(entry, node, level)
        for side, taker in node.takers:
            if isinstance(taker, Edge):
                target = self._edge(entry, node, taker, level)
                strategy, exchange, combined = taker.partitioner.ship_strategy, True, taker.id in self._plan.combined
            else:
                target, strategy, exchange, combined = taker.tag, "FORWARD", False, False
                self._chain(entry, taker, level)
            link = Link(
                source=node.tag,
                target=target,
                side=side,
                ship_strategy=strategy,
                exchange=exchange,
                combined=combined,
            )
            self._links.setdefault((node.tag, target, side, strategy), link)

    def _vertex(self, entry: Entry, node: Node, level: int) -> None:
        if node.tag in self._vertices:
            return
        form = self._plan.operators.get(node.tag)
        is_source = node is entry.node and entry.source is not None
        strategy = entry.strategy if is_source else _strategy_of(node)
        self._vertices[node.tag] = Vertex(
            id=node.tag,
            name=node.name,
            kind="source" if is_source else "operator",
            level=level,
            parallelism=node.subtasks,
            columns=None if form is None else form.columns,
            form="" if form is None else str(form),
            inputs=[],
            makes_watermarks=strategy is not None and strategy.generator is not NoWatermarksGenerator,
            idle_timeout=None if strategy is None else strategy.idle_timeout,
            state=node.state_kind,
            waits_for_time="event time" in (node.state_kind or ""),
        )

    def _edge(self, entry: Entry, node: Node, edge: Edge, level: int) -> str:
        if edge.target_level != SINK_LEVEL:
            self._inputs[edge.id] = Input(head=entry.node.tag, channels=edge.channels)
            return self._job.levels[edge.target_level][edge.target].node.tag
        sink = self._job.sinks[edge.target]
        subtasks = node.subtasks if isinstance(sink.sink, WriterSink) else 1
        known = self._vertices.get(sink.tag)
        if known is not None:
            known["level"] = max(known["level"], level + 1)
            return sink.tag
        self._vertices[sink.tag] = Vertex(
            id=sink.tag,
            name=sink.name,
            kind="sink",
            level=level + 1,
            parallelism=subtasks,
            columns=None,
            form="",
            inputs=[],
            makes_watermarks=False,
            idle_timeout=None,
            state=None,
            waits_for_time=False,
        )
        return sink.tag


def _strategy_of(node: Node) -> WatermarkStrategy | None:
    """The strategy of an operator that gives the stream its time."""
    if not node.makes_watermarks or node.factory is None:
        return None
    strategy: Any = getattr(node.factory(), "strategy", None)
    return strategy if isinstance(strategy, WatermarkStrategy) else None
