"""A harness for one operator: push elements and time in, look at what comes out; no Spark, no waiting."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from windrow.common.limits import MAX_WATERMARK
from windrow.datastream.functions import KeySelector
from windrow.operators.base import Operator
from windrow.testing.base_harness import HarnessBase, batch_of, key_function


class OperatorHarness(HarnessBase):
    """Runs one operator by hand (Flink's ``KeyedOneInputStreamOperatorTestHarness``).

    It begins with watermark -2^63 and processing time 0, also when it is made from a snapshot, as in Flink: time is no
    state.

    Args:
        operator: the operator, or a function that makes it.
        key_selector: a function or KeySelector that gives an element's key; None for an operator without keys.
        name: the operator's name in error messages.
        snapshot: state to begin with, from :meth:`snapshot` of another harness.

    Example:
        >>> from windrow.datastream.window import TumblingEventTimeWindows
        >>> from windrow.operators.window.spec import WindowSpec, build
        >>> spec = WindowSpec(TumblingEventTimeWindows(1000), incremental=lambda a, b: (a[0], a[1] + b[1]))
        >>> harness = OperatorHarness(build(spec), key_selector=lambda value: value[0])
        >>> harness.process_element(("sensor", 2), 10)
        >>> harness.process_element(("sensor", 3), 20)
        >>> harness.process_watermark(999)
        >>> harness.output
        [Record(value=('sensor', 5), timestamp=999), WatermarkOut(watermark=999)]
    """

    def __init__(
        self,
        operator: Operator | Callable[[], Operator],
        key_selector: KeySelector | Callable[[Any], Any] | None = None,
        *,
        name: str = "operator",
        snapshot: bytes | None = None,
    ) -> None:
        self._key_of = key_function(key_selector)
        super().__init__(operator if isinstance(operator, Operator) else operator(), name, snapshot)

    def process_element(self, value: Any, timestamp: int | None = None) -> None:
        """Push one element; ``timestamp`` in milliseconds, None for an element without one."""
        self.process_elements([(value, timestamp)])

    def process_elements(self, elements: Iterable[tuple[Any, int | None]]) -> None:
        """Push many ``(value, timestamp)`` in one batch."""
        self._operator.process_batch(batch_of(elements, self._key_of))

    def process_watermark(self, timestamp: int) -> None:
        """Push a watermark; it is in the output behind the results that it releases."""
        self._advance_watermark(timestamp)

    def process_status(self, *, idle: bool) -> None:
        """Say that the input has become idle, or active again."""
        self._change_status(idle=idle)

    def end_of_input(self) -> None:
        """End a bounded input: the maximum watermark follows."""
        self._operator.end_of_input()
        self.process_watermark(MAX_WATERMARK)
