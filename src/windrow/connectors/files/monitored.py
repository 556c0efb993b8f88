"""The source of files that never ends: it looks for new ones, and reads each once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from windrow.connectors.files.assigners import FileSplitAssigner
from windrow.connectors.files.reader import FileSourceReader
from windrow.connectors.files.source import FileSet, FileSource
from windrow.connectors.files.split import FileSourceSplit
from windrow.connectors.source.enumerator import SplitEnumerator, SplitEnumeratorContext
from windrow.connectors.source.reader import SourceReaderContext
from windrow.connectors.source.source import Boundedness, Source
from windrow.errors import JobExecutionError

#: A reader gets several small regions at a time, up to so many bytes.
BYTES_PER_REQUEST = 64 << 20


@dataclass(frozen=True)
class PendingSplitsCheckpoint:
    """The enumerator's state: regions that no reader has, and all files ever found (Flink's class)."""

    splits: tuple[FileSourceSplit, ...]
    already_processed_paths: frozenset[str]


class MonitoredFileSource(FileSource, Source[Any, FileSourceSplit, PendingSplitsCheckpoint]):
    """Files that come while the job runs.

    Args:
        files: Which files, and how they are read.
        interval: Milliseconds between two looks.
    """

    def __init__(self, files: FileSet, interval: int) -> None:
        self.files = files
        self._interval = interval

    def get_boundedness(self) -> Boundedness:
        return Boundedness.CONTINUOUS_UNBOUNDED

    def create_enumerator(self, enum_context: SplitEnumeratorContext[FileSourceSplit]) -> FileDiscovery:
        return self.restore_enumerator(enum_context, PendingSplitsCheckpoint((), frozenset()))

    def restore_enumerator(
        self, enum_context: SplitEnumeratorContext[FileSourceSplit], checkpoint: PendingSplitsCheckpoint
    ) -> FileDiscovery:
        return FileDiscovery(enum_context, self.files, self._interval, checkpoint)

    def create_reader(self, reader_context: SourceReaderContext) -> FileSourceReader:
        return FileSourceReader(reader_context, self.files.file_format)


class FileDiscovery(SplitEnumerator[FileSourceSplit, PendingSplitsCheckpoint]):
    """Finds files and deals their regions to the readers that ask (Flink's ``ContinuousFileSplitEnumerator``)."""

    def __init__(
        self,
        context: SplitEnumeratorContext[FileSourceSplit],
        files: FileSet,
        interval: int,
        checkpoint: PendingSplitsCheckpoint,
    ) -> None:
        self._context = context
        self._interval = interval
        self._processed = set(checkpoint.already_processed_paths)
        self._assigner: FileSplitAssigner = files.assigner.create(checkpoint.splits)
        self._look = _Look(files, context.current_parallelism(), self._processed)
        #: Readers that have asked and got nothing, with their hosts, in the order in which they asked.
        self._asking: dict[int, str | None] = {}

    def start(self) -> None:
        self._context.call_async(self._look, self._found, 0, self._interval)

    def handle_split_request(self, subtask_id: int, requester_hostname: str | None) -> None:
        self._asking[subtask_id] = requester_hostname
        self._deal()

    def add_splits_back(self, splits: Sequence[FileSourceSplit], subtask_id: int) -> None:
        self._assigner.add_splits(splits)
        self._deal()

    def add_reader(self, subtask_id: int) -> None:
        """Readers ask for splits."""

    def snapshot_state(self, checkpoint_id: int) -> PendingSplitsCheckpoint:
        return PendingSplitsCheckpoint(tuple(self._assigner.remaining_splits()), frozenset(self._processed))

    def unassigned_splits(self) -> int:
        return len(self._assigner.remaining_splits())

    def close(self) -> None:
        """Nothing is open between two looks."""

    def _found(self, splits: list[FileSourceSplit] | None, error: BaseException | None) -> None:
        if error is not None:
            msg = f"the source of files cannot look for new ones: {type(error).__name__}: {error}"
            raise JobExecutionError(msg) from error
        new = [split for split in splits or [] if split.path not in self._processed]
        self._processed.update(split.path for split in new)
        self._assigner.add_splits(new)
        self._deal()

    def _deal(self) -> None:
        """Give those who ask a fair share of what there is, a region each in turn."""
        there = self._assigner.remaining_splits()
        share = sum(split.length for split in there) // self._context.current_parallelism()
        share = min(share, BYTES_PER_REQUEST)
        assigned: dict[int, list[FileSourceSplit]] = {}
        bytes_of: Counter[int] = Counter()
        asking = self._registered()
        while asking:
            for subtask in list(asking):
                split = self._assigner.get_next(asking[subtask])
                if split is None:
                    asking = {}
                    break
                assigned.setdefault(subtask, []).append(split)
                bytes_of[subtask] += split.length
                if bytes_of[subtask] >= share:
                    del asking[subtask]
        for subtask in assigned:
            del self._asking[subtask]
        if assigned:
            self._context.assign_splits(assigned)

    def _registered(self) -> dict[int, str | None]:
        """Those who ask and have not died since."""
        readers = self._context.registered_readers()
        self._asking = {subtask: host for subtask, host in self._asking.items() if subtask in readers}
        return dict(self._asking)


class _Look:
    """Looks for files, in a thread of its own; what it has seen is its own too."""

    def __init__(self, files: FileSet, readers: int, seen: set[str]) -> None:
        self._enumerator = files.create_enumerator()
        self._paths = files.paths
        self._readers = readers
        self._seen = frozenset(seen)

    def __call__(self) -> list[FileSourceSplit]:
        enumerator = self._enumerator.without(self._seen)
        splits = list(enumerator.enumerate_splits(self._paths, self._readers))
        new = [split for split in splits if split.path not in self._seen]
        if new:
            self._seen |= {split.path for split in new}
        return new
