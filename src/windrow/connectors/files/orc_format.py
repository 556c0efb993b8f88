"""ORC files as rows, which stay columns until somebody looks at them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from windrow.common.composite_types import RowTypeInfo
from windrow.connectors.files.file_format import BulkFormat, FileBatch
from windrow.connectors.files.lines import reading
from windrow.connectors.files.parquet_format import shaped
from windrow.connectors.files.paths import path_or_file
from windrow.connectors.files.split import FileSourceSplit
from windrow.errors import JobExecutionError


@dataclass(frozen=True)
class OrcFormat(BulkFormat):
    """Stripes; made, and described, by ``OrcColumnarRowInputFormat``. Arrow does not say where stripes lie."""

    row_type: RowTypeInfo | None

    gives_columns: ClassVar[bool] = True

    @property
    def produced_type(self) -> RowTypeInfo | None:  # type: ignore[override]
        return self.row_type

    def read(self, split: FileSourceSplit) -> Iterator[FileBatch]:

        first = 0 if split.position is None else max(0, split.position.offset)
        with reading(split.path):
            file = _opened(split.path)
            columns = self._columns(file.schema.names, split.path)
            for stripe in range(first, file.nstripes if split.offset == 0 else 0):
                batch = file.read_stripe(stripe, columns)
                yield FileBatch(stripe, shaped(batch, columns, self.row_type, split.path))

    def _columns(self, present: list[str], path: str) -> list[str] | None:
        """The names of the columns to read; None: all of them."""
        if self.row_type is None:
            return None
        for name in self.row_type.get_field_names():
            if name not in present:
                msg = f"the source is to read the column {name!r} of {path}, which has only {', '.join(present)}"
                raise JobExecutionError(msg)
        return self.row_type.get_field_names()


def _opened(path: str) -> Any:
    import pyarrow as pa
    from pyarrow import orc

    source = path_or_file(path)
    try:
        return orc.ORCFile(source)
    except (pa.ArrowException, OSError) as error:
        if isinstance(error, OSError) and error.filename is not None:  # the file system's, not Arrow's
            raise
        msg = f"the source cannot read {path}, which is no whole ORC file: {error}"
        raise JobExecutionError(msg) from error
