"""Parquet files as rows: a region is some row groups, and rows stay columns until somebody looks at them."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

from windrow.common.composite_types import RowTypeInfo, TupleTypeInfo
from windrow.connectors.files.file_format import BulkFormat, FileBatch
from windrow.connectors.files.lines import reading
from windrow.connectors.files.paths import path_or_file
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
        with _opened(split.path) as file:
            columns = self._columns(file.schema_arrow.names, split.path)
            for group in _groups(file.metadata, split):
                if group < first:
                    continue
                for batch in file.iter_batches(self.batch_size, [group], columns, use_threads=False):
                    yield FileBatch(group, shaped(batch, columns, self.row_type, split.path))

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

    def pieces(self, split: FileSourceSplit, elements: int) -> list[FileSourceSplit]:
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
    import pyarrow as pa
    import pyarrow.parquet as pq

    with reading(path):
        try:
            with pq.ParquetFile(path_or_file(path), memory_map=True) as file:
                yield file
        except pa.ArrowException as error:
            msg = f"the source cannot read {path} as Parquet: {error}"
            raise JobExecutionError(msg) from error


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
    arrays = []
    for column, field in zip(columns, shape.schema, strict=True):
        array = batch.column(column)
        try:
            arrays.append(array if array.type == field.type else array.cast(field.type))
        except pa.ArrowException as error:
            msg = f"the source reads the column {column!r} of {path} as {field.type}, which it is not: {error}"
            raise JobExecutionError(msg) from error
    return Columns(pa.RecordBatch.from_arrays(arrays, schema=shape.schema), shape)
