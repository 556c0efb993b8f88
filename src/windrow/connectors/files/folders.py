"""Folders that are values: ``day=2024-03-10/shop=north``, as Hive, Spark and Flink have them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from windrow.connectors.files.buckets import BucketAssigner
from windrow.connectors.files.file_format import BulkFormat, FileBatch, FileFormat, StreamFormat
from windrow.connectors.files.split import FileSourceSplit
from windrow.errors import JobExecutionError

if TYPE_CHECKING:
    from windrow.elements.columns import Columns

#: What a name may not have in a path, and what tells names from values (Flink's ``PartitionPathUtils``).
_ESCAPED = re.compile(r"[\x00-\x1f\x7f\"#%'*/:=?\\{}\[\]^]")


def folder_of(names: Sequence[str], values: Sequence[str]) -> str:
    """The folder of some values.

    Example:
        >>> folder_of(["day", "shop"], ["2024-03-10", "a/b"])
        'day=2024-03-10/shop=a%2Fb'
    """
    return "/".join([f"{_escaped(name)}={_escaped(value)}" for name, value in zip(names, values, strict=True)])


def values_of(path: str, names: Sequence[str]) -> list[str]:
    """The values that the folders of a file have.

    Raises:
        JobExecutionError: a name has none.

    Example:
        >>> values_of("/data/day=2024-03-10/shop=a%2Fb/part-0-0-0", ["shop", "day"])
        ['a/b', '2024-03-10']
    """
    found: dict[str, str] = {}
    for part in path.split("/")[:-1]:
        name, is_value, value = part.partition("=")
        if is_value:
            found[unquote(name)] = unquote(value)
    missing = [name for name in names if name not in found]
    if missing:
        msg = (
            f"the source cannot read {path}: a file of a table with PARTITIONED BY ({', '.join(names)}) lies in "
            f"folders such as {folder_of(names, ['...'] * len(names))}, and none of its folders is {missing[0]}=..."
        )
        raise JobExecutionError(msg)
    return [found[name] for name in names]


def _escaped(text: str) -> str:
    return _ESCAPED.sub(lambda found: f"%{ord(found.group()):02X}", text)


class FolderAssigner(BucketAssigner):
    """Elements are pairs of a folder and what goes into its files."""

    def bucket(self, now: float) -> str:
        return ""

    def split(self, values: Sequence[Any], now: float) -> list[tuple[str, Sequence[Any]]]:
        folders: dict[str, list[Any]] = {}
        for folder, content in values:
            folders.setdefault(folder, []).append(content)
        return list(folders.items())


@dataclass(frozen=True)
class LinesInFolders(StreamFormat):
    """Lines, each with the values of its file's folders behind it."""

    lines: FileFormat
    names: tuple[str, ...]

    def read(self, split: FileSourceSplit) -> Iterator[FileBatch]:
        values = values_of(split.path, self.names)
        for batch in self.lines.read(split):
            yield batch._replace(values=[(line, *values) for line in batch.values])

    def regions(self, path: str, size: int, target: int) -> list[tuple[int, int]]:
        return self.lines.regions(path, size, target)

    def sub_splits(self, split: FileSourceSplit, elements: int) -> list[FileSourceSplit]:
        return self.lines.sub_splits(split, elements)


@dataclass(frozen=True)
class RowsInFolders(BulkFormat):
    """Rows as columns, with the values of their file's folders, as text, in columns behind them."""

    rows: FileFormat
    names: tuple[str, ...]

    def read(self, split: FileSourceSplit) -> Iterator[FileBatch]:
        values = values_of(split.path, self.names)
        for batch in self.rows.read(split):
            yield batch._replace(values=_with_values(batch.values, values))  # type: ignore[arg-type]

    def regions(self, path: str, size: int, target: int) -> list[tuple[int, int]]:
        return self.rows.regions(path, size, target)

    def sub_splits(self, split: FileSourceSplit, elements: int) -> list[FileSourceSplit]:
        return self.rows.sub_splits(split, elements)


def _with_values(columns: Columns, values: Sequence[str]) -> Columns:
    import pyarrow as pa

    from windrow.elements.columns import Columns
    from windrow.elements.shape import TupleShape

    batch = columns.batch
    arrays = [*batch.columns, *[pa.repeat(value, batch.num_rows) for value in values]]
    return Columns.of(TupleShape(tuple([array.type for array in arrays])), arrays)
