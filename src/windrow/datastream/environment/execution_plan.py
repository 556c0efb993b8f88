"""The program's graph as JSON in Flink's form (``StreamExecutionEnvironment.getExecutionPlan``)."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from windrow.connectors.interfaces import WriterSink
from windrow.graph.column_plan import column_plan
from windrow.graph.job_graph import SINK_LEVEL, Edge, JobGraph, Node
from windrow.graph.planner import tag_of
from windrow.graph.transformations import SourceTransformation, Transformation
from windrow.operators.forecast import Forecast


@dataclass(frozen=True)
class _Input:
    """The input that a node of the plan gets from one place in the job graph."""

    #: Edges are numbered in the order of a node's inputs.
    number: int
    sender: Node
    sender_id: int
    ship_strategy: str
    #: Whether elements are combined before they are sent.
    combines: bool = False


@dataclass
class _PlanNode:
    """A source, an operator or a sink, which may stand in several places of the job graph."""

    transformation: Transformation
    parallelism: int = 0
    inputs: list[_Input] = field(default_factory=list)
    is_sink: bool = False
    #: Whether it works on columns; None of a sink.
    form: Forecast | None = None

    def predecessors(self) -> list[dict[str, Any]]:
        # A sender that stands in several places sends the same edge from each of them.
        places: dict[Node, Counter[tuple[int, str, bool]]] = {}
        for each in sorted(self.inputs, key=lambda each: each.number):
            places.setdefault(each.sender, Counter())[each.sender_id, each.ship_strategy, each.combines] += 1
        edges: Counter[tuple[int, str, bool]] = Counter()
        for of_place in places.values():
            edges |= of_place
        return [
            {"id": sender, "ship_strategy": strategy, "side": "second"}
            | ({"local_aggregate": True} if combines else {})
            for sender, strategy, combines in edges.elements()
        ]

    def as_json(self) -> dict[str, Any]:
        pact, name = "Operator", self.transformation.name
        if isinstance(self.transformation, SourceTransformation):
            pact = "Data Source"
        elif self.is_sink:
            pact, name = "Data Sink", f"Sink: {name}"
        node: dict[str, Any] = {
            "id": self.transformation.id,
            "type": name,
            "pact": pact,
            "contents": self.transformation.description or name,
            "parallelism": self.parallelism,
        }
        if self.form is not None:
            node["form"] = str(self.form)
        predecessors = self.predecessors()
        return {**node, "predecessors": predecessors} if predecessors else node


def execution_plan(job: JobGraph, transformations: Iterable[Transformation]) -> str:
    """Sources, operators and sinks as nodes; keys, unions, partitioners and side outputs are how nodes are connected.

    Parallelism and ship strategies are those that the job runs with: an operator that is chained has its input's
    parallelism, and where the program does not say how elements get there they are forwarded or go in turn. What only
    serves another node (an operator that opens a key selector, a source's watermarks) is shown as a part of that one.

    Args:
        job: The planned job.
        transformations: What it was planned from.
    """
    plan = _Plan(job, {tag_of(each): each for each in transformations})
    return json.dumps({"nodes": [node.as_json() for node in plan.nodes()]}, indent=2)


class _Plan:
    """Puts together what the job graph says of each transformation."""

    def __init__(self, job: JobGraph, transformations: dict[str, Transformation]) -> None:
        self._job = job
        self._transformations = transformations
        self._columns = column_plan(job)
        self._nodes: dict[int, _PlanNode] = {}
        for level in job.levels:
            for entry in level:
                self._add_chain(entry.node, entry.node)

    def nodes(self) -> Iterator[_PlanNode]:
        """In the order of the program's calls."""
        return (self._nodes[number] for number in sorted(self._nodes))

    def _add_chain(self, node: Node, shown: Node) -> None:
        """Add a node and all that it sends to; ``shown`` is the node itself, or the one that it is a part of."""
        if node is shown:
            plan_node = self._node(node.tag)
            plan_node.parallelism = max(plan_node.parallelism, node.subtasks)
            plan_node.form = self._columns.operators.get(node.tag)
        sender_id = self._transformations[shown.tag].id
        for _, taker in node.takers:
            if isinstance(taker, Edge):
                self._add_edge(shown, sender_id, taker)
            elif self._transformations[taker.tag].belongs_to_input:
                self._add_chain(taker, shown)
            else:
                self._node(taker.tag).inputs.append(_Input(0, shown, sender_id, "FORWARD"))
                self._add_chain(taker, taker)

    def _add_edge(self, sender: Node, sender_id: int, edge: Edge) -> None:
        strategy = edge.partitioner.ship_strategy
        if edge.target_level == SINK_LEVEL:
            sink = self._job.sinks[edge.target]
            if self._transformations[sink.tag].belongs_to_input:
                self._nodes[sender_id].is_sink = True
                return
            plan_node = self._node(sink.tag)
            plan_node.is_sink = True
            # Workers write what they have; else one process takes what all of them have.
            subtasks = sender.subtasks if isinstance(sink.sink, WriterSink) else 1
            plan_node.parallelism = max(plan_node.parallelism, subtasks)
            strategy = "FORWARD" if subtasks == sender.subtasks else strategy
        else:
            plan_node = self._node(self._job.levels[edge.target_level][edge.target].node.tag)
        plan_node.inputs.append(_Input(edge.id, sender, sender_id, strategy, edge.id in self._columns.combined))

    def _node(self, tag: str) -> _PlanNode:
        transformation = self._transformations[tag]
        return self._nodes.setdefault(transformation.id, _PlanNode(transformation))
