"""One thread for all splits, a fixed number of threads, or a thread for each split."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import TypeVar

from windrow.common.checks import positive
from windrow.common.configuration import Configuration
from windrow.connectors.source.split import SourceSplit
from windrow.connectors.source_reader.fetchers.manager import SplitFetcherManager
from windrow.connectors.source_reader.split_reader import SplitReader

E = TypeVar("E")
SplitT = TypeVar("SplitT", bound=SourceSplit)


class SingleThreadFetcherManager(SplitFetcherManager[E, SplitT]):
    """One fetcher reads all splits: for clients that read from many places at once, such as Kafka's.

    Flink's ``org.apache.flink.connector.base.source.reader.fetcher.SingleThreadFetcherManager``.
    """

    def select_fetcher(self, split: SplitT) -> int:
        return 0


class FixedSizeSplitFetcherManager(SplitFetcherManager[E, SplitT]):
    """A fixed number of fetchers, each of which reads several splits.

    Args:
        split_reader_supplier: Makes the split reader of a fetcher.
        num_fetchers: How many fetchers there are at most, at least 1.
        config: The job's configuration.
        rule: Gives a number for a split; its remainder by ``num_fetchers`` is the fetcher. None: splits are dealt in
            turn.
    """

    def __init__(
        self,
        split_reader_supplier: Callable[[], SplitReader[E, SplitT]],
        num_fetchers: int,
        config: Configuration | None = None,
        rule: Callable[[SplitT], int] | None = None,
    ) -> None:
        super().__init__(split_reader_supplier, config)
        self._num_fetchers = positive(num_fetchers, "num_fetchers of FixedSizeSplitFetcherManager")
        self._dealt = itertools.count()
        self._rule = rule

    def select_fetcher(self, split: SplitT) -> int:
        return (next(self._dealt) if self._rule is None else self._rule(split)) % self._num_fetchers


class OneSplitPerFetcherManager(SplitFetcherManager[E, SplitT]):
    """A fetcher for each split: for clients that wait for one place at a time, such as a file or a connection.

    Pausing a split stops its fetcher, so split readers need no ``pause_or_resume_splits``.
    """

    pauses_whole_fetchers = True

    def __init__(
        self, split_reader_supplier: Callable[[], SplitReader[E, SplitT]], config: Configuration | None = None
    ) -> None:
        super().__init__(split_reader_supplier, config)
        self._numbers = itertools.count()

    def select_fetcher(self, split: SplitT) -> int:
        return next(self._numbers)
