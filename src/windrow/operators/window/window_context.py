"""The context that process window functions are handed."""

from __future__ import annotations

from typing import Any

from windrow.datastream.functions import KeyedStateStore, ProcessAllWindowFunction, ProcessWindowFunction
from windrow.errors import UsageError
from windrow.operators.base import OperatorContext
from windrow.state.store import KeyedStateStoreView


class WindowContext(ProcessWindowFunction.Context[Any], ProcessAllWindowFunction.Context[Any]):
    """One context for all windows: the operator sets :attr:`current` before each call of the function."""

    def __init__(self, operator_context: OperatorContext, *, per_window_state: bool) -> None:
        self._operator = operator_context
        self._per_window_state = per_window_state
        self._global_state = KeyedStateStoreView(operator_context.state)
        self.current: Any = None

    @property
    def operator_name(self) -> str:
        """The operator's name, for error messages."""
        return self._operator.name

    def window(self) -> Any:
        return self.current

    def current_processing_time(self) -> int:
        return self._operator.time.processing_time

    def current_watermark(self) -> int:
        return self._operator.time.stream_watermark

    def window_state(self) -> KeyedStateStore:
        if not self._per_window_state:
            # A window that merges changes its identity, and what a function keeps cannot be merged for it.
            msg = (
                "Per-window state is not allowed when using merging windows."
                f" Use context.global_state() in the window function of {self._operator.name!r}"
            )
            raise UsageError(msg)
        return KeyedStateStoreView(self._operator.state, self.current)

    def global_state(self) -> KeyedStateStore:
        return self._global_state
