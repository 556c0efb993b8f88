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


def test_a_thread_that_starts_others_is_interrupted_itself():
    """The exception is not given to the new thread, which could then not say that it runs."""
    for _ in range(100):
        work, begun, ended = Interruptible(), Event(), []

        def run(work=work, begun=begun, ended=ended):
            try:
                with work.running():
                    begun.set()
                    while True:
                        new = Thread(target=int)
                        new.start()
                        new.join()
            except InterruptedThread:
                ended.append(True)

        thread = Thread(target=run, daemon=True)
        thread.start()
        begun.wait()
        work.interrupt()
        thread.join(10)
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
