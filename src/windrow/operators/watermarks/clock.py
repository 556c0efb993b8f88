"""The clock of idleness, which stands still while a stream could not make progress if it wanted to."""

from __future__ import annotations

from collections.abc import Callable

from windrow.errors import UsageError


class PausableRelativeClock:
    """A clock that can be paused: a stream held up by backpressure must not look idle.

    Flink's class of the same name. Pauses nest: the clock goes on when all of them have ended.

    Args:
        base_clock: The time in milliseconds since any fixed point.

    Example:
        >>> now = 100
        >>> clock = PausableRelativeClock(lambda: now)
        >>> clock.pause()
        >>> now = 150
        >>> clock.un_pause()
        >>> now = 151
        >>> clock.relative_time()
        101
    """

    def __init__(self, base_clock: Callable[[], int]) -> None:
        self._base_clock = base_clock
        self._paused_for = 0
        self._pauses = 0
        self._paused_since = 0

    def relative_time(self) -> int:
        """The base clock's time without that of pauses, in milliseconds."""
        now = self._paused_since if self._pauses else self._base_clock()
        return now - self._paused_for

    def pause(self) -> None:
        """Stand still until :meth:`un_pause`."""
        if not self._pauses:
            self._paused_since = self._base_clock()
        self._pauses += 1

    def un_pause(self) -> None:
        """End one pause.

        Raises:
            UsageError: There is none.
        """
        if not self._pauses:
            msg = "the clock is not paused; call un_pause() once for each pause()"
            raise UsageError(msg)
        self._pauses -= 1
        if not self._pauses:
            self._paused_for += self._base_clock() - self._paused_since

    def snapshot(self) -> tuple[int, int, int]:
        """The pauses so far; picklable."""
        return self._paused_for, self._pauses, self._paused_since

    def restore(self, snapshot: tuple[int, int, int]) -> None:
        """Take back what :meth:`snapshot` gave."""
        self._paused_for, self._pauses, self._paused_since = snapshot
