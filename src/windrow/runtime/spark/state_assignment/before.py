"""A job as it was when a savepoint was made: its chains, and its state but for that of keys."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from windrow.connectors.source import Source
from windrow.elements.stored import loads
from windrow.graph.job_graph import Entry, JobGraph
from windrow.operators.redistribution import Redistribution
from windrow.runtime.checkpoint_files import BOOTSTRAPPED
from windrow.runtime.sources.coordinator_log import LogEntry
from windrow.runtime.sources.reader_task import ReaderState
from windrow.runtime.sources.redealing import Redealt, redealt
from windrow.runtime.spark.layout import first_channel, is_same_program
from windrow.runtime.spark.placement import grouping_key
from windrow.runtime.spark.state_assignment.stored import StoredLevel
from windrow.runtime.stage.chain import tag_of_owner
from windrow.runtime.stage.redealing import Before, EdgeBefore
from windrow.runtime.stage.task import OperatorState


class Decided(NamedTuple):
    """The decisions of a source's enumerator."""

    #: What readers have not heard of yet.
    unheard: list[LogEntry]
    last: LogEntry


class JobBefore:
    """A job as it was, and what of it another one finds.

    Args:
        job: The one that begins where this one was.
        layout: The layout of its checkpoint.
        partitions: How many partitions its query had.
        stored: Of each level, what was read of its state.
        decided: Gives what was decided for the source with this first channel.
    """

    def __init__(
        self,
        job: JobGraph,
        layout: dict[str, Any],
        partitions: int,
        stored: Sequence[StoredLevel],
        decided: Callable[[int], Decided],
    ) -> None:
        self.layout = layout
        self.partitions = partitions
        #: Whether nothing is to be known of it but the state of keys.
        self.is_bootstrapped = BOOTSTRAPPED in layout
        self._job = job
        self._stored = stored
        self._decided = decided
        #: By the tags of operators and sources, the level that each stood at.
        self.levels: dict[str, int] = {
            tag: level
            for level, chains in enumerate(layout["levels"])
            for head, chain in chains.items()
            for tag in (head, *chain["chain"])
        }

    @cached_property
    def is_same_program(self) -> bool:
        """True if nothing has changed but the parallelism."""
        return not self.is_bootstrapped and is_same_program(self.layout, self._job.layout())

    @cached_property
    def _found(self) -> set[str]:
        """The tags by which operators are found: without a uid only if nothing has changed but the parallelism."""
        if self.is_same_program:
            return set(self.levels)
        return {node.tag for node in self._job.nodes() if node.has_uid}

    @cached_property
    def chains(self) -> dict[str, Before]:
        """The chains as they were, by their heads; edges from heads that cannot be found are nobody's."""
        return {
            head: chain._replace(
                edges=[edge if edge.head in self._found else edge._replace(head="") for edge in chain.edges]
            )
            for head, chain in self._chains.items()
            if head in self._found
        }

    @cached_property
    def operators(self) -> dict[str, OperatorState]:
        """The states of operators by their tags, those of all subtasks put together."""
        return {tag: state for tag, state in self._operators.items() if tag in self._found}

    @cached_property
    def _chains(self) -> dict[str, Before]:
        found: dict[str, Before] = {}
        for level, chains in enumerate(() if self.is_bootstrapped else self.layout["levels"]):
            for head, chain in chains.items():
                first = first_channel(self.layout, head) if level == 0 else 0
                places = [grouping_key(first + subtask, self.partitions) for subtask in range(chain["subtasks"])]
                tasks = [self._stored[level].task(head, place) for place in places]
                edges = [
                    EdgeBefore(which, producer, channels)
                    for (which, channels), producer in zip(chain["channels"], chain["from"], strict=True)
                ]
                operators = chain["chain"] if level == 0 else [head, *chain["chain"]]
                by_subtask = {subtask: task for subtask, task in enumerate(tasks) if task is not None}
                found[head] = Before(chain["subtasks"], edges, operators, by_subtask)
        return found

    @cached_property
    def _operators(self) -> dict[str, OperatorState]:
        found: dict[str, OperatorState] = {}
        for chain in self._chains.values():
            tasks = [task for task in chain.tasks.values() if task.operators]
            if tasks:
                found.update(chain.states(tasks))
        return found

    def sources(self) -> list[str]:
        """The tags of its sources."""
        return [] if self.is_bootstrapped else list(self.layout["levels"][0])

    def has_state(self, tag: str) -> bool:
        """Tell whether an operator, or a source, has left something that another program would lose."""
        if tag in self.sources():
            return True
        kept = self._operators.get(tag)
        keeps = kept is not None and kept.snapshot is not None and kept.redistribution != Redistribution.SPLITS.value
        gathers = tag in self._chains and any(task.runs for task in self._chains[tag].tasks.values())
        return keeps or gathers or self.has_keys(tag)

    def has_keys(self, tag: str) -> bool:
        """Tell whether an operator has keyed state."""
        return any(tag_of_owner(owner) == tag for level in self._stored for _, owner in level.roots)

    def readers(self, entry: Entry, source: Source[Any, Any, Any]) -> Redealt:
        """The readers of a source, dealt out to those that there are now."""
        tag = entry.node.tag
        first = first_channel(self.layout, tag)
        decided = self._decided(first)
        states, unheard = [], []
        for reader in range(self._chains[tag].subtasks):
            state = self._stored[0].reader(tag, grouping_key(first + reader, self.partitions))
            states.append(state or ReaderState())
            sent = [loads(each.messages[reader]) for each in decided.unheard if reader in each.messages]
            unheard.append([message for messages in sent for message in messages])
        return redealt(source, entry.node.name, states, unheard, decided.last, entry.subtasks)

    def idle(self, head: str) -> list[bool]:
        """Tell which channels of those that begin in a chain are idle: as a receiver, or else the chain, has heard."""
        for chain in self._chains.values():
            for edge, channels in zip(chain.edges, chain.edge_channels(), strict=True):
                if edge.head == head and chain.tasks:
                    task = next(iter(chain.tasks.values()))
                    return [status.idle for status in task.statuses[channels]]
        own = self._chains.get(head)
        if own is None:
            return []
        active = {subtask: bool(task.valve[2]) for subtask, task in own.tasks.items()}
        if own.edges:
            return [bool(active) and not any(active.values())]
        return [not active.get(channel, True) for channel in range(own.subtasks)]

    def columns(self) -> dict[int, list[tuple[int, str, int]]]:
        """Of each level, the operators, in their subtasks, that have tables of columns, and their watermarks."""
        found: dict[int, list[tuple[int, str, int]]] = {}
        for level, stored in enumerate(self._stored):
            found[level] = [
                (place, owner, self._operators[tag_of_owner(owner)].watermark) for place, owner in stored.with_columns
            ]
        return found
