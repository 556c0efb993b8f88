"""Transformations, which a program's calls build: a graph, each knowing its inputs. Plain data, nothing runs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from windrow.graph.partitioners import Partitioner
from windrow.operators.base import Operator

if TYPE_CHECKING:
    from windrow.common.watermark_strategy import WatermarkStrategy
    from windrow.connectors.interfaces import Sink, Source
    from windrow.operators.interval_join import Interval
    from windrow.operators.window.spec import WindowSpec


@dataclass(eq=False)
class Transformation:
    """A node of the program. ``id`` counts up in the order of the calls; ``uid`` is the user's own stable name.

    ``belongs_to_input`` says that it is a part of what stands before it, which the program did not ask for by itself:
    an execution plan shows both as one.
    """

    id: int
    name: str
    inputs: list[Transformation]
    output_type: Any = None
    uid: str | None = None
    description: str | None = None
    parallelism: int | None = None
    max_parallelism: int | None = None
    belongs_to_input: bool = field(kw_only=True, default=False)


@dataclass(eq=False)
class SourceTransformation(Transformation):
    """Elements enter here. A source whose splits have watermarks of their own makes them by ``strategy``."""

    source: Source = field(kw_only=True)
    strategy: WatermarkStrategy | None = field(kw_only=True, default=None)


@dataclass(eq=False)
class OperatorTransformation(Transformation):
    """An operator. ``batch_factory`` makes it in BATCH, where it is another one."""

    factory: Callable[[], Operator] = field(kw_only=True)
    #: Whether the operator may set processing-time timers; where none does, nobody has to tell it the time.
    uses_processing_time: bool = field(kw_only=True, default=False)
    batch_factory: Callable[[], Operator] | None = field(kw_only=True, default=None)
    #: What its keyed state is, in words: a program whose operator of the same name keeps another thing is refused.
    state_kind: str | None = field(kw_only=True, default=None)
    #: Whether it gives nothing before its input has ended (Flink's ``isOutputOnlyAfterEndOfStream``).
    only_at_end: bool = field(kw_only=True, default=False)
    #: What it does, where these are windows or an interval join: for those who record what happens to them.
    operation: WindowSpec | Interval | None = field(kw_only=True, default=None)


@dataclass(eq=False)
class OneInputTransformation(OperatorTransformation):
    """An operator on one stream.

    ``stateless`` says that what it does to an element depends on nothing else: such an operator may stand in several
    places, one behind each stream of a union. ``makes_watermarks`` says that it gives the stream its time: all that
    comes behind an exchange has one time, so there it has one subtask. ``asks_clock`` says that these may change
    because time passes.
    """

    stateless: bool = field(kw_only=True)
    makes_watermarks: bool = field(kw_only=True, default=False)
    asks_clock: bool = field(kw_only=True, default=False)


@dataclass(eq=False)
class TwoInputTransformation(OperatorTransformation):
    """An operator on two streams, which ``factory`` makes as a ``TwoInputOperator``."""


@dataclass(eq=False)
class PartitionTransformation(Transformation):
    """The stream goes to the subtasks that the partitioner says."""

    partitioner: Partitioner = field(kw_only=True)


@dataclass(eq=False)
class UnionTransformation(Transformation):
    """All elements of all inputs."""


@dataclass(eq=False)
class SideOutputTransformation(Transformation):
    """The elements that the input's operator sends to the side output ``tag_id``."""

    tag_id: str = field(kw_only=True)


@dataclass(eq=False)
class SinkTransformation(Transformation):
    """Elements leave here."""

    sink: Sink = field(kw_only=True)


#: The names that sinks have before the program gives them one.
DEFAULT_SINK_NAMES = frozenset({"Unnamed", "Writer", "Print to Std. Out", "Print to Std. Err", "Collect"})


def task_name(transformation: Transformation) -> str:
    """Give the name for errors and metrics: of a sink without one as Flink does, ``Sink: Writer``."""
    name = transformation.name
    return f"Sink: {name}" if name in DEFAULT_SINK_NAMES else name
