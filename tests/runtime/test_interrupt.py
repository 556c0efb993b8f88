"""One thread stops what another does."""

from contextlib import suppress
from threading import Event, Thread

import pytest

from windrow.runtime.interrupt import InterruptedThread, Interruptible


def test_a_thread_is_interrupted_where_it_is():
    """No ``except Exception`` in a user's function takes it."""
    work, begun, ended = Interruptible(), Event(), []

    def run():
        try:
            with work.running():
                begun.set()
                while True:
                    with suppress(Exception):
                        pass
        except InterruptedThread:
            ended.append(True)

    thread = Thread(target=run)
    thread.start()
    begun.wait()
    work.interrupt()
    thread.join()
    assert ended == [True]


@pytest.mark.parametrize("before", [True, False])
def test_who_is_not_in_there_is_not_interrupted(before):
    """Neither before nor behind the work, nor by itself."""
    work = Interruptible()
    if before:
        work.interrupt()
    with work.running():
        work.interrupt()
    work.interrupt()
