"""Reads ranges of numbers, and makes elements of them."""

from __future__ import annotations

import copy
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from windrow.connectors.datagen.generator_function import Generator, GeneratorFunction
from windrow.connectors.datagen.rate_limiter import RateLimiter
from windrow.connectors.source import (
    InputStatus,
    ReaderOutput,
    SourceReader,
    SourceReaderContext,
    SourceSplit,
    available,
)
from windrow.connectors.source.future_notifier import FutureNotifier
from windrow.operators.user_function import call_each

#: A poll gives so many elements at most.
ELEMENTS_PER_POLL = 4096
#: Of a range of more numbers nobody is told how many are left: a source without an end is written as the largest one.
_COUNTABLE = 1 << 53


@dataclass(frozen=True)
class NumberRange(SourceSplit):
    """The numbers from ``start`` to below ``stop``; its name is that of the range before anything was read of it."""

    start: int
    stop: int
    name: str = ""
    #: In a reader's state: what its limiter has to know.
    limiter_state: Any = None

    def split_id(self) -> str:
        return self.name or str(self.start)

    def divided(self, parts: int) -> list[NumberRange]:
        """The range in at most so many parts of consecutive numbers; the first ones have one more, as in Flink."""
        parts = min(parts, self.stop - self.start)
        each, extra = divmod(self.stop - self.start, parts)
        ends = [self.start + part * each + min(part, extra) for part in range(parts + 1)]
        return [NumberRange(start, stop, str(start)) for start, stop in pairwise(ends)]


class GeneratorReader(SourceReader[Any, NumberRange]):
    """Gives the elements of its ranges, one range after the other, as fast as it may."""

    def __init__(self, function: Generator, limiter: RateLimiter, context: SourceReaderContext) -> None:
        self._limiter = limiter
        self._context = context
        # Readers in one process must not share a function object's fields.
        self._function: GeneratorFunction | None = None
        self._map: Callable[[int], Any]
        if isinstance(function, GeneratorFunction):
            self._function = copy.deepcopy(function)
            self._map = self._function.map
        else:
            self._map = function
        self._ranges: deque[NumberRange] = deque()
        self._no_more_splits = False
        self._arrival = FutureNotifier()

    def start(self) -> None:
        if self._function is not None:
            self._function.open(self._context)

    def poll_next(self, output: ReaderOutput[Any]) -> InputStatus:
        if not self._ranges:
            return InputStatus.END_OF_INPUT if self._no_more_splits else InputStatus.NOTHING_AVAILABLE
        current = self._ranges[0]
        count = self._limiter.acquire(min(ELEMENTS_PER_POLL, current.stop - current.start))
        if count == 0:
            return InputStatus.NOTHING_AVAILABLE
        behind = current.start + count
        output.create_output_for_split(current.split_id()).collect_batch(self._made(range(current.start, behind)))
        if behind < current.stop:
            self._ranges[0] = replace(current, start=behind, name=current.split_id())
        else:
            self._ranges.popleft()
            output.release_output_for_split(current.split_id())
        return InputStatus.MORE_AVAILABLE

    def snapshot_state(self, checkpoint_id: int) -> list[NumberRange]:
        state = self._limiter.snapshot_state()
        return [replace(each, limiter_state=state) for each in self._ranges]

    def pending_records(self) -> dict[str, int]:
        left = {each.split_id(): each.stop - each.start for each in self._ranges}
        return {name: count for name, count in left.items() if count <= _COUNTABLE}

    def is_available(self) -> Future[None]:
        if self._ranges:
            return self._limiter.is_available()
        return available() if self._no_more_splits else self._arrival.future()

    def add_splits(self, splits: Sequence[NumberRange]) -> None:
        self._ranges.extend(splits)
        for split in splits:
            if split.limiter_state is not None:
                self._limiter.restore_state(split.limiter_state)
        self._arrival.notify_complete()

    def notify_no_more_splits(self) -> None:
        self._no_more_splits = True
        self._arrival.notify_complete()

    def notify_checkpoint_complete(self, checkpoint_id: int) -> None:
        self._limiter.notify_checkpoint_complete(checkpoint_id)

    def close(self) -> None:
        self._limiter.close()
        if self._function is not None:
            self._function.close()

    def _made(self, numbers: range) -> list[Any]:
        return call_each(self._context.source_name, self._map, numbers)
