"""The program's graph as JSON in Flink's form (``StreamExecutionEnvironment.getExecutionPlan``)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from windrow.datastream.streams.program import ancestors
from windrow.graph.transformations import (
    PartitionTransformation,
    SideOutputTransformation,
    SinkTransformation,
    SourceTransformation,
    Transformation,
    UnionTransformation,
)


def execution_plan(sinks: Sequence[SinkTransformation], parallelism: int) -> str:
    """Sources, operators and sinks as nodes; keys, unions and side outputs only show in how nodes are connected.

    Args:
        sinks: Where the graph ends.
        parallelism: That of operators that do not say themselves.
    """
    nodes = sorted((each for each in ancestors(sinks) if not _is_edge(each)), key=lambda each: each.id)
    return json.dumps({"nodes": [_node(node, parallelism) for node in nodes]}, indent=2)


def _node(transformation: Transformation, parallelism: int) -> dict[str, Any]:
    pact, name = "Operator", transformation.name
    if isinstance(transformation, SourceTransformation):
        pact = "Data Source"
    elif isinstance(transformation, SinkTransformation):
        pact, name = "Data Sink", f"Sink: {name}"
    node: dict[str, Any] = {
        "id": transformation.id,
        "type": name,
        "pact": pact,
        "contents": transformation.description or name,
        "parallelism": transformation.parallelism or parallelism,
    }
    predecessors = [edge for parent in transformation.inputs for edge in _predecessors(parent, "FORWARD")]
    if predecessors:
        node["predecessors"] = predecessors
    return node


def _predecessors(transformation: Transformation, ship_strategy: str) -> list[dict[str, Any]]:
    if not _is_edge(transformation):
        return [{"id": transformation.id, "ship_strategy": ship_strategy, "side": "second"}]
    if isinstance(transformation, PartitionTransformation):
        ship_strategy = transformation.partitioner.ship_strategy
    return [edge for parent in transformation.inputs for edge in _predecessors(parent, ship_strategy)]


def _is_edge(transformation: Transformation) -> bool:
    return isinstance(transformation, PartitionTransformation | UnionTransformation | SideOutputTransformation)
