"""An asyncio event loop in a thread of its own, used from code that is not asynchronous.

The caller's thread may be running a loop itself, as a notebook's does, and asyncio runs one loop per thread only. The
thread also keeps the loop turning between two calls, so that what clients do in the background (keeping connections
alive, closing idle ones) goes on.
"""

from __future__ import annotations

import asyncio
import threading
import weakref
from collections.abc import Coroutine
from typing import Any, TypeVar

from windrow.common.waiting import wait_for

T = TypeVar("T")


class EventLoopThread:
    """A running event loop.

    Its thread ends with :meth:`close`, or when this object is forgotten without it.

    Args:
        name: The thread's name.

    Example:
        >>> async def answer():
        ...     await asyncio.sleep(0)
        ...     return 42
        >>> loop = EventLoopThread("example")
        >>> loop.run(answer())
        42
        >>> loop.close()
    """

    def __init__(self, name: str) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=_serve, args=(self._loop,), name=name, daemon=True)
        self._thread.start()
        self._stop = weakref.finalize(self, self._loop.call_soon_threadsafe, self._loop.stop)

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Run ``work`` in the loop, wait for it, and return what it returns or raise what it raises.

        If the wait is interrupted (Ctrl-C), the work is cancelled and has ended when this raises.
        """
        ended = threading.Event()
        tasks: list[asyncio.Task[T]] = []

        def start() -> None:
            tasks.append(self._loop.create_task(work))
            tasks[0].add_done_callback(lambda _: ended.set())

        def cancel() -> None:
            if tasks:
                tasks[0].cancel()
            else:  # interrupted before it was started
                work.close()
                ended.set()

        try:
            self._loop.call_soon_threadsafe(start)
            wait_for(ended)
        except BaseException:
            self._loop.call_soon_threadsafe(cancel)
            wait_for(ended)
            raise
        return tasks[0].result()

    def close(self) -> None:
        """Cancel what still runs, close the loop and wait until its thread has ended. May be called again."""
        self._stop()
        self._thread.join()


def _serve(loop: asyncio.AbstractEventLoop) -> None:
    with asyncio.Runner(loop_factory=lambda: loop) as runner:  # at the end it cancels tasks and closes the loop
        stopped = False
        while not stopped:
            try:
                runner.get_loop().run_forever()
                stopped = True
            except (KeyboardInterrupt, SystemExit):
                # Asyncio lets these two of a task out of the loop and keeps them in the task as well, where whoever
                # waits for the task finds them: that one must not wait for a loop that has stopped.
                continue
