"""From transformations to a job graph: what is chained, what crosses an exchange, what level it is on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from windrow.common.configuration import Configuration
from windrow.errors import ConfigurationError
from windrow.graph.job_graph import SINK_LEVEL, Edge, Entry, JobGraph, Node, SinkEntry
from windrow.graph.partitioners import (
    BroadcastPartitioner,
    ForwardPartitioner,
    Partitioner,
    RebalancePartitioner,
    SinglePartitioner,
)
from windrow.graph.transformations import (
    OneInputTransformation,
    OperatorTransformation,
    PartitionTransformation,
    SideOutputTransformation,
    SinkTransformation,
    SourceTransformation,
    Transformation,
    TwoInputTransformation,
    UnionTransformation,
    task_name,
)


@dataclass(frozen=True)
class _Port:
    """An output that others can take: of which operator, which side output, and how it is partitioned."""

    node: Node
    side: str | None = None
    partitioner: Partitioner | None = None


@dataclass(frozen=True)
class JobSettings:
    """The settings of the environment that decide the graph."""

    name: str
    parallelism: int
    max_parallelism: int
    batch_mode: bool
    job_parameters: dict[str, str]
    configuration: Configuration = field(default_factory=Configuration)
    auto_watermark_interval: int = 200
    object_reuse: bool = False


class Planner:
    """Places every transformation that leads to a sink."""

    def __init__(self, settings: JobSettings) -> None:
        self._settings = settings
        self._levels: list[list[Entry]] = [[]]
        self._sinks: list[SinkEntry] = []
        self._ports: dict[int, list[_Port]] = {}
        self._edges = 0
        self._channels = 0
        self._tags: dict[str, Transformation] = {}

    def plan(self, sinks: Sequence[SinkTransformation]) -> JobGraph:
        for number, sink in enumerate(sinks):
            edges = [self._edge(port, SINK_LEVEL, number, SinglePartitioner(), 1) for port in self._inputs(sink)]
            self._sinks.append(SinkEntry(_named(self._tag(sink), edges), task_name(sink), sink.sink, edges))
        self._check_targets()
        settings = self._settings
        return JobGraph(
            settings.name,
            settings.max_parallelism,
            settings.parallelism,
            self._levels,
            self._sinks,
            settings.batch_mode,
            settings.job_parameters,
            settings.configuration,
            settings.auto_watermark_interval,
            object_reuse=settings.object_reuse,
            unbounded=any(entry.source is not None and not entry.source.bounded for entry in self._levels[0]),
        )

    def _check_targets(self) -> None:
        names: dict[str, str] = {}
        for entry in self._sinks:
            target = entry.sink.target()
            if target is None:
                continue
            if target in names:
                msg = (
                    f"sinks {names[target]!r} and {entry.name!r} both write {target}, and one would replace or undo "
                    "what the other wrote; give them different folders or prefixes"
                )
                raise ConfigurationError(msg)
            names[target] = entry.name

    def _place(self, transformation: Transformation) -> list[_Port]:
        ports = self._ports.get(transformation.id)
        if ports is None:
            ports = self._ports[transformation.id] = self._place_new(transformation)
        return ports

    def _place_new(self, transformation: Transformation) -> list[_Port]:
        match transformation:
            case SourceTransformation():
                return [self._place_source(transformation)]
            case UnionTransformation():
                return self._inputs(transformation)
            case PartitionTransformation():
                return [_Port(p.node, p.side, transformation.partitioner) for p in self._inputs(transformation)]
            case SideOutputTransformation():
                return [_Port(port.node, transformation.tag_id) for port in self._inputs(transformation)]
            case OneInputTransformation():
                return self._place_operator(transformation)
            case TwoInputTransformation():
                first, second = (self._place(parent) for parent in transformation.inputs)
                inputs = [*((1, port) for port in first), *((2, port) for port in second)]
                return [self._behind_exchange(transformation, inputs)]
        msg = f"cannot place {type(transformation).__name__} {transformation.name!r}"
        raise TypeError(msg)

    def _place_source(self, source: SourceTransformation) -> _Port:
        channels = source.source.channels(source.parallelism or self._settings.parallelism)
        node = Node(self._tag(source), source.name, None, 0, channels, channels, has_uid=source.uid is not None)
        entry = Entry(node, channels, source=source.source, strategy=source.strategy, first_channel=self._channels)
        self._levels[0].append(entry)
        self._channels += channels
        return _Port(node)

    def _place_operator(self, operator: OneInputTransformation) -> list[_Port]:
        ports = self._inputs(operator)
        if all(self._chainable(operator, port) for port in ports) and (operator.stateless or len(ports) == 1):
            return [self._chain(operator, port) for port in ports]
        if operator.makes_watermarks:
            ports = [_Port(port.node, port.side, SinglePartitioner()) for port in ports]
        return [self._behind_exchange(operator, [(0, port) for port in ports])]

    def _chainable(self, operator: OneInputTransformation, port: _Port) -> bool:
        """Tell whether the operator can take what comes over the port in the subtasks that make it."""
        if operator.makes_watermarks:
            if port.node.level and port.node.subtasks > 1:
                return False
        elif operator.parallelism not in (None, port.node.subtasks):
            return False
        return port.partitioner is None or isinstance(port.partitioner, ForwardPartitioner)

    def _chain(self, operator: OneInputTransformation, port: _Port) -> _Port:
        above = port.node
        node = self._node(operator, above.level, above.subtasks, above.channels)
        above.takers.append((port.side, node))
        return _Port(node)

    def _behind_exchange(self, operator: OperatorTransformation, inputs: list[tuple[int, _Port]]) -> _Port:
        level = 1 + max(port.node.level for _, port in inputs)
        while len(self._levels) <= level:
            self._levels.append([])
        subtasks = 1
        if not any(port.partitioner is not None and port.partitioner.single for _, port in inputs):
            subtasks = operator.parallelism or self._settings.parallelism
        number = len(self._levels[level])
        edges = []
        for which, port in inputs:
            edge = self._edge(port, level, number, _partitioner(port, operator, subtasks), subtasks)
            edge.input = which
            edges.append(edge)
        _named(tag_of(operator), edges)
        # Of channels with the same watermark the first one is taken first: what is broadcast is there before the rest.
        edges.sort(key=lambda edge: not isinstance(edge.partitioner, BroadcastPartitioner))
        node = self._node(operator, level, subtasks, channels=1)
        for edge in edges:
            edge.operator = node.factory
        self._levels[level].append(Entry(node, subtasks, edges))
        return _Port(node)

    def _node(self, operator: OperatorTransformation, level: int, subtasks: int, channels: int) -> Node:
        self._check_parallelism(operator, subtasks)
        factory = (operator.batch_factory if self._settings.batch_mode else None) or operator.factory
        return Node(
            self._tag(operator),
            task_name(operator),
            factory,
            level,
            subtasks,
            channels,
            operator.uses_processing_time,
            operator.state_kind,
            operator.only_at_end,
            isinstance(operator, OneInputTransformation) and operator.makes_watermarks,
            isinstance(operator, OneInputTransformation) and operator.asks_clock,
            operator.operation,
            operator.uid is not None,
        )

    def _check_parallelism(self, operator: OperatorTransformation, subtasks: int) -> None:
        parallelism = operator.parallelism or subtasks
        most = min(operator.max_parallelism or self._settings.max_parallelism, self._settings.max_parallelism)
        if parallelism > most:
            msg = (
                f"operator {operator.name!r} has parallelism {parallelism}, which is above the max parallelism {most}: "
                "lower the one, or raise the other with set_max_parallelism on the environment and the operator"
            )
            raise ConfigurationError(msg)

    def _edge(self, port: _Port, level: int, target: int, partitioner: Partitioner, subtasks: int) -> Edge:
        self._edges += 1
        edge = Edge(self._edges, level, target, partitioner, subtasks, port.node.channels, port.node.subtasks)
        port.node.takers.append((port.side, edge))
        return edge

    def _inputs(self, transformation: Transformation) -> list[_Port]:
        return [port for parent in transformation.inputs for port in self._place(parent)]

    def _tag(self, transformation: Transformation) -> str:
        tag = tag_of(transformation)
        other = self._tags.setdefault(tag, transformation)
        if other is not transformation:
            msg = f"uid {tag!r} is given to two operators, {other.name!r} and {transformation.name!r}; make them differ"
            raise ConfigurationError(msg)
        return tag


def tag_of(transformation: Transformation) -> str:
    """The operator's name in checkpoints: its uid, else its number in the order of the program's calls."""
    return transformation.uid or f"{transformation.id}-{type(transformation).__name__}"


def _named(tag: str, edges: list[Edge]) -> str:
    """The tag of the edges' target, by which they are known in checkpoints from now on."""
    for place, edge in enumerate(edges):
        edge.key = f"{tag}/{place}"
    return tag


def _partitioner(port: _Port, operator: OperatorTransformation, subtasks: int) -> Partitioner:
    """Choose how elements get there: as the program says, else as in Flink: forward if it can be, or in turn."""
    same = port.node.subtasks == subtasks
    if port.partitioner is None:
        return ForwardPartitioner() if same else RebalancePartitioner()
    if isinstance(port.partitioner, ForwardPartitioner) and not same:
        msg = (
            f"forward() keeps elements in the subtask of the same number, but {port.node.name!r} has parallelism "
            f"{port.node.subtasks} and {operator.name!r} has {subtasks}; set them alike, or use rebalance()"
        )
        raise ConfigurationError(msg)
    return port.partitioner
