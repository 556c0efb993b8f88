import asyncio
import gc
import inspect
import signal
import threading
import time

import pytest

from windrow.operators.event_loop import EventLoopThread

NAME = "event loop under test"


def threads():
    return [thread for thread in threading.enumerate() if thread.name == NAME]


@pytest.fixture
def loop():
    loop = EventLoopThread(NAME)
    yield loop
    loop.close()
    assert threads() == []


async def running_loop():
    return asyncio.get_running_loop(), threading.current_thread()


def test_all_work_runs_in_one_loop_and_thread(loop):
    """Whatever is run, it is run by the same loop in the same thread, which is not the caller's."""
    first, second = loop.run(running_loop()), loop.run(running_loop())
    assert first == second
    assert first[1] is not threading.current_thread()


def test_it_can_be_called_where_a_loop_is_running(loop):
    """A caller that runs a loop itself, a notebook say, can run work."""

    async def notebook_cell():
        return loop.run(running_loop())[0] is asyncio.get_running_loop()

    assert asyncio.run(notebook_cell()) is False


def test_work_goes_on_between_two_calls(loop):
    """The loop turns while nobody waits: a client's task in the background goes on."""
    turned = threading.Event()

    async def background():
        await asyncio.sleep(0)
        turned.set()

    async def start():
        return asyncio.create_task(background())

    task = loop.run(start())
    assert turned.wait(10)
    assert task is not None


@pytest.mark.parametrize("error", [LookupError, SystemExit, KeyboardInterrupt])
def test_what_the_work_raises_is_raised(loop, error):
    """An exception comes to the caller, also one that asyncio lets out of the loop; the loop can be used again."""

    async def fail():
        raise error("reason")

    with pytest.raises(error, match="reason"):
        loop.run(fail())
    assert loop.run(running_loop())[0].is_running()


def test_an_interrupted_wait_cancels_the_work(loop):
    """Ctrl-C while the caller waits: the work is cancelled, and has cleaned up when the interrupt goes on."""
    events = []
    main = threading.main_thread().ident

    async def endless():
        try:
            signal.pthread_kill(main, signal.SIGINT)
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            await asyncio.sleep(0.01)
            events.append("cleaned up")
            raise

    with pytest.raises(KeyboardInterrupt):
        loop.run(endless())
    assert events == ["cleaned up"]


def test_work_that_was_not_started_is_given_up(loop, monkeypatch):
    """Ctrl-C just before the work is started: it never runs, and nobody waits for it."""
    call_soon = loop._loop.call_soon_threadsafe

    def interrupted(callback):
        monkeypatch.undo()
        raise KeyboardInterrupt

    work = running_loop()
    monkeypatch.setattr(loop._loop, "call_soon_threadsafe", interrupted)
    with pytest.raises(KeyboardInterrupt):
        loop.run(work)
    assert inspect.getcoroutinestate(work) == inspect.CORO_CLOSED
    assert loop._loop.call_soon_threadsafe == call_soon


def test_closing_cancels_what_still_runs():
    """Closing gives tasks in the background the chance to clean up, closes the loop and ends the thread."""
    cancelled = []

    async def background():
        try:
            await asyncio.Event().wait()
        finally:
            cancelled.append(True)

    async def start():
        task = asyncio.create_task(background())
        await asyncio.sleep(0)
        return task, asyncio.get_running_loop()

    loop = EventLoopThread(NAME)
    task, asyncio_loop = loop.run(start())
    loop.close()
    assert (cancelled, task.cancelled(), asyncio_loop.is_closed(), threads()) == ([True], True, True, [])
    loop.close()


def test_a_forgotten_loop_ends_its_thread():
    """An operator that is never closed leaves no thread behind once it is forgotten."""
    loop = EventLoopThread(NAME)
    assert len(threads()) == 1
    del loop
    gc.collect()
    deadline = time.monotonic() + 10
    while threads() and time.monotonic() < deadline:
        time.sleep(0.001)
    assert threads() == []
