"""Which fetcher reads which split."""

import pytest

from tests.connectors.source_reader.fetchers.test_manager import wait_until_idle
from tests.connectors.source_reader.numbers import PATIENCE, Numbers, NumbersReader
from windrow.connectors.source_reader import (
    FixedSizeSplitFetcherManager,
    OneSplitPerFetcherManager,
    SingleThreadFetcherManager,
    SplitReader,
)
from windrow.errors import ConfigurationError


def endless(*names):
    return [Numbers(name, 0, 0, ends=False) for name in names]


def dealt(manager):
    """The names of the splits of each fetcher."""
    return {number: sorted(fetcher.assigned_splits()) for number, fetcher in manager.fetchers.items()}


def test_a_single_thread_reads_all_splits():
    """Also those that come later."""
    manager = SingleThreadFetcherManager(NumbersReader)
    manager.add_splits(endless("a", "b"))
    manager.add_splits(endless("c"))
    assert dealt(manager) == {0: ["a", "b", "c"]}
    manager.close(PATIENCE * 1000)


def test_a_fixed_number_of_threads_reads_splits_in_turn():
    """The turn goes on with the splits that come later."""
    manager = FixedSizeSplitFetcherManager(NumbersReader, 2)
    manager.add_splits(endless("a", "b", "c"))
    manager.add_splits(endless("d", "e"))
    assert dealt(manager) == {0: ["a", "c", "e"], 1: ["b", "d"]}
    manager.close(PATIENCE * 1000)


def test_a_rule_deals_splits_to_a_fixed_number_of_threads():
    """Its remainder is the fetcher."""
    manager = FixedSizeSplitFetcherManager(NumbersReader, 2, rule=lambda split: ord(split.name))
    manager.add_splits(endless("a", "c", "b", "e"))
    assert dealt(manager) == {1: ["a", "c", "e"], 0: ["b"]}
    manager.close(PATIENCE * 1000)


def test_there_is_a_thread_at_least():
    """No thread at all would read nothing."""
    with pytest.raises(ConfigurationError, match="num_fetchers of FixedSizeSplitFetcherManager must be at least 1"):
        FixedSizeSplitFetcherManager(NumbersReader, 0)


def test_each_split_has_a_thread():
    """One that was read to its end frees its own."""
    manager = OneSplitPerFetcherManager(NumbersReader)
    manager.add_splits([*endless("a"), Numbers("short", 0, 1)])
    assert dealt(manager) == {0: ["a"], 1: ["short"]}
    while not manager.maybe_shutdown_finished_fetchers() and manager.get_num_alive_fetchers() > 1:
        manager.queue.get_availability_future().result(PATIENCE)
        manager.queue.poll()
    manager.add_splits(endless("b"))
    assert dealt(manager) == {0: ["a"], 2: ["b"]}
    manager.close(PATIENCE * 1000)


def test_a_thread_of_one_split_pauses_as_a_whole():
    """Split readers that cannot pause will do; the others' splits go on."""

    class Plain(NumbersReader):
        pause_or_resume_splits = SplitReader.pause_or_resume_splits

    manager = OneSplitPerFetcherManager(Plain)
    manager.add_splits([*endless("a"), Numbers("b", 0, 100)])
    manager.pause_or_resume_splits(["a"], [])
    manager.pause_or_resume_splits([], ["a"])
    manager.remove_splits(["a", "b"])
    wait_until_idle(manager)
    manager.close(PATIENCE * 1000)
