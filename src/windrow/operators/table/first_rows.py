"""The first rows of all (LIMIT)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from windrow.common.typeinfo import Types
from windrow.datastream.functions import KeyedProcessFunction
from windrow.datastream.state import ValueStateDescriptor


class FirstRows(KeyedProcessFunction):
    """Lets so many elements through."""

    def __init__(self, count: int) -> None:
        self._count = count

    def open(self, runtime_context: Any) -> None:
        self._seen = runtime_context.get_state(ValueStateDescriptor("seen", Types.LONG()))

    def process_element(self, value: Any, ctx: Any) -> Iterable[Any]:
        seen = self._seen.value() or 0
        if seen < self._count:
            self._seen.update(seen + 1)
            yield value
