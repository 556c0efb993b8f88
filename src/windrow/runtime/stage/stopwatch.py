"""Says how long each part of a chain has worked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from time import perf_counter_ns
from types import TracebackType


class Stopwatch:
    """One at a time works: who calls another one stands still until that one is done.

    It is looked at where somebody begins and where somebody ends, so it costs the same for one element as for
    thousands that are handed on together.

    Args:
        clock: Nanoseconds that only rise.

    Example:
        >>> now = iter([0, 10, 30, 60]).__next__
        >>> watch = Stopwatch(now)
        >>> with watch.of("map"):
        ...     with watch.of("filter"):
        ...         pass
        >>> dict(watch.spent)
        {'map': 40, 'filter': 20}
    """

    def __init__(self, clock: Callable[[], int] = perf_counter_ns) -> None:
        self._clock = clock
        self._worker: str | None = None
        self._since = 0
        #: Nanoseconds, by who has worked.
        self.spent: Counter[str] = Counter()

    def turn_to(self, worker: str | None) -> str | None:
        """From now on ``worker`` works; who has worked before."""
        now = self._clock()
        before = self._worker
        if before is not None:
            self.spent[before] += now - self._since
        self._worker, self._since = worker, now
        return before

    def of(self, worker: str) -> WorkOf:
        """A context in which ``worker`` works; it can be entered again and again, not within itself."""
        return WorkOf(self, worker)


class WorkOf:
    """The context that :meth:`Stopwatch.of` gives: its worker works from entry to exit, then the one before again."""

    def __init__(self, watch: Stopwatch, worker: str) -> None:
        self._watch = watch
        self._worker = worker
        self._before: str | None = None

    def __enter__(self) -> None:
        self._before = self._watch.turn_to(self._worker)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._watch.turn_to(self._before)
