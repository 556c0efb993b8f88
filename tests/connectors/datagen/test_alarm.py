"""An alarm rings when it is time, as often as it is set, and from one thread."""

from queue import Queue
from threading import get_ident

import pytest

from windrow.connectors.datagen import alarm as module
from windrow.connectors.datagen.alarm import Alarm


@pytest.fixture
def rung():
    return Queue()


@pytest.fixture
def alarm(rung):
    made = Alarm(lambda: rung.put(get_ident()))
    yield made
    made.close()


def test_it_rings_each_time_from_one_thread(alarm, rung):
    """No thread is started for another time."""
    threads = set()
    for _ in range(5):
        alarm.set(0.001)
        threads.add(rung.get(timeout=30))
    assert len(threads) == 1
    assert get_ident() not in threads


def test_the_earlier_time_counts(alarm, rung):
    """A later one does not put it off, and it rings once for both."""
    alarm.set(3600)
    alarm.set(0.001)
    alarm.set(3600)
    rung.get(timeout=30)
    assert rung.empty()


def test_a_thread_that_nobody_needs_ends(alarm, rung, monkeypatch):
    """And another one begins when it is set again."""
    monkeypatch.setattr(module, "_PATIENCE_SECONDS", 0.01)
    alarm.set(0.001)
    rung.get(timeout=30)
    thread = alarm._thread
    if thread is not None:  # it may have ended already
        thread.join(30)
    assert alarm._thread is None
    alarm.set(0.001)
    rung.get(timeout=30)


def test_one_that_is_closed_does_not_ring(alarm, rung):
    """Its thread ends."""
    alarm.set(3600)
    thread = alarm._thread
    alarm.close()
    thread.join(30)
    assert not thread.is_alive()
    assert rung.empty()
