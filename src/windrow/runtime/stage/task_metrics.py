"""Measures of the runtime itself for a subtask: where its watermarks are, and how much it has read."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from windrow.common.limits import MIN_WATERMARK
from windrow.graph.job_graph import Node
from windrow.runtime.stage.totals import MetricTotal, SplitCounts, Totals

if TYPE_CHECKING:  # who shows metrics knows their names, and needs no chain
    from windrow.runtime.stage.chain import ChainedOutput, OperatorChain

#: Flink's names, as Python spells them.
INPUT_WATERMARK = "current_input_watermark"
OUTPUT_WATERMARK = "current_output_watermark"
RECORDS_IN = "num_records_in"
#: Of a source whose splits have watermarks: by subtask, the watermark of each split that is not idle.
SPLIT_WATERMARKS = "current_watermark_by_split"
#: For who looks at the job. By subtask, every split that it has: its watermark (-2^63: none yet), whether it is idle,
#: and whether alignment holds it back.
SPLITS = "splits"
#: How many records each split has given of those that are there, as ``SplitCounts``.
RECORDS_BY_SPLIT = "num_records_by_split"
#: A tuple with an entry for each of a task's input channels: its watermark, whether it is active, whether it counts for
#: the minimum.
CHANNELS = "channels"
#: By subtask, what all batches add up to: elements that came in and went out, nanoseconds of work.
RECORDS_IN_BY_SUBTASK = "num_records_in_by_subtask"
RECORDS_OUT_BY_SUBTASK = "num_records_out_by_subtask"
BUSY_NANOS_BY_SUBTASK = "busy_nanos_by_subtask"
STATE_BYTES_WRITTEN = "state_bytes_written"
#: By subtask, the ``StateSummary`` of an operator's keyed state, as a tuple.
STATE = "state"
#: By subtask, how many records its splits still have, of those of which the reader knows it.
PENDING = "pending_records"
#: By subtask, what its operator waits for event time with, a ``Waiting`` as a tuple; None: nothing waits there.
WAITING = "waiting"


class TaskMetrics:
    """Measured once per batch, and only what has changed in it.

    Args:
        head: The node at the head of the task's chain.
        chain: The chain.
        subtask: Which subtask it is; of a source, which channel.
    """

    def __init__(self, head: Node, chain: OperatorChain, subtask: int) -> None:
        self._head = head
        self._chain = chain
        self._subtask = subtask
        self._before: list[int] = []
        #: How many elements have arrived in this batch.
        self.records_in = 0
        #: Of a source's reader, the splits' watermarks behind this batch.
        self.split_watermarks: dict[str, int] | None = None
        #: Of a source's reader in a job that is looked at: how its splits stand behind this batch, and what each gave.
        self.splits: dict[str, tuple[int, bool, bool]] | None = None
        self.records_by_split: Counter[str] = Counter()
        self.pending: dict[str, int] = {}
        #: Whether the reader has ever known how many records its splits have.
        self._has_pended = False

    def begin(self) -> None:
        """A batch begins, with the operators as they are."""
        self.records_in = 0
        self.split_watermarks = self.splits = None
        self.records_by_split.clear()
        self._before = [chained.context.time.watermark for chained in self._chain.operators]
        for _, output in self._outputs():
            output.watermark = MIN_WATERMARK

    def time_has_passed(self, number: int) -> bool:
        """Tell whether the watermark of the operator at this place in the chain has moved on in this batch."""
        return self._chain.operators[number].context.time.watermark != self._before[number]

    def part(self) -> Totals:
        """Give what the batch has changed, as a part of the job's totals, and count from nothing."""
        part = self.read()
        self.records_in = 0
        self.split_watermarks = self.splits = None
        self.records_by_split.clear()
        return part

    def read(self) -> Totals:
        """Give what the batch has changed so far."""
        measured: dict[str, dict[str, MetricTotal]] = {}
        of_head: dict[str, Any] = {}
        if self.records_in:
            of_head[RECORDS_IN] = self.records_in
        if self.split_watermarks is not None:
            of_head[SPLIT_WATERMARKS] = {self._subtask: self.split_watermarks}
        if self.splits is not None:
            of_head[SPLITS] = {self._subtask: self.splits}
            if self.pending or self._has_pended:
                self._has_pended = True
                of_head[PENDING] = {self._subtask: self.pending}
        if self.splits is not None:
            there = {self._subtask: frozenset(self.splits)}
            of_head[RECORDS_BY_SPLIT] = SplitCounts({self._subtask: self.records_by_split.copy()}, there)
        elif self.records_by_split:
            of_head[RECORDS_BY_SPLIT] = SplitCounts({self._subtask: self.records_by_split.copy()})
        if of_head:
            measured[self._head.tag] = of_head
        for chained, before in zip(self._chain.operators, self._before, strict=False):
            watermark = chained.context.time.watermark
            if watermark != before:
                measured.setdefault(chained.node.tag, {})[INPUT_WATERMARK] = {self._subtask: watermark}
        for node, output in self._outputs():
            if output.watermark > MIN_WATERMARK:
                measured.setdefault(node.tag, {})[OUTPUT_WATERMARK] = {self._subtask: output.watermark}
        return Totals(measured=measured)

    def _outputs(self) -> list[tuple[Node, ChainedOutput]]:
        outputs = [(chained.node, chained.output) for chained in self._chain.operators]
        return outputs if self._head.factory is not None else [(self._head, self._chain.source_output), *outputs]
