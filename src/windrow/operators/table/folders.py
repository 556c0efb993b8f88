"""Tables whose files lie in folders that are values of columns."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from windrow.elements.batch import Batch
from windrow.expressions import reading
from windrow.expressions.logical_types import is_text
from windrow.expressions.text import to_text
from windrow.operators.base import Operator
from windrow.operators.table.calc import arrays_of
from windrow.operators.table.line_format import LineFormat
from windrow.table.data_types import DataType

if TYPE_CHECKING:
    from windrow.common.composite_types import RowTypeInfo

#: Makes the folder of the texts of some columns.
FolderOf = Callable[[Sequence[str]], str]


class FolderColumns:
    """The columns of a table that are folders: knows which they are, and how their values are written.

    Args:
        types: The types of the table's columns.
        places: Those that are folders, outermost first.
        default: The folder of NULL, and of a text without letters.
        folder_of: Makes a folder of texts.
    """

    def __init__(self, types: Sequence[DataType], places: Sequence[int], default: str, folder_of: FolderOf) -> None:
        self.types = list(types)
        self.places = list(places)
        self.others = [place for place in range(len(self.types)) if place not in self.places]
        self._default = default
        self._folder_of = folder_of
        kinds = [self.types[place] for place in self.places]
        self._readers = [reading.reader(kind) if not is_text(kind) else str for kind in kinds]
        self._writers = [to_text(kind) for kind in kinds]

    def read(self, texts: Sequence[str]) -> list[Any]:
        """The values of folders."""
        return [None if text == self._default else read(text) for text, read in zip(texts, self._readers, strict=True)]

    def folder(self, values: Sequence[Any]) -> str:
        """The folder of values, one for each column that is a folder."""
        texts = [
            self._default if value is None else write(value) or self._default
            for value, write in zip(values, self._writers, strict=True)
        ]
        return self._folder_of(texts)


class FolderLines(LineFormat):
    """Reads a line and the texts of its folders, and writes a folder and a line.

    Args:
        lines: The format of the columns that are in files.
        names: What all columns are called.
        columns: Which of them are folders.
    """

    def __init__(self, lines: LineFormat, names: Sequence[str], columns: FolderColumns) -> None:
        super().__init__(names, columns.types, ignore_errors=lines.ignore_errors)
        self._lines = lines
        self._columns = columns

    def read(self, line: Any) -> tuple[Any, ...] | None:
        content, *texts = line
        values = self._lines.read(content)
        if values is None:
            return None
        row: list[Any] = [None] * len(self.types)
        for places, part in ((self._columns.others, values), (self._columns.places, self._columns.read(texts))):
            for place, value in zip(places, part, strict=True):
                row[place] = value
        return tuple(row)

    def write(self, values: Sequence[Any]) -> Any:
        folder = self._columns.folder([values[place] for place in self._columns.places])
        return folder, self._lines.write([values[place] for place in self._columns.others])


class FromFoldersOperator(Operator):
    """Tuples of columns, of which those behind are the texts of folders, and behind these others that stay so.

    Args:
        columns: Which columns of the table are folders.
        behind: The types of the last columns.
    """

    def __init__(self, columns: FolderColumns, behind: Sequence[DataType] = ()) -> None:
        self._columns = columns
        self._behind = list(behind)

    def takes_columns(self, shape: Any) -> bool:
        return True

    def process_batch(self, batch: Batch) -> None:
        if not len(batch):
            return
        import pyarrow as pa

        from windrow.elements.columns import Columns
        from windrow.expressions.logical_types import STRING, arrow_of
        from windrow.operators.table.calc import tuples_of

        columns, shape = self._columns, tuples_of([*self._columns.types, *self._behind])
        kinds = [*[columns.types[place] for place in columns.others], *[STRING] * len(columns.places), *self._behind]
        arrays = arrays_of(batch, kinds)
        inside, known = len(columns.others), len(columns.types)
        texts = list(zip(*[array.to_pylist() for array in arrays[inside:known]], strict=True))
        read = {each: columns.read(each) for each in set(texts)}
        made: dict[int, Any] = dict(zip(columns.others, arrays[:inside], strict=True))
        for number, place in enumerate(columns.places):
            made[place] = pa.array([read[each][number] for each in texts], arrow_of(columns.types[place]))
        ordered = [*[made[place] for place in range(known)], *arrays[known:]]
        self.context.output.emit_batch(Batch(Columns.of(shape, ordered), batch.timestamp_array()))


class ToFoldersOperator(Operator):
    """Pairs of a folder and a Row of the columns that are in files.

    Args:
        columns: Which columns are folders.
        row_type: The type of the Rows.
    """

    def __init__(self, columns: FolderColumns, row_type: RowTypeInfo) -> None:
        self._columns = columns
        self._row_type = row_type

    def process_batch(self, batch: Batch) -> None:
        if not len(batch):
            return
        from windrow.elements.columns import Columns
        from windrow.elements.shape import shape_of

        columns, shape = self._columns, shape_of(self._row_type)
        arrays = arrays_of(batch, columns.types)
        inside = [arrays[place].cast(kind) for place, kind in zip(columns.others, shape.types, strict=True)]
        outside = list(zip(*[arrays[place].to_pylist() for place in columns.places], strict=True))
        rows = Columns.of(shape, inside).rows()
        pairs = [(columns.folder(values), row) for values, row in zip(outside, rows, strict=True)]
        self.context.output.emit_batch(Batch(pairs, batch.timestamps))
