"""The first rows of all (LIMIT, OFFSET)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from windrow.common.typeinfo import Types
from windrow.datastream.functions import KeyedProcessFunction
from windrow.datastream.state import ValueStateDescriptor


class FirstRows(KeyedProcessFunction):
    """Lets so many elements through, behind some that it leaves out.

    Args:
        count: How many; None: all.
        offset: How many are left out before.
    """

    def __init__(self, count: int | None, offset: int = 0) -> None:
        self._offset = offset
        self._end = None if count is None else offset + count

    def open(self, runtime_context: Any) -> None:
        self._seen = runtime_context.get_state(ValueStateDescriptor("seen", Types.LONG()))

    def process_element(self, value: Any, ctx: Any) -> Iterable[Any]:
        seen = self._seen.value() or 0
        end = self._offset if self._end is None else self._end
        if seen < end:
            self._seen.update(seen + 1)
        if seen >= self._offset and (self._end is None or seen < end):
            yield value
