"""A row group of a Parquet file, of which those columns are read that somebody looks at."""

from __future__ import annotations

import contextlib
import weakref
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from windrow.common.composite_types import RowTypeInfo, TupleTypeInfo
from windrow.connectors.files.lines import reading
from windrow.errors import JobExecutionError

if TYPE_CHECKING:
    from windrow.elements.columns import Columns
    from windrow.elements.deferred import ReadFields


class RowGroup:
    """Reads the rows of a row group, some thousands at a time.

    Each column is read by itself: of the rows whose column somebody asks for, and of those before them, which are
    thrown away unless somebody still has them. So no column is read twice, whatever is asked for when.

    Args:
        file: The open file.
        group: The row group's number.
        columns: The names of the columns of the elements' fields.
        row_type: What the elements are declared to be.
        path: Of the file, for errors.
    """

    def __init__(
        self, file: Any, group: int, columns: Sequence[str], row_type: RowTypeInfo | TupleTypeInfo, path: str
    ) -> None:
        from windrow.elements.shape import shape_of

        self._file = file
        self._group = group
        self._columns = columns
        self._shape = shape_of(row_type)
        self._path = path
        schema = file.schema_arrow
        stored = [schema.field(schema.names.index(column)).type for column in columns]
        #: Columns of another type than declared: a value that does not fit is an error, whoever looks at it.
        self._converted = [place for place, kind in enumerate(self._shape.types) if stored[place] != kind]
        #: The fields of the rows that were given, of those that somebody still has.
        self._given: list[weakref.ref[ReadFields]] = []
        #: What reads each column, once it was asked for, and how many of those that were given it has passed.
        self._readers: dict[int, tuple[Iterator[Any], int]] = {}

    def batches(self, size: int) -> Iterator[Columns]:
        """The rows as elements, ``size`` at a time."""
        from windrow.elements.columns import Columns
        from windrow.elements.deferred import ReadFields

        self._size = size
        rows = self._file.metadata.row_group(self._group).num_rows
        for number, start in enumerate(range(0, rows, size)):
            fields = ReadFields(self, number, len(self._columns), min(size, rows - start))
            self._given.append(weakref.ref(fields))
            for index in self._converted:
                fields.put(index, self.read(number, index))
            yield Columns.deferred(self._shape, fields)
            del fields  # nobody has them if nobody has taken them

    def read(self, number: int, index: int) -> Any:
        """A field of the elements that were given as the ones with this number.

        Raises:
            JobExecutionError: the file is damaged, or the column not what it is declared to be.
        """
        with damaged_named(self._path):
            reader, passed = self._readers.get(index) or (self._reader(index), 0)
            for each in range(passed, number):
                array, fields = self._next(reader, index), self._given[each]()
                if fields is not None:
                    fields.put(index, array)
            self._readers[index] = reader, number + 1
            return self._next(reader, index)

    def _reader(self, index: int) -> Iterator[Any]:
        batches: Iterator[Any] = self._file.iter_batches(
            self._size, [self._group], [self._columns[index]], use_threads=False
        )
        return batches

    def _next(self, reader: Iterator[Any], index: int) -> Any:
        name = self._columns[index]
        array = next(reader).column(name)
        return declared(array, self._shape.types[index], name, self._path)


def declared(array: Any, kind: Any, column: str, path: str) -> Any:
    """The values of a column as the type that it is declared to have.

    Raises:
        JobExecutionError: it is another one.
    """
    import pyarrow as pa

    try:
        return array if array.type == kind else array.cast(kind)
    except pa.ArrowException as error:
        msg = f"the source reads the column {column!r} of {path} as {kind}, which it is not: {error}"
        raise JobExecutionError(msg) from error


@contextlib.contextmanager
def damaged_named(path: str) -> Iterator[None]:
    """Name the Parquet file in what is raised while it is read."""
    import pyarrow as pa

    with reading(path):
        try:
            yield
        except pa.ArrowException as error:
            msg = f"the source cannot read {path} as Parquet: {error}"
            raise JobExecutionError(msg) from error
