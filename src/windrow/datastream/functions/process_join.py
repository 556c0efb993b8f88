"""The function of an interval join. It yields as those in ``process`` do."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import Any

from windrow.datastream.functions.base import Function


class ProcessJoinFunction(Function):
    """Sees each pair of elements that an interval join has found (Flink's ``ProcessJoinFunction``).

    Results, side outputs included, carry the greater of the two timestamps. Keyed state of the pair's key comes from
    the runtime context given to ``open``.

    Example:
        >>> class Together(ProcessJoinFunction):
        ...     def process_element(self, left, right, ctx):
        ...         yield left, right, ctx.get_right_timestamp() - ctx.get_left_timestamp()
    """

    class Context(ABC):
        """The pair's surroundings; times are in milliseconds."""

        @abstractmethod
        def get_left_timestamp(self) -> int:
            """The timestamp of the left element."""

        @abstractmethod
        def get_right_timestamp(self) -> int:
            """The timestamp of the right element."""

        @abstractmethod
        def get_timestamp(self) -> int:
            """The timestamp that results get: the greater of the two."""

    @abstractmethod
    def process_element(self, left: Any, right: Any, ctx: Context) -> Iterable[Any] | None:
        """Give what to emit for a pair; a yielded ``(OutputTag, value)`` goes to that side output."""
