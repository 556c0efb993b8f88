"""The fetchers of a reader: how many there are, and which split goes to which."""

from __future__ import annotations

import logging
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Generic, TypeVar

from windrow.common.checks import positive
from windrow.common.configuration import Configuration
from windrow.connectors.source.split import SourceSplit
from windrow.connectors.source_reader.fetchers.split_fetcher import SplitFetcher
from windrow.connectors.source_reader.options import SourceReaderOptions
from windrow.connectors.source_reader.queue import FutureCompletingBlockingQueue
from windrow.connectors.source_reader.records import RecordsWithSplitIds
from windrow.connectors.source_reader.split_reader import SplitReader
from windrow.errors import ConfigurationTypeError, UsageError, shorten

E = TypeVar("E")
SplitT = TypeVar("SplitT", bound=SourceSplit)

_log = logging.getLogger("windrow")


class SplitFetcherManager(ABC, Generic[E, SplitT]):
    """Makes fetchers as splits need them, deals splits to them, and ends those that have nothing left to do.

    Flink's ``org.apache.flink.connector.base.source.reader.fetcher.SplitFetcherManager``. Another threading model
    is a subclass with another :meth:`select_fetcher`.

    Args:
        split_reader_supplier: Makes the split reader of a fetcher.
        config: The job's configuration, for ``source.reader.element.queue.capacity``.
    """

    #: Pausing a split stops its fetcher as a whole, so split readers need not be able to pause.
    pauses_whole_fetchers = False

    def __init__(
        self, split_reader_supplier: Callable[[], SplitReader[E, SplitT]], config: Configuration | None = None
    ) -> None:
        if not callable(split_reader_supplier):
            msg = (
                f"split_reader_supplier of {type(self).__name__} must be a function without parameters that makes a "
                f"SplitReader, or its class; got {shorten(split_reader_supplier)}"
            )
            raise ConfigurationTypeError(msg)
        option = SourceReaderOptions.ELEMENT_QUEUE_CAPACITY
        capacity = positive((config or Configuration()).get(option), option.key)
        self._supplier = split_reader_supplier
        self._queue: FutureCompletingBlockingQueue[RecordsWithSplitIds[E]] = FutureCompletingBlockingQueue(
            capacity or 0
        )
        self._fetchers: dict[int, SplitFetcher[E, SplitT]] = {}
        self._ending: list[SplitFetcher[E, SplitT]] = []
        self._error: BaseException | None = None
        self._raised = False
        self._closed = False

    @abstractmethod
    def select_fetcher(self, split: SplitT) -> int:
        """The number of the fetcher that is to read a split; it is made if it is not there."""

    @property
    def queue(self) -> FutureCompletingBlockingQueue[RecordsWithSplitIds[E]]:
        """The queue in which fetchers bring something to the reader."""
        return self._queue

    @property
    def fetchers(self) -> Mapping[int, SplitFetcher[E, SplitT]]:
        """The fetchers that have not been shut down, by number."""
        return self._fetchers

    def add_splits(self, splits: Sequence[SplitT]) -> None:
        """Have splits read."""
        by_fetcher: dict[int, list[SplitT]] = {}
        for split in splits:
            by_fetcher.setdefault(self.select_fetcher(split), []).append(split)
        for number, dealt in by_fetcher.items():
            self.get_or_create_fetcher(number).add_splits(dealt)

    def remove_splits(self, split_ids: Collection[str]) -> None:
        """Have splits read no further."""
        for fetcher in self._fetchers.values():
            fetcher.remove_splits(split_ids)

    def pause_or_resume_splits(self, split_ids_to_pause: Collection[str], split_ids_to_resume: Collection[str]) -> None:
        """Stop reading some splits, and go on with others.

        Raises:
            NotImplementedError: the split reader cannot.
        """
        for fetcher in self._fetchers.values():
            fetcher.pause_or_resume_splits(split_ids_to_pause, split_ids_to_resume)

    def get_or_create_fetcher(self, number: int) -> SplitFetcher[E, SplitT]:
        """The running fetcher of that number, made and started if it is not there.

        Raises:
            UsageError: the manager is closed, or what the supplier made is no SplitReader.
        """
        if self._closed:
            msg = f"the {type(self).__name__} is closed: it makes no more fetchers"
            raise UsageError(msg)
        fetcher = self._fetchers.get(number)
        if fetcher is None:
            reader = self._supplier()
            if not isinstance(reader, SplitReader):
                msg = f"split_reader_supplier must make a SplitReader; it made {shorten(reader)}"
                raise UsageError(msg)
            fetcher = SplitFetcher(number, reader, self._queue, self._on_error, pause_whole=self.pauses_whole_fetchers)
            self._fetchers[number] = fetcher
            fetcher.start()
        return fetcher

    def maybe_shutdown_finished_fetchers(self) -> bool:
        """Shut down the fetchers that are idle; whether none is left."""
        for number, fetcher in list(self._fetchers.items()):
            # A batch that is still queued may need its split reader's file or connection.
            if fetcher.is_idle() and self._queue.is_empty():
                del self._fetchers[number]
                fetcher.shutdown()
                self._ending = [*(earlier for earlier in self._ending if not earlier.join(0)), fetcher]
        return not self._fetchers

    def get_num_alive_fetchers(self) -> int:
        """Count the fetchers that have not been shut down."""
        return len(self._fetchers)

    def check_errors(self) -> None:
        """Raise what has ended a fetcher, as it was raised there."""
        if self._error is not None:
            self._raised = True
            raise self._error

    def close(self, timeout_ms: int) -> None:
        """End all fetchers and wait for their threads.

        Args:
            timeout_ms: Milliseconds to wait at most. A thread that takes longer is left to itself, with a warning; it
                does not keep the process from ending.

        Raises:
            Exception: what a fetcher raised, if it was not raised by :meth:`check_errors` before.
        """
        self._closed = True
        ending = [*self._ending, *self._fetchers.values()]
        for fetcher in ending:
            fetcher.shutdown()
        deadline = time.monotonic() + timeout_ms / 1000
        running = [fetcher for fetcher in ending if not fetcher.join(deadline - time.monotonic())]
        if running:
            _log.warning(
                "%d fetchers of a source reader still run after %d ms: does wake_up of %s end its fetch?",
                len(running),
                timeout_ms,
                type(running[0].split_reader).__name__,
            )
        if not self._raised:
            self.check_errors()

    def _on_error(self, error: BaseException) -> None:
        if self._error is None:
            self._error = error
        else:
            self._error.add_note(f"another fetcher has failed too: {error!r}")
        self._queue.notify_available()
