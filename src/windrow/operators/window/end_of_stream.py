"""The global window that fires at the end of its stream, over columns, with the operator over rows behind it."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

import numpy as np

from windrow.common.limits import LONG_MAX
from windrow.datastream.window import EndOfStreamTrigger, GlobalWindows, TumblingEventTimeWindows
from windrow.elements.batch import Batch
from windrow.operators.base import OperatorContext, Output
from windrow.operators.window.by_inner import ByInner
from windrow.operators.window.window_operator import WindowOperator

if TYPE_CHECKING:
    from windrow.operators.window.aligned_tables_operator import AlignedTablesOperator
    from windrow.operators.window.panes.operator import PanesOperator

#: A window of event time that stands for the global one: all elements are at its beginning.
ALL_TIME = TumblingEventTimeWindows(1 << 59)


def fires_at_end_of_stream(assigner: object, trigger: object) -> bool:
    """Tell whether there is one window, which fires once, at the end of its stream.

    >>> windows = GlobalWindows.create_with_end_of_stream_trigger()
    >>> fires_at_end_of_stream(windows, windows.get_default_trigger())
    True
    """
    return type(assigner) is GlobalWindows and type(trigger) is EndOfStreamTrigger


class EndOfStreamOperator(ByInner):
    """Does what a :class:`WindowOperator` does for a window that fires at the end of the stream.

    Its elements come when its input has ended, in one go, so that nothing of them is ever stored. A state that has
    something all the same is left to the operator over rows.

    Args:
        by_row: The operator over rows.
        inner: Does the same for :data:`ALL_TIME`.
    """

    redistribution = WindowOperator.redistribution
    _inner: PanesOperator | AlignedTablesOperator

    def __init__(self, by_row: WindowOperator, inner: PanesOperator | AlignedTablesOperator) -> None:
        super().__init__(inner)
        self._by_row = by_row
        #: Whether state had something when the task began.
        self._is_by_row = False

    def open(self, context: OperatorContext) -> None:
        super().open(context)
        self._by_row.open(context)
        self._inner.open(dataclasses.replace(context, output=_AtTheEnd(context.output)))

    def close(self) -> None:
        self._inner.close()
        self._by_row.close()

    def process_batch(self, batch: Batch) -> None:
        if self._is_by_row or batch.keys is None or self.context.time.watermark == LONG_MAX:
            self._by_row.process_batch(batch)
        else:
            self._inner.process_batch(Batch(batch.elements, np.zeros(len(batch), np.int64), batch.keys))

    def process_watermark(self, timestamp: int) -> None:
        if timestamp == LONG_MAX and not self._is_by_row:
            self._inner.process_watermark(timestamp)
        self._by_row.process_watermark(timestamp)

    def store_state(self) -> None:
        self._inner.store_state()
        self._by_row.store_state()

    def snapshot(self) -> Any:
        return self._by_row.snapshot()

    def restore(self, snapshot: Any) -> None:
        self._by_row.restore(snapshot)
        self._is_by_row = not self.context.state.is_empty()


class _AtTheEnd:
    """Gives results the last timestamp that there is.

    Args:
        output: Where they go.
    """

    def __init__(self, output: Output) -> None:
        self._output = output

    def emit(self, value: Any, _: int) -> None:
        self._output.emit(value, LONG_MAX)

    def emit_batch(self, batch: Batch) -> None:
        self._output.emit_batch(Batch(batch.elements, np.full(len(batch), LONG_MAX, np.int64)))

    def emit_side(self, tag_id: str, value: Any, timestamp: int) -> None:
        self._output.emit_side(tag_id, value, timestamp)

    def emit_watermark(self, timestamp: int) -> None:
        self._output.emit_watermark(timestamp)

    def emit_status(self, *, idle: bool) -> None:
        self._output.emit_status(idle=idle)
