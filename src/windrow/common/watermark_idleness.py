"""Finding out that a stream is idle, so that it does not hold back the watermark of others."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from windrow.common.watermark import WatermarkOutput
from windrow.common.watermark_generators import WatermarkGenerator
from windrow.errors import ConfigurationError


class IdlenessTimer:
    """Tells whether there was no activity for longer than a timeout.

    As in Flink's ``WatermarksWithIdleness.IdlenessTimer``, the first check after an activity only takes note of it,
    and the one after that starts the time.

    Args:
        clock: The time in milliseconds since any fixed point.
        timeout: Milliseconds; idle means that more than this has passed.

    Raises:
        ConfigurationError: ``timeout`` is not positive.

    Example:
        >>> now = 0
        >>> timer = IdlenessTimer(lambda: now, timeout=10)
        >>> timer.check_if_idle()
        False
        >>> now = 11
        >>> timer.check_if_idle()
        True
    """

    def __init__(self, clock: Callable[[], int], timeout: int) -> None:
        if timeout <= 0:
            msg = f"idle_timeout must be positive; got {timeout} ms"
            raise ConfigurationError(msg)
        self._clock = clock
        self._timeout = timeout
        self._active = False
        self._inactive_since: int | None = None

    def activity(self) -> None:
        """There was an event."""
        self._active = True

    def check_if_idle(self) -> bool:
        """Tell whether more than the timeout has passed without activity."""
        if self._active:
            self._active = False
            self._inactive_since = None
            return False
        now = self._clock()
        if self._inactive_since is None:
            self._inactive_since = now
            return False
        return now - self._inactive_since > self._timeout

    def snapshot_state(self) -> tuple[bool, int | None]:
        """The timer's state; the clock and the timeout are not part of it."""
        return self._active, self._inactive_since

    def restore_state(self, state: tuple[bool, int | None]) -> None:
        """Take back what :meth:`snapshot_state` gave."""
        self._active, self._inactive_since = state


class WatermarksWithIdleness(WatermarkGenerator):
    """Adds idleness to a generator: without events for longer than the timeout, it marks its output as idle.

    The output becomes active again with the next watermark that rises. Flink's class of the same name.

    Args:
        watermarks: The generator to add it to.
        idle_timeout: Milliseconds.
        clock: The time in milliseconds since any fixed point.

    Raises:
        ConfigurationError: ``idle_timeout`` is not positive.
    """

    def __init__(self, watermarks: WatermarkGenerator, idle_timeout: int, clock: Callable[[], int]) -> None:
        self._watermarks = watermarks
        self._timer = IdlenessTimer(clock, idle_timeout)
        self._is_idle_now = False

    def on_event(self, event: Any, event_timestamp: int, output: WatermarkOutput) -> None:
        self._watermarks.on_event(event, event_timestamp, output)
        self._note_activity()

    def on_periodic_emit(self, output: WatermarkOutput) -> None:
        if not self._timer.check_if_idle():
            self._watermarks.on_periodic_emit(output)
        elif not self._is_idle_now:
            output.mark_idle()
            self._is_idle_now = True

    def emit_idleness(self, output: WatermarkOutput) -> None:
        """Mark the output as idle if it is by now; while it is not, no watermark is asked for.

        For inputs whose watermarks follow from their elements alone. A stream that becomes idle says first how far it
        has come, which matters when all streams that it is combined with are idle.
        """
        if self._timer.check_if_idle() and not self._is_idle_now:
            self._watermarks.on_periodic_emit(output)
            output.mark_idle()
            self._is_idle_now = True

    def snapshot_state(self) -> Any:
        return self._watermarks.snapshot_state(), self._timer.snapshot_state(), self._is_idle_now

    def restore_state(self, state: Any) -> None:
        watermarks, timer, self._is_idle_now = state
        self._watermarks.restore_state(watermarks)
        self._timer.restore_state(timer)

    def batch_listener(self) -> Callable[[int], None] | None:
        tell_watermarks = self._watermarks.batch_listener()
        if tell_watermarks is None:
            return None

        def tell(timestamp: int) -> None:
            tell_watermarks(timestamp)
            self._note_activity()

        return tell

    def _note_activity(self) -> None:
        self._timer.activity()
        self._is_idle_now = False
