"""An enumerator of splits that are all known when the job starts."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from typing import TypeVar

from windrow.common.checks import positive
from windrow.connectors.source.enumerator import SplitEnumerator, SplitEnumeratorContext
from windrow.connectors.source.split import SourceSplit

SplitT = TypeVar("SplitT", bound=SourceSplit)


class StaticSplitEnumerator(SplitEnumerator[SplitT, list[SplitT]]):
    """Gives a split to each reader that asks, and says that there are no more when all are dealt.

    Its checkpoint is the list of splits that are left: ``restore_enumerator`` gives that to a new one. Readers ask with
    ``context.send_split_request()``, in ``start`` if they have no split, and when one has ended. Flink has such an
    enumerator for files: ``StaticFileSplitEnumerator``.

    Args:
        context: What ``Source.create_enumerator`` was given.
        splits: The splits, in the order in which they are dealt.
        splits_per_request: How many splits a request is answered with. A request reaches the enumerator when a batch is
            committed, so more than one is quicker where splits are short.
    """

    def __init__(
        self, context: SplitEnumeratorContext[SplitT], splits: Iterable[SplitT], splits_per_request: int = 1
    ) -> None:
        self._context = context
        self._remaining = deque(splits)
        self._splits_per_request = positive(splits_per_request, "splits_per_request of StaticSplitEnumerator")

    def start(self) -> None:
        """Nothing: readers ask."""

    def handle_split_request(self, subtask_id: int, requester_hostname: str | None) -> None:
        if subtask_id not in self._context.registered_readers():
            return  # it has died since it asked, and will ask again
        if self._remaining:
            count = min(self._splits_per_request, len(self._remaining))
            self._context.assign_splits({subtask_id: [self._remaining.popleft() for _ in range(count)]})
        else:
            self._context.signal_no_more_splits(subtask_id)

    def add_splits_back(self, splits: Sequence[SplitT], subtask_id: int) -> None:
        self._remaining.extend(splits)

    def add_reader(self, subtask_id: int) -> None:
        """Nothing: readers ask."""

    def snapshot_state(self, checkpoint_id: int) -> list[SplitT]:
        return list(self._remaining)

    def unassigned_splits(self) -> int:
        return len(self._remaining)

    def close(self) -> None:
        """Nothing to close."""
