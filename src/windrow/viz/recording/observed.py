"""An operator under observation: it does what it did, and its twin is given the same."""

from __future__ import annotations

import dataclasses
from collections import Counter
from typing import Any

from windrow.common.copies import copied
from windrow.elements.batch import Batch
from windrow.operators.base import Operator, OperatorContext, TwoInputOperator
from windrow.viz.events import ProcessingTimeAdvanced, StatusChanged, WatermarkAdvanced
from windrow.viz.recording.outputs import ObservedOutput
from windrow.viz.recording.recorder import Recorder
from windrow.viz.recording.twin import Twin


class ObservedOperator(TwoInputOperator):
    """Hands all calls on to ``inner``, and tells ``recorder`` and ``twin`` of them.

    Elements are copied before ``inner`` sees them: what its functions do to them, the twin does not see.
    """

    def __init__(self, inner: Operator, twin: Twin, recorder: Recorder) -> None:
        self._inner = inner
        self._twin = twin
        self._recorder = recorder
        self.forwards_time = inner.forwards_time
        self.takes_columns = inner.takes_columns  # type: ignore[method-assign]
        self.next_processing_time = inner.next_processing_time  # type: ignore[method-assign]
        self.store_state = inner.store_state  # type: ignore[method-assign]
        self.end_of_batch = inner.end_of_batch  # type: ignore[method-assign]
        self.end_of_input = inner.end_of_input  # type: ignore[method-assign]
        self.snapshot = inner.snapshot  # type: ignore[method-assign]
        self.restore = inner.restore  # type: ignore[method-assign]
        self.close = inner.close  # type: ignore[method-assign]

    def open(self, context: OperatorContext) -> None:
        super().open(context)
        self._recorder.subtask = context.runtime_context.get_index_of_this_subtask()
        self._output = ObservedOutput(context.output)
        self._inner.open(dataclasses.replace(context, output=self._output))
        self._twin.open(context.name)

    def process_element(self, value: Any, timestamp: int) -> None:
        self.process_batch(Batch([value], [timestamp], [self.context.state.current_key]))

    def process_batch(self, batch: Batch) -> None:
        self._process(batch, 0)

    def process_batch1(self, batch: Batch) -> None:
        self._process(batch, 1)

    def process_batch2(self, batch: Batch) -> None:
        self._process(batch, 2)

    def process_watermark(self, timestamp: int) -> None:
        self._recorder.next_step()
        self._recorder.add(WatermarkAdvanced, timestamp)
        before = self._before()
        self._inner.process_watermark(timestamp)
        self._twin.watermark(self.context)
        self._settle(*before)

    def advance_processing_time(self, now: int) -> None:
        self._recorder.next_step()
        self._recorder.add(ProcessingTimeAdvanced, now)
        before = self._before()
        self._inner.advance_processing_time(now)
        self._twin.processing_time(self.context)
        self._settle(*before)

    def process_status(self, *, idle: bool) -> None:
        self._recorder.next_step()
        self._recorder.add(StatusChanged, idle)
        self._inner.process_status(idle=idle)

    def _process(self, batch: Batch, which_input: int) -> None:
        values = [copied(value) for value in batch.rows_apart().elements]
        keys = list(batch.keys or [None] * len(values))
        timestamps = batch.timestamp_list()
        before = self._before()
        if which_input == 0:
            self._inner.process_batch(batch)
        else:
            assert isinstance(self._inner, TwoInputOperator), "only such an operator is given two streams"
            (self._inner.process_batch1 if which_input == 1 else self._inner.process_batch2)(batch)
        self._twin.draw_lots_of(self._inner.snapshot())
        for key, value, timestamp in zip(keys, values, timestamps, strict=True):
            self._twin.process(key, value, timestamp, which_input, self.context)
        self._settle(*before)

    def _before(self) -> tuple[int, Counter[str]]:
        return len(self._recorder.events), Counter(self.context.counters)

    def _settle(self, place: int, counted: Counter[str]) -> None:
        collected = self._output.take()
        collected.counted = Counter(self.context.counters)
        collected.counted.subtract(counted)
        self._twin.settle(place, collected)
