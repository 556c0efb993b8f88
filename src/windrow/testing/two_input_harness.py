"""A harness for one operator on two streams."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from windrow.common.limits import MAX_WATERMARK
from windrow.datastream.functions import KeySelector
from windrow.operators.base import TwoInputOperator
from windrow.operators.watermarks.valve import StatusWatermarkValve
from windrow.testing.base_harness import HarnessBase, batch_of, key_function


class TwoInputOperatorHarness(HarnessBase):
    """Runs one operator on two streams by hand (Flink's ``KeyedTwoInputStreamOperatorTestHarness``).

    The operator's watermark is that of the input that is behind; an idle input holds nothing back.

    Args:
        operator: the operator, or a function that makes it.
        key_selector1: a function or KeySelector that gives the key of an element of the first stream; None: no keys.
        key_selector2: the same for the second stream.
        name: the operator's name in error messages.
        snapshot: state to begin with, from :meth:`snapshot` of another harness.

    Example:
        >>> from windrow.datastream.functions import ProcessJoinFunction
        >>> from windrow.operators.interval_join import Interval, IntervalJoinOperator
        >>> class Both(ProcessJoinFunction):
        ...     def process_element(self, left, right, ctx):
        ...         yield left + right
        >>> join = IntervalJoinOperator(Both(), Interval(-5, 5))
        >>> harness = TwoInputOperatorHarness(join, lambda word: word[0], lambda word: word[0])
        >>> harness.process_element1("ab", 10)
        >>> harness.process_element2("ac", 12)
        >>> harness.process_watermark1(20)
        >>> harness.process_watermark2(11)
        >>> harness.output
        [Record(value='abac', timestamp=12), WatermarkOut(watermark=11)]
    """

    def __init__(
        self,
        operator: TwoInputOperator | Callable[[], TwoInputOperator],
        key_selector1: KeySelector | Callable[[Any], Any] | None = None,
        key_selector2: KeySelector | Callable[[Any], Any] | None = None,
        *,
        name: str = "operator",
        snapshot: bytes | None = None,
    ) -> None:
        self._two_inputs = operator if isinstance(operator, TwoInputOperator) else operator()
        self._key_of1, self._key_of2 = key_function(key_selector1), key_function(key_selector2)
        self._valve = StatusWatermarkValve(2, _ValveOutput(self._advance_watermark, self._change_status))
        super().__init__(self._two_inputs, name, snapshot)

    def process_element1(self, value: Any, timestamp: int | None = None) -> None:
        """Push one element of the first stream; ``timestamp`` in milliseconds, None for an element without one."""
        self.process_elements1([(value, timestamp)])

    def process_element2(self, value: Any, timestamp: int | None = None) -> None:
        """Push one element of the second stream."""
        self.process_elements2([(value, timestamp)])

    def process_elements1(self, elements: Iterable[tuple[Any, int | None]]) -> None:
        """Push many ``(value, timestamp)`` of the first stream in one batch."""
        self._two_inputs.process_batch1(batch_of(elements, self._key_of1))

    def process_elements2(self, elements: Iterable[tuple[Any, int | None]]) -> None:
        """Push many ``(value, timestamp)`` of the second stream in one batch."""
        self._two_inputs.process_batch2(batch_of(elements, self._key_of2))

    def process_watermark1(self, timestamp: int) -> None:
        """Push a watermark of the first stream."""
        self._valve.input_watermark(0, timestamp)

    def process_watermark2(self, timestamp: int) -> None:
        """Push a watermark of the second stream."""
        self._valve.input_watermark(1, timestamp)

    def process_watermark(self, timestamp: int) -> None:
        """Push the same watermark on both streams."""
        self.process_watermark1(timestamp)
        self.process_watermark2(timestamp)

    def process_status1(self, *, idle: bool) -> None:
        """Say that the first stream has become idle, or active again."""
        self._valve.input_status(0, idle=idle)

    def process_status2(self, *, idle: bool) -> None:
        """Say that the second stream has become idle, or active again."""
        self._valve.input_status(1, idle=idle)

    def end_of_input(self) -> None:
        """End both inputs: the maximum watermark follows."""
        self._operator.end_of_input()
        self.process_watermark(MAX_WATERMARK)


class _ValveOutput:
    """Gives the operator what the valve lets through."""

    def __init__(self, advance_watermark: Callable[[int], None], change_status: Callable[..., None]) -> None:
        self.emit_watermark = advance_watermark
        self.emit_status = change_status
