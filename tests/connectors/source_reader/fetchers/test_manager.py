"""Fetchers are made as splits need them, end when they are idle, and fail the reader when they fail."""

import logging
import threading
import traceback

import pytest

from tests.connectors.source_reader.numbers import PATIENCE, Numbers, NumbersReader
from windrow.common import Configuration
from windrow.connectors.source_reader import SingleThreadFetcherManager
from windrow.connectors.source_reader.fetchers.manager import SplitFetcherManager
from windrow.errors import ConfigurationError, ConfigurationTypeError, UsageError


def wait_until_idle(manager):
    """Poll everything, until all fetchers were shut down."""
    while not manager.maybe_shutdown_finished_fetchers():
        manager.queue.get_availability_future().result(PATIENCE)
        while manager.queue.poll() is not None:
            pass


def test_there_is_no_fetcher_before_the_first_split():
    """Neither a thread nor a split reader is made for nothing."""
    made = []
    manager = SingleThreadFetcherManager(lambda: made.append(1))
    assert manager.get_num_alive_fetchers() == 0
    assert manager.maybe_shutdown_finished_fetchers()
    manager.close(0)
    assert not made


def test_an_idle_fetcher_is_shut_down_and_made_anew():
    """The next split gets a new split reader; the old one is closed."""
    made = []

    def make():
        made.append(NumbersReader())
        return made[-1]

    manager = SingleThreadFetcherManager(make)
    for _ in range(2):
        manager.add_splits([Numbers("a", 0, 3)])
        assert manager.get_num_alive_fetchers() == 1
        wait_until_idle(manager)
        assert manager.get_num_alive_fetchers() == 0
    manager.close(PATIENCE * 1000)
    assert [reader.closed for reader in made] == [True, True]


def test_a_fetcher_lives_as_long_as_its_last_batch_is_queued():
    """A batch may need its split reader's file."""
    manager = SingleThreadFetcherManager(NumbersReader)
    manager.add_splits([Numbers("a", 0, 1)])
    fetcher = manager.fetchers[0]
    manager.queue.get_availability_future().result(PATIENCE)
    while not fetcher.is_idle():
        pass
    assert not manager.maybe_shutdown_finished_fetchers()
    manager.queue.poll()
    assert manager.maybe_shutdown_finished_fetchers()
    manager.close(PATIENCE * 1000)


def test_an_error_is_raised_as_it_was_raised_in_the_thread():
    """Its traceback shows the user's own line."""

    class Broken(NumbersReader):
        def fetch(self):
            raise ConnectionError("no route")

    manager = SingleThreadFetcherManager(Broken)
    manager.check_errors()
    manager.add_splits([Numbers("a", 0, 1)])
    manager.queue.get_availability_future().result(PATIENCE)
    with pytest.raises(ConnectionError, match="no route") as caught:
        manager.check_errors()
    assert 'raise ConnectionError("no route")' in "".join(traceback.format_exception(caught.value))
    manager.close(PATIENCE * 1000)


def test_an_error_nobody_has_seen_is_raised_by_close():
    """A split reader that cannot be closed does not go unnoticed."""

    class Broken(NumbersReader):
        def close(self):
            raise OSError("disk")

    manager = SingleThreadFetcherManager(Broken)
    manager.add_splits([Numbers("a", 0, 1)])
    with pytest.raises(OSError, match="disk"):
        manager.close(PATIENCE * 1000)


def test_close_ends_all_threads():
    """Busy ones and those that were shut down before."""

    class Numbered(SplitFetcherManager):
        def select_fetcher(self, split):
            return split.position

    manager = Numbered(NumbersReader)
    manager.add_splits([Numbers("a", 0, 9), Numbers("b", 1, 1, ends=False), Numbers("c", 2, 3)])
    assert manager.get_num_alive_fetchers() == 3
    manager.close(PATIENCE * 1000)
    with pytest.raises(UsageError, match="Numbered is closed"):
        manager.add_splits([Numbers("d", 3, 4)])


def test_close_does_not_wait_for_ever(caplog):
    """A fetch that ignores wake_up is left behind after the timeout, with a warning."""
    began, release = threading.Event(), threading.Event()

    class Deaf(NumbersReader):
        def fetch(self):
            began.set()
            release.wait(PATIENCE)
            return super().fetch()

        def wake_up(self):
            """Does nothing."""

    manager = SingleThreadFetcherManager(Deaf)
    manager.add_splits([Numbers("a", 0, 1)])
    fetcher = manager.fetchers[0]
    assert began.wait(PATIENCE)
    with caplog.at_level(logging.WARNING, "windrow"):
        manager.close(20)
    release.set()
    assert "1 fetchers of a source reader still run after 20 ms: does wake_up of Deaf end its fetch?" in caplog.text
    assert fetcher.join(PATIENCE)


def test_the_capacity_of_the_queue_is_a_setting():
    """source.reader.element.queue.capacity, 2 unless it is set; 0 is refused."""
    key = "source.reader.element.queue.capacity"
    assert SingleThreadFetcherManager(NumbersReader).queue.remaining_capacity() == 2
    config = Configuration().set_integer(key, 5)
    assert SingleThreadFetcherManager(NumbersReader, config).queue.remaining_capacity() == 5
    with pytest.raises(ConfigurationError, match=key):
        SingleThreadFetcherManager(NumbersReader, Configuration().set_integer(key, 0))


def test_a_split_reader_is_given_as_what_makes_it():
    """A split reader itself would be shared by fetchers, and closed by the first of them."""
    with pytest.raises(ConfigurationTypeError, match="split_reader_supplier of SingleThreadFetcherManager must be"):
        SingleThreadFetcherManager(NumbersReader())
    manager = SingleThreadFetcherManager(lambda: "reader")
    with pytest.raises(UsageError, match="must make a SplitReader; it made 'reader'"):
        manager.add_splits([Numbers("a", 0, 1)])
