"""The records that one fetch of a split reader has brought, of one or more splits."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Generic, TypeVar

from windrow.connectors.source.split import SourceSplit

E_co = TypeVar("E_co", covariant=True)
E = TypeVar("E")


class RecordsWithSplitIds(ABC, Generic[E_co]):
    """Records of a fetch, to be gone through split by split.

    Flink's ``org.apache.flink.connector.base.source.reader.RecordsWithSplitIds``. It begins in front of the first
    split. :class:`RecordsBySplits` is one over lists; write your own to make records only as they are asked for.
    """

    @abstractmethod
    def next_split(self) -> str | None:
        """Go to the next split, whatever is left of the current one: its id; None if there is no further one."""

    @abstractmethod
    def next_record_from_split(self) -> E_co | None:
        """The next record of the current split; None if there are no more."""

    def next_records_from_split(self, limit: int) -> Sequence[E_co]:
        """Up to ``limit`` (at least 1) further records of the current split; empty if there are no more.

        ``SourceReaderBase`` calls this one. Override it where records lie in lists: it is quicker, and None may then
        be a record. Flink has no such method.
        """
        records: list[E_co] = []
        while len(records) < limit and (record := self.next_record_from_split()) is not None:
            records.append(record)
        return records

    @abstractmethod
    def finished_splits(self) -> Collection[str]:
        """The ids of the splits that have ended: these are the last of their records, if there are any."""

    def is_empty(self) -> bool:
        """Tell whether it is certain that there are neither records nor finished splits. Flink has no such method."""
        return False

    def recycle(self) -> None:
        """All records have been emitted: what holds them can be used again."""


class RecordsBySplits(RecordsWithSplitIds[E]):
    """Records in lists (Flink's ``org.apache.flink.connector.base.source.reader.RecordsBySplits``).

    Args:
        records_by_split: The records of each split, in order, by the split's id.
        finished_splits: The ids of the splits that end here.

    Example:
        >>> fetched = RecordsBySplits({"a": [1, 2]}, finished_splits={"a"})
        >>> fetched.next_split(), fetched.next_record_from_split(), fetched.next_records_from_split(10)
        ('a', 1, [2])
        >>> fetched.next_split() is None
        True
    """

    def __init__(self, records_by_split: Mapping[str, Sequence[E]], finished_splits: Collection[str] = ()) -> None:
        self._empty = not finished_splits and not any(map(len, records_by_split.values()))
        self._splits: Iterator[tuple[str, Sequence[E]]] = iter(records_by_split.items())
        self._finished = frozenset(finished_splits)
        self._records: Sequence[E] = ()
        self._position = 0

    def next_split(self) -> str | None:
        split_id, self._records = next(self._splits, (None, ()))
        self._position = 0
        return split_id

    def next_record_from_split(self) -> E | None:
        taken = self.next_records_from_split(1)
        return taken[0] if len(taken) else None

    def next_records_from_split(self, limit: int) -> Sequence[E]:
        start, records = self._position, self._records
        self._position = min(start + limit, len(records))
        return records if self._position - start == len(records) else records[start : self._position]

    def finished_splits(self) -> Collection[str]:
        return self._finished

    def is_empty(self) -> bool:
        return self._empty

    @staticmethod
    def builder() -> RecordsBySplitsBuilder[E]:
        """Begin to collect records one by one."""
        return RecordsBySplitsBuilder()


class RecordsBySplitsBuilder(Generic[E]):
    """Collects the records of a fetch; a split is named by its id or given itself.

    Flink's ``RecordsBySplits.Builder``.

    Example:
        >>> builder = RecordsBySplitsBuilder()
        >>> builder.add("a", 1).add_all("a", [2, 3]).add_finished_split("b").build().finished_splits()
        frozenset({'b'})
    """

    def __init__(self) -> None:
        self._records: dict[str, list[E]] = {}
        self._finished: set[str] = set()

    def add(self, split: str | SourceSplit, record: E) -> RecordsBySplitsBuilder[E]:
        """Add a record of a split."""
        self._records.setdefault(_id(split), []).append(record)
        return self

    def add_all(self, split: str | SourceSplit, records: Iterable[E]) -> RecordsBySplitsBuilder[E]:
        """Add records of a split."""
        self._records.setdefault(_id(split), []).extend(records)
        return self

    def add_finished_split(self, split: str | SourceSplit) -> RecordsBySplitsBuilder[E]:
        """Say that a split ends with the records that were added."""
        self._finished.add(_id(split))
        return self

    def add_finished_splits(self, splits: Iterable[str | SourceSplit]) -> RecordsBySplitsBuilder[E]:
        """Say that splits end with the records that were added."""
        self._finished.update(map(_id, splits))
        return self

    def build(self) -> RecordsBySplits[E]:
        """Give what was collected; the builder is not to be used afterwards."""
        return RecordsBySplits(self._records, self._finished)


def _id(split: str | SourceSplit) -> str:
    return split if isinstance(split, str) else split.split_id()
