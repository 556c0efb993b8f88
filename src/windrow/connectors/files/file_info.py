"""Metadata of the files that elements come from (Flink's ``FileInfoExtractorBulkFormat``)."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from windrow.connectors.files.file_format import BulkFormat, FileBatch, FileFormat, StreamFormat
from windrow.connectors.files.paths import path_without_scheme
from windrow.connectors.files.split import FileSourceSplit
from windrow.expressions import logical_types as lt
from windrow.table import data_types as t
from windrow.table.data_types import DataType

_EPOCH = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)


def _modified(split: FileSourceSplit) -> dt.datetime:
    return _EPOCH + dt.timedelta(milliseconds=split.modification_time)


#: The type of each, and how it is had of a region (Flink's ``FileSystemTableSource.ReadableFileInfo``).
FILE_INFO: Mapping[str, tuple[DataType, Callable[[FileSourceSplit], Any]]] = {
    "file.path": (lt.STRING.not_null(), lambda split: path_without_scheme(split.path)),
    "file.name": (lt.STRING.not_null(), lambda split: split.path.rpartition("/")[2]),
    "file.size": (t.BigIntType(False), lambda split: split.file_size),
    "file.modification-time": (lt.TIMESTAMP_LTZ_3.not_null(), _modified),
}


@dataclass(frozen=True)
class _WithInfo(FileFormat):
    """Pairs of an element and what is known of its file.

    Args:
        inner: The format of the elements.
        keys: What is asked for.
    """

    inner: FileFormat
    keys: tuple[str, ...]

    def read(self, split: FileSourceSplit) -> Iterator[FileBatch]:
        info = tuple([FILE_INFO[key][1](split) for key in self.keys])
        for batch in self.inner.read(split):
            yield batch._replace(values=self._joined(batch.values, info))

    def regions(self, path: str, size: int, target: int) -> list[tuple[int, int]]:
        return self.inner.regions(path, size, target)

    def sub_splits(self, split: FileSourceSplit, elements: int) -> list[FileSourceSplit]:
        return self.inner.sub_splits(split, elements)

    def _joined(self, values: Any, info: tuple[Any, ...]) -> Sequence[Any]:
        return [(value, info) for value in values]


class LinesWithInfo(_WithInfo, StreamFormat):
    """Lines, or lines with the values of their folders."""


class RecordsWithInfo(_WithInfo, BulkFormat):
    """Records."""


class ColumnsWithInfo(_WithInfo, BulkFormat):
    """Rows as columns: what is known of the file is in columns behind them."""

    def _joined(self, values: Any, info: tuple[Any, ...]) -> Sequence[Any]:
        import pyarrow as pa

        from windrow.elements.columns import Columns
        from windrow.elements.shape import TupleShape

        batch, kinds = values.batch, [lt.arrow_of(FILE_INFO[key][0]) for key in self.keys]
        behind = [pa.repeat(pa.scalar(value, kind), batch.num_rows) for value, kind in zip(info, kinds, strict=True)]
        arrays = [*batch.columns, *behind]
        return Columns.of(TupleShape(tuple([array.type for array in arrays])), arrays)
