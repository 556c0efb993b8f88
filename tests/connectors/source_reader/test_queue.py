"""The queue between fetchers and the reader."""

import threading

import pytest

from tests.connectors.source_reader.numbers import PATIENCE
from windrow.connectors.source_reader import FutureCompletingBlockingQueue
from windrow.errors import ConfigurationError


def in_thread(call):
    """Start it; the function returned waits for its result."""
    results = []
    thread = threading.Thread(target=lambda: results.append(call()), daemon=True)
    thread.start()

    def result():
        thread.join(PATIENCE)
        return results[0]

    return result


def test_elements_come_in_the_order_they_were_put():
    """First in, first out; then None."""
    queue = FutureCompletingBlockingQueue(3)
    assert queue.put(0, "a")
    assert queue.put(1, "b")
    assert (queue.size(), queue.remaining_capacity(), queue.is_empty()) == (2, 1, False)
    assert [queue.poll() for _ in range(3)] == ["a", "b", None]
    assert queue.is_empty()


def test_putting_waits_for_room():
    """What does not fit is put when something was taken."""
    queue = FutureCompletingBlockingQueue(1)
    queue.put(0, "a")
    put = in_thread(lambda: queue.put(0, "b"))
    assert queue.poll() == "a"
    assert put() is True
    assert queue.poll() == "b"


def test_a_waiting_put_can_be_woken():
    """It returns False, and has put nothing."""
    queue = FutureCompletingBlockingQueue(1)
    queue.put(0, "a")
    put = in_thread(lambda: queue.put(7, "b"))
    queue.wake_up_putting_thread(7)
    assert put() is False
    assert (queue.poll(), queue.poll()) == ("a", None)


def test_waking_up_reaches_only_the_thread_it_names():
    """Another thread's wake-up is not taken for one's own."""
    queue = FutureCompletingBlockingQueue(1)
    queue.put(0, "a")
    put = in_thread(lambda: queue.put(1, "b"))
    queue.wake_up_putting_thread(2)
    queue.poll()
    assert put() is True


def test_a_wake_up_counts_for_the_next_put_that_would_wait_and_no_further():
    """A wake-up that comes too early is not lost, one that was used is gone."""
    queue = FutureCompletingBlockingQueue(1)
    queue.wake_up_putting_thread(0)
    assert queue.put(0, "a") is True
    assert queue.put(0, "b") is False
    put = in_thread(lambda: queue.put(0, "c"))
    assert queue.poll() == "a"
    assert put() is True


def test_the_future_is_done_while_there_is_something():
    """It is the same future until something comes, and a new one when all is taken."""
    queue = FutureCompletingBlockingQueue(2)
    waited_for = queue.get_availability_future()
    assert waited_for is queue.get_availability_future()
    assert not waited_for.done()
    queue.put(0, "a")
    queue.put(0, "b")
    assert waited_for.done()
    queue.poll()
    assert queue.get_availability_future().done()
    queue.poll()
    assert not queue.get_availability_future().done()


def test_a_notification_lasts_until_the_next_poll():
    """notify_available needs no element; once the reader has looked, it waits again."""
    queue = FutureCompletingBlockingQueue()
    queue.notify_available()
    queue.notify_available()
    assert queue.get_availability_future().done()
    assert queue.poll() is None
    assert not queue.get_availability_future().done()


def test_whoever_waits_may_poll_in_the_callback():
    """The future's callbacks run outside the queue's lock."""
    queue = FutureCompletingBlockingQueue()
    taken = []
    queue.get_availability_future().add_done_callback(lambda _: taken.append(queue.poll()))
    assert in_thread(lambda: queue.put(0, "a"))() is True
    assert taken == ["a"]


def test_many_threads_put_everything_once():
    """Nothing is lost or doubled, and the queue is never longer than its capacity."""
    queue = FutureCompletingBlockingQueue(2)
    puts = [in_thread(lambda n=n: [queue.put(n, (n, i)) for i in range(100)]) for n in range(4)]
    taken = []
    while len(taken) < 400:
        assert queue.size() <= 2
        element = queue.poll()
        if element is None:
            queue.get_availability_future().result(PATIENCE)
        else:
            taken.append(element)
    assert all(all(put()) for put in puts)
    assert [[i for n, i in taken if n == thread] for thread in range(4)] == [list(range(100))] * 4


def test_a_queue_has_room_for_something():
    """A capacity of 0 is refused by name."""
    with pytest.raises(ConfigurationError, match="capacity of a FutureCompletingBlockingQueue must be at least 1"):
        FutureCompletingBlockingQueue(0)
