"""The futures that readers return while they have nothing."""

from __future__ import annotations

from concurrent.futures import Future
from threading import Lock


class FutureNotifier:
    """One future for all who wait, until it is completed; may be used by several threads (Flink's class).

    Example:
        >>> notifier = FutureNotifier()
        >>> future = notifier.future()
        >>> notifier.notify_complete()
        >>> future.done(), notifier.future().done()
        (True, False)
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._future: Future[None] | None = None

    def future(self) -> Future[None]:
        """Done at the next :meth:`notify_complete`."""
        with self._lock:
            if self._future is None:
                self._future = Future()
            return self._future

    def notify_complete(self) -> None:
        """Complete the future that was given out, if one was."""
        with self._lock:
            future, self._future = self._future, None
        if future is not None:
            future.set_result(None)
