"""Polling a reader for a new batch, until it has enough."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import Any

from windrow.common.configuration import Configuration
from windrow.common.waiting import is_done
from windrow.connectors.source import InputStatus, SourceReader
from windrow.elements.batch import columns_of
from windrow.elements.codec import dumps
from windrow.errors import ConfigurationError, ConfigurationTypeError
from windrow.operators.user_function import NamingErrors
from windrow.runtime.sources.buffered_reader_output import BufferedReaderOutput, Records, Side, SplitItem

_PREFIX = "windrow.source."
#: The size of one in so many polls' records is measured, and stands for the others.
_SAMPLE_EVERY = 16
#: Between two polls of a reader that says that it has something and gives nothing, in seconds.
_PAUSE = 0.001
#: A reader that is not behind reads for this share of the time that its batch had run before, and at least for so many
#: seconds.
_SHARE, _SHORTEST = 0.5, 0.02
#: More records, bytes and milliseconds than a job will see; as seconds, threads can still wait for so long.
_ENDLESS = 10**12


@dataclass(frozen=True)
class ReadSettings:
    """Limits what a reader gives in one batch; what it gives in one poll is never cut."""

    records: int = 1_000_000
    bytes: int = 64 << 20
    #: How long a reader that has nothing is waited for, in milliseconds.
    wait: int = 100
    #: How long a batch reads at most, in milliseconds, if records come without end. Of a source that ends only the time
    #: counts in which its reader was waited for: nobody waits for its results, and larger batches cost less.
    duration: int = 1000
    #: Whether a reader that is not behind ends a batch sooner: its results are waited for.
    adapts: bool = True

    @staticmethod
    def to_the_end() -> ReadSettings:
        """All of a source that ends is one batch, however long nothing comes."""
        return ReadSettings(_ENDLESS, _ENDLESS, _ENDLESS, _ENDLESS)

    @staticmethod
    def of(configuration: Configuration) -> ReadSettings:
        """The settings that a program's configuration gives (``windrow.source.records-per-batch`` and so on).

        Raises:
            ConfigurationError: one of them is out of range.
        """
        default = ReadSettings()
        return ReadSettings(
            _setting(configuration, "records-per-batch", default.records, 1),
            _setting(configuration, "bytes-per-batch", default.bytes, 1),
            _setting(configuration, "wait", default.wait, 0),
            _setting(configuration, "duration", default.duration, 0),
            # Who says how long, or how seldom, does not want it sooner.
            adapts=not configuration.contains_key(f"{_PREFIX}duration")
            and not configuration.get_integer("windrow.trigger.interval", 0),
        )


def _setting(configuration: Configuration, name: str, default: int, minimum: int) -> int:
    key = f"{_PREFIX}{name}"
    value = configuration.get_integer(key, default)
    if value < minimum:
        msg = f"{key} must be at least {minimum}; got {value}"
        raise ConfigurationError(msg)
    return value


class LiveRead:
    """Reads until the batch is full, or the reader has nothing for a while, or is at its end.

    Args:
        name: The source's, for error messages.
        reader: The reader.
        output: Its output.
        settings: How much it reads.
        waiting: What the reader has given before, and no batch has taken; it comes first.
        awaits_splits: Asked when the reader has nothing: whether it has no split and has asked for some.
        is_ahead: For an aligned source: asked before each poll whether the reader has to wait for others.
        bounded: Whether the source ends.
        begun: How many seconds ago the batch was begun, as far as clocks agree: it costs some times as much.
        work: A context for each poll, which measures them.
    """

    def __init__(
        self,
        name: str,
        reader: SourceReader[Any, Any],
        output: BufferedReaderOutput,
        settings: ReadSettings,
        waiting: list[SplitItem],
        is_ahead: Callable[[], bool] | None = None,
        awaits_splits: Callable[[], bool] = lambda: False,
        *,
        bounded: bool = False,
        begun: float = float(_ENDLESS),
        work: AbstractContextManager[None] | None = None,
    ) -> None:
        self._name = name
        self._reader = reader
        self._output = output
        self._settings = settings
        self._waiting = waiting
        self._is_ahead = is_ahead
        self._awaits_splits = awaits_splits
        self._work = work or nullcontext()
        self._bounded = bounded
        duration = settings.duration / 1000
        #: In seconds, for a reader that is behind, and for one that is not.
        self._duration = self._short_duration = duration
        if settings.adapts:
            self._short_duration = min(duration, max(_SHARE * begun, _SHORTEST))
        self._started = time.monotonic()
        #: How long the reader was waited for so far, in seconds; and how long until its first records came, and when.
        self._waited = self._waited_at_first = 0.0
        self._first_at: float | None = None
        self._records = 0
        self._bytes = 0
        self._polls = 0
        self._bytes_per_record = 0
        #: Whether the reader has come to its end.
        self.finished = False
        #: Done when a reader that had nothing at last has something again; None: it may have something now.
        self.available: Future[None] | None = None

    def items(self) -> Iterator[SplitItem]:
        """Read until the batch is full; what was left waiting by the last one comes first."""
        waiting_until: float | None = None
        for split_item in self._waiting:
            self._measure(split_item)
            yield split_item
        while not self._is_full and (self._is_ahead is None or not self._is_ahead()):
            began = time.monotonic()
            with self._work:
                status = poll(self._name, self._reader, self._output)
            taken = self._output.take()
            if not taken:
                self._waited += time.monotonic() - began
            elif self._first_at is None:
                self._first_at, self._waited_at_first = time.monotonic(), self._waited
            for split_item in taken:
                self._measure(split_item)
                yield split_item
            if taken and self._is_ahead is not None:
                yield None, "emit"
            self._polls += 1
            if status is InputStatus.END_OF_INPUT:
                self.finished = True
                return
            left = self._time_left()
            if left <= 0:
                return
            if taken or status is InputStatus.MORE_AVAILABLE:
                waiting_until = None
            if taken and self._is_ahead is not None:
                continue  # what has come may let go on what is held back
            if status is InputStatus.NOTHING_AVAILABLE:
                began = time.monotonic()
                if waiting_until is None:
                    # Splits that it has asked for come with the next batch, however long this one waits.
                    wait = 0 if self._awaits_splits() else self._settings.wait
                    waiting_until = began + min(wait / 1000, left)
                else:
                    time.sleep(_PAUSE)
                if not self._wait(waiting_until):
                    return
                self._waited += time.monotonic() - began

    def _time_left(self) -> float:
        if self._bounded:
            return self._duration - self._waited
        now = time.monotonic()
        left = self._duration - (now - self._started)
        if self._first_at is None:
            return left
        since = now - self._first_at
        # Who has waited for most of the time since has read all that was there.
        is_behind = self._waited - self._waited_at_first <= since / 2
        return left if is_behind else min(left, self._short_duration - since)

    @property
    def _is_full(self) -> bool:
        return self._records >= self._settings.records or self._bytes >= self._settings.bytes

    def _measure(self, split_item: SplitItem) -> None:
        _, item = split_item
        if isinstance(item, Side):
            self._records += 1
        elif isinstance(item, Records):
            if self._polls % _SAMPLE_EVERY == 0 or not self._bytes_per_record:
                columns = columns_of(item.values)
                self._bytes_per_record = len(dumps(item.values[0])) if columns is None else columns.bytes_of_one()
            self._records += len(item.values)
            self._bytes += self._bytes_per_record * len(item.values)

    def _wait(self, until: float) -> bool:
        """Wait until then at most; tell whether the reader has something before."""
        with NamingErrors(self._name, "its reader"):
            available = self._reader.is_available()
        left = until - time.monotonic()
        if left <= 0 or not is_done(available, left):
            self.available = None if available.done() else available
            return False
        available.result()
        return True


def poll(name: str, reader: SourceReader[Any, Any], output: BufferedReaderOutput) -> InputStatus:
    """Poll once.

    Raises:
        ConfigurationTypeError: the reader returned something else than an InputStatus.
        UserFunctionError: it raised.
    """
    with NamingErrors(name, "its reader"):
        status = reader.poll_next(output)
    if not isinstance(status, InputStatus):
        msg = (
            f"source {name!r}: poll_next of {type(reader).__name__} must return an InputStatus, MORE_AVAILABLE, "
            f"NOTHING_AVAILABLE or END_OF_INPUT; it returned {status!r}"
        )
        raise ConfigurationTypeError(msg)
    return status
