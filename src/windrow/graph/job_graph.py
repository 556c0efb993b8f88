"""The job graph: operators chained as far as they can be, cut into levels at the exchanges.

A level is what one Spark stateful stage hosts. Level 0 is where the sources enter; an operator behind an exchange
stands one level below the lowest of its inputs; an operator that needs no exchange is chained behind its input.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from windrow.common.configuration import Configuration
from windrow.common.watermark_strategy import WatermarkStrategy
from windrow.connectors.interfaces import Sink, Source
from windrow.connectors.iterator_source import IteratorSource
from windrow.connectors.source import Source as SplitSource
from windrow.graph.partitioners import Partitioner
from windrow.operators.base import Operator

if TYPE_CHECKING:
    from windrow.operators.interval_join import Interval
    from windrow.operators.window.spec import WindowSpec

#: The level of a sink's rows: below every operator.
SINK_LEVEL = 1_000_000


@dataclass(eq=False)
class Edge:
    """An exchange: from one operator's output to an operator of a later level, or to a sink."""

    id: int
    target_level: int
    #: Which of that level's entries it leads to; of the sinks, for a sink.
    target: int
    partitioner: Partitioner
    #: Subtasks of the target.
    subtasks: int
    #: How many channels, each with its own watermark, arrive over it.
    channels: int
    #: How many subtasks send over it.
    producers: int = 1
    #: Which input of the target it leads to: 0 is the only one, 1 and 2 are those of an operator on two streams.
    input: int = 0
    #: Makes the operator that it leads to; None: it leads to a sink.
    operator: Callable[[], Operator] | None = None
    #: What it is called in checkpoints: its target's tag, and its place among the edges that lead there. Sinks that
    #: come and go change no other edge's.
    key: str = ""


@dataclass(eq=False)
class Node:
    """An operator in its place in a chain, with who takes its outputs: ``(side output or None, taker)``."""

    tag: str
    name: str
    factory: Callable[[], Operator] | None
    level: int
    #: How many subtasks run it: those of its chain.
    subtasks: int
    #: How many channels its output has towards the next level: a source's own, else one.
    channels: int
    #: Whether the operator may set processing-time timers.
    uses_processing_time: bool = False
    #: What its keyed state is, in words; None: nothing has to be known of it.
    state_kind: str | None = None
    #: Whether it gives nothing before its input has ended: then its input is sorted by timestamp first.
    only_at_end: bool = False
    #: Whether it gives the stream its time.
    makes_watermarks: bool = False
    #: Whether watermarks that it makes may change because time passes.
    asks_clock: bool = False
    #: What it does, where these are windows or an interval join.
    operation: WindowSpec | Interval | None = None
    #: Whether the program has named it: else its tag is the number of a call, which other calls may take.
    has_uid: bool = True
    takers: list[tuple[str | None, Node | Edge]] = field(default_factory=list)


@dataclass(eq=False)
class Entry:
    """The head of a chain, and over which edges its input comes. A source's chain has none."""

    node: Node
    #: How many subtasks run it; of a source, how many channels it has.
    subtasks: int
    edges: list[Edge] = field(default_factory=list)
    source: Source | None = None
    #: How a source whose splits have watermarks of their own makes them; None: it has none, operators do.
    strategy: WatermarkStrategy | None = None
    #: The channels of all sources are numbered through: the first one of this source.
    first_channel: int = 0

    @property
    def source_channels(self) -> range:
        """The numbers of a source's channels."""
        return range(self.first_channel, self.first_channel + self.subtasks)

    @property
    def keyed(self) -> bool:
        """True if elements of an input come with keys, so that the operator may have keyed state."""
        return any(edge.partitioner.keyed for edge in self.edges)

    def ticked(self, unbounded: bool) -> bool:
        """Tell whether the chain has to hear of processing time where no elements come."""
        asked = unbounded and self.source is not None
        return any(node.uses_processing_time or (asked and node.asks_clock) for node in walk(self.node))

    @property
    def channels(self) -> int:
        return sum(edge.channels for edge in self.edges)


@dataclass(eq=False)
class SinkEntry:
    """A sink and the edges that lead to it."""

    tag: str
    name: str
    sink: Sink
    edges: list[Edge] = field(default_factory=list)

    @property
    def channels(self) -> int:
        return sum(edge.channels for edge in self.edges)


@dataclass(eq=False)
class JobGraph:
    """A whole job, ready for a runtime."""

    name: str
    max_parallelism: int
    parallelism: int
    #: Entries by level; index 0 holds the sources.
    levels: list[list[Entry]]
    sinks: list[SinkEntry]
    #: BATCH: no watermarks but the last, processing-time timers fire at the end.
    batch_mode: bool
    job_parameters: dict[str, str] = field(default_factory=dict)
    configuration: Configuration = field(default_factory=Configuration)
    #: Milliseconds; 0: watermark generators are never asked.
    auto_watermark_interval: int = 200
    #: Whether functions have promised to change no element: then none is copied.
    object_reuse: bool = False
    #: Processing time is what the source says (``SourceBatch.processing_time``) and not the clock's: in tests.
    scripted_time: bool = False
    #: Whether a source has no end.
    unbounded: bool = False
    #: Whether somebody looks at what each operator does: then it is counted and timed.
    monitored: bool = False

    def sources(self) -> Iterator[tuple[Entry, Source]]:
        """Source entries with their source."""
        return ((entry, entry.source) for entry in self.levels[0] if entry.source is not None)

    @property
    def columns(self) -> bool:
        """True if functions are computed on columns where they can be."""
        return self.configuration.get_boolean("windrow.columns.enabled", True)

    @property
    def any_order(self) -> bool:
        """True if windows may add floats up in another order than that of arrival."""
        return self.configuration.get_boolean("windrow.columns.float-sums-in-any-order", False)

    @property
    def combines(self) -> bool:
        """True if elements may be combined before an exchange; input that is sorted first is combined in its order."""
        enabled = self.configuration.get_boolean("windrow.columns.local-aggregation", True)
        return self.columns and enabled and not self.batch_mode

    @property
    def channels(self) -> int:
        """The number of channels that all sources have together."""
        return sum(entry.subtasks for entry in self.levels[0])

    @property
    def partitions(self) -> int:
        """The number of tasks that run a level side by side."""
        return max([self.parallelism, *(entry.subtasks for level in self.levels[1:] for entry in level)])

    def nodes(self) -> Iterator[Node]:
        """Every operator, chain by chain."""
        for level in self.levels:
            for entry in level:
                yield from walk(entry.node)

    def layout(self) -> dict[str, Any]:
        """Describe the job as a checkpoint remembers it, to refuse a program that does not fit it."""
        heads = self._heads()
        return {
            "max_parallelism": self.max_parallelism,
            "state": {node.tag: node.state_kind for node in self.nodes() if node.state_kind is not None},
            "sources": {entry.node.tag: _kind(source) for entry, source in self.sources()},
            "levels": [
                {
                    entry.node.tag: {
                        "subtasks": entry.subtasks,
                        "chain": _tags_behind(entry.node),
                        "channels": [[edge.input, edge.channels] for edge in entry.edges],
                        "from": [heads[edge.id] for edge in entry.edges],
                    }
                    for entry in level
                }
                for level in self.levels
            ],
        }

    def _heads(self) -> dict[int, str]:
        """The head of the chain that each edge begins in."""
        entries = [entry for level in self.levels for entry in level]
        takers = ((entry, taker) for entry in entries for node in walk(entry.node) for _, taker in node.takers)
        return {taker.id: entry.node.tag for entry, taker in takers if isinstance(taker, Edge)}


def _kind(source: Source) -> str:
    """Name the way in which a source is read, which decides what a checkpoint has of it."""
    if isinstance(source, IteratorSource):
        return "parts that are known when it begins"
    return "splits that an enumerator deals" if isinstance(source, SplitSource) else "rows of Spark's"


def _tags_behind(head: Node) -> list[str]:
    """The operators chained behind a head: a chain's state is kept by their places in it."""
    return [node.tag for node in walk(head) if node is not head]


def walk(node: Node) -> Iterator[Node]:
    """The node and all that are chained behind it."""
    yield node
    for _, taker in node.takers:
        if isinstance(taker, Node):
            yield from walk(taker)
