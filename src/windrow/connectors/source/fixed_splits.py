"""An enumerator for sources whose splits, and who reads them, are known when the job starts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar

from windrow.connectors.source.enumerator import SplitEnumerator, SplitEnumeratorContext
from windrow.connectors.source.split import SourceSplit

SplitT = TypeVar("SplitT", bound=SourceSplit)


class FixedSplitsEnumerator(SplitEnumerator[SplitT, dict[int, list[SplitT]]]):
    """Gives each reader its splits when it registers, and tells it that no more come.

    Nobody has to ask: on Spark a request is answered one batch later. Its checkpoint is what it was made with, less
    the splits of readers that have registered.

    Args:
        context: The enumerator's context.
        splits: The splits of each reader, in the order they are to be read; readers that are missing have none.
    """

    def __init__(self, context: SplitEnumeratorContext[SplitT], splits: Mapping[int, Iterable[SplitT]]) -> None:
        self._context = context
        self._splits = {subtask: list(of_reader) for subtask, of_reader in splits.items()}

    def start(self) -> None:
        """Nothing is to be found out."""

    def handle_split_request(self, subtask_id: int, requester_hostname: str | None) -> None:
        self.add_reader(subtask_id)

    def add_splits_back(self, splits: Sequence[SplitT], subtask_id: int) -> None:
        self._splits[subtask_id] = [*splits, *self._splits.get(subtask_id, ())]

    def add_reader(self, subtask_id: int) -> None:
        splits = self._splits.pop(subtask_id, None)
        if splits:
            self._context.assign_splits({subtask_id: splits})
        self._context.signal_no_more_splits(subtask_id)

    def snapshot_state(self, checkpoint_id: int) -> dict[int, list[SplitT]]:
        return {subtask: list(splits) for subtask, splits in self._splits.items()}

    def close(self) -> None:
        """Nothing is held."""
