"""Parquet files as rows: a region is some row groups, and rows stay columns until somebody looks at them."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

from windrow.common.composite_types import RowTypeInfo, TupleTypeInfo
from windrow.connectors.files.file_format import BulkFormat, FileBatch
from windrow.connectors.files.paths import path_or_file
from windrow.connectors.files.row_group import RowGroup, damaged_named, declared
from windrow.connectors.files.split import FilePosition, FileSourceSplit
from windrow.errors import JobExecutionError

if TYPE_CHECKING:
    from windrow.elements.columns import Columns


@dataclass(frozen=True)
class ParquetFormat(BulkFormat):
    """Row groups; made, and described, by ``ParquetColumnarRowInputFormat``."""

    row_type: RowTypeInfo | TupleTypeInfo | None
    batch_size: int
    case_sensitive: bool = True

    gives_columns: ClassVar[bool] = True

    @property
    def produced_type(self) -> RowTypeInfo | TupleTypeInfo | None:  # type: ignore[override]
        return self.row_type

    def read(self, split: FileSourceSplit) -> Iterator[FileBatch]:
        first = 0 if split.position is None else split.position.offset
        with damaged_named(split.path):
            # It is closed when nobody has elements any more of which a column may still be read.
            file = _open(split.path)
            columns = self._columns(file.schema_arrow.names, split.path)
            groups = [group for group in _groups(file.metadata, split) if group >= first]
        for group in groups:
            if columns is None or self.row_type is None or len(set(columns)) < len(columns):
                yield from self._whole(file, group, columns, split.path)
            else:
                reading = RowGroup(file, group, columns, self.row_type, split.path)
                for elements in reading.batches(self.batch_size):
                    yield FileBatch(group, elements)

    def _whole(self, file: Any, group: int, columns: list[str] | None, path: str) -> Iterator[FileBatch]:
        """All columns of a row group at once."""
        with damaged_named(path):
            batches = file.iter_batches(self.batch_size, [group], columns, use_threads=False)
        while True:
            with damaged_named(path):
                batch = next(batches, None)
            if batch is None:
                return
            yield FileBatch(group, shaped(batch, columns, self.row_type, path))

    def regions(self, path: str, size: int, target: int) -> list[tuple[int, int]]:
        if size <= target:
            return [(0, size)]
        with _opened(path) as file:
            starts = _starts(file.metadata)
        cuts = [0]
        for start in starts[1:]:
            if start - cuts[-1] >= target:
                cuts.append(start)
        return [(start, stop - start) for start, stop in zip(cuts, [*cuts[1:], size], strict=True)]

    def sub_splits(self, split: FileSourceSplit, elements: int) -> list[FileSourceSplit]:
        with _opened(split.path) as file:
            rows = [(group, file.metadata.row_group(group).num_rows) for group in _groups(file.metadata, split)]
        return [
            replace(split, position=FilePosition(group, skip), limit=min(elements, count - skip))
            for group, count in rows
            for skip in range(0, count, elements)
        ]

    def _columns(self, present: list[str], path: str) -> list[str] | None:
        """The names of the columns to read; None: all of them."""
        if self.row_type is None:
            return None
        if isinstance(self.row_type, TupleTypeInfo):
            count = len(self.row_type.get_field_types())
            if count > len(present):
                msg = f"the source is to read {count} columns of {path}, which has only {len(present)}"
                raise JobExecutionError(msg)
            return present[:count]
        return [self._column(name, present, path) for name in self.row_type.get_field_names()]

    def _column(self, name: str, present: list[str], path: str) -> str:
        """Find what the file calls the column."""
        if name in present:
            return name
        alike = [] if self.case_sensitive else [other for other in present if other.casefold() == name.casefold()]
        if len(alike) == 1:
            return alike[0]
        has = f"has {' and '.join(alike)}" if alike else f"has only {', '.join(present)}"
        msg = f"the source is to read the column {name!r} of {path}, which {has}"
        raise JobExecutionError(msg)


@contextlib.contextmanager
def _opened(path: str) -> Iterator[Any]:
    """A Parquet file, with errors that name it."""
    with damaged_named(path), _open(path) as file:
        yield file


def _open(path: str) -> Any:
    import pyarrow.parquet as pq

    return pq.ParquetFile(path_or_file(path), memory_map=True)


def _starts(metadata: Any) -> list[int]:
    """The first byte of each row group."""
    return [_start(metadata.row_group(group)) for group in range(metadata.num_row_groups)]


def _start(group: Any) -> int:
    if not group.num_columns:
        return 0
    column = group.column(0)
    dictionary = column.dictionary_page_offset
    return int(column.data_page_offset if dictionary is None else min(dictionary, column.data_page_offset))


def _groups(metadata: Any, split: FileSourceSplit) -> list[int]:
    """The row groups that begin in the region."""
    return [group for group, start in enumerate(_starts(metadata)) if split.offset <= start < split.stop]


def shaped(batch: Any, columns: list[str] | None, row_type: RowTypeInfo | TupleTypeInfo | None, path: str) -> Columns:
    """The rows of a record batch as elements: of a declared type, with these of its columns, or with all it has."""
    import pyarrow as pa

    from windrow.elements.columns import Columns
    from windrow.elements.shape import RowShape, shape_of

    if columns is None or row_type is None:
        return Columns(batch, RowShape.of_schema(batch.schema))
    shape = shape_of(row_type)
    pairs = zip(columns, shape.types, strict=True)
    arrays = [declared(batch.column(column), kind, column, path) for column, kind in pairs]
    return Columns(pa.RecordBatch.from_arrays(arrays, schema=shape.schema), shape)
