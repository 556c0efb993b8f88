"""Whoever waits for another thread hears of an exception that is sent to it."""

import subprocess
import sys
from concurrent.futures import Future
from threading import Event, Thread

import pytest

from windrow.common.waiting import is_done, wait_for
from windrow.runtime.interrupt import InterruptedThread, Interruptible


@pytest.mark.parametrize("wait", [lambda: wait_for(Event()), lambda: is_done(Future()), lambda: is_done(Future(), 60)])
def test_a_wait_can_be_interrupted(wait):
    """Although nobody ever does what is waited for."""
    work, begun, ended = Interruptible(), Event(), []

    def run():
        try:
            with work.running():
                begun.set()
                wait()
        except InterruptedThread:
            ended.append(True)

    thread = Thread(target=run)
    thread.start()
    begun.wait()
    work.interrupt()
    thread.join()
    assert ended == [True]


@pytest.mark.parametrize(
    "finish", [Future.cancel, lambda each: each.set_result(1), lambda each: each.set_exception(OSError())]
)
def test_a_future_is_done_however_it_ends(finish):
    """Its result, or its error, is for whoever asks for it."""
    future = Future()
    assert not is_done(future, 0)
    finish(future)
    assert is_done(future)


#: A job waits for its enumerator, which is traced, and is cancelled.
CANCELLED = """
import faulthandler, sys, threading, time
faulthandler.dump_traceback_later(50, exit=True)
from concurrent.futures import ThreadPoolExecutor
from windrow.common.waiting import is_done
from windrow.runtime.interrupt import InterruptedThread, Interruptible

def helper():
    return 1

def work():
    sys.settrace(lambda *_: None)
    time.sleep(1)
    return sum(helper() for _ in range(100))

waits = Interruptible()
pool = ThreadPoolExecutor(1)
future = pool.submit(work)

def run():
    try:
        with waits.running():
            is_done(future)
    except InterruptedThread:
        print("interrupted")

thread = threading.Thread(target=run)
thread.start()
time.sleep(0.5)
waits.interrupt()
thread.join()
print(future.result())
"""


def test_nobody_stands_still_while_an_exception_is_on_its_way():
    """A thread that is traced goes on, so that what is waited for comes to be."""
    done = subprocess.run([sys.executable, "-c", CANCELLED], capture_output=True, text=True, check=False)
    assert (done.stdout, done.returncode) == ("interrupted\n100\n", 0), done.stderr
