"""A region of a file as a split of a source that is planned before the job runs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from windrow.connectors.files.file_format import FileFormat, elements
from windrow.connectors.files.split import FileSourceSplit
from windrow.connectors.iterator_source import SourceBatch, SplitPart


@dataclass(frozen=True)
class PlannedFileSplit(SplitPart):
    """Reads a region in a format."""

    file_format: FileFormat
    split: FileSourceSplit

    def read(self) -> Iterator[SourceBatch]:
        for _, batch in elements(self.file_format, self.split):
            yield SourceBatch(batch.values, side=batch.side)

    def cut(self, elements: int) -> list[SplitPart]:
        splits = self.file_format.sub_splits(self.split, elements)
        return [PlannedFileSplit(self.file_format, split) for split in splits]
