"""Elements as columns: arrays, an Arrow record batch of them, and rows when somebody looks at one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, overload

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from windrow.common.copies import copied_each
from windrow.elements.deferred import DeferredFields, arrow
from windrow.elements.fields import Field, concatenated, take
from windrow.elements.shape import Shape


class Columns(Sequence[Any]):
    """Elements of one shape, a column for each field.

    What only counts, cuts, moves or computes with columns makes no objects. Iterating or indexing makes the objects of
    all elements, once: whoever looks later sees the same objects. Where these can be changed (a ``Row``), they and not
    the columns are the truth from then on.

    What was computed stays as NumPy has it: a record batch is made of it when somebody asks for one. In a chain of
    operators that compute with numbers nobody does, and making it took as long as computing with some 10,000. Fields
    that are read from a file may be :class:`~windrow.elements.deferred.DeferredFields`, which come when somebody asks
    for them.

    Args:
        batch: The columns, with the schema of ``shape``.
        shape: What an element is made of.

    Example:
        >>> from windrow.elements.shape import TupleShape
        >>> pairs = TupleShape((pa.int64(), pa.float64()))
        >>> elements = Columns.of(pairs, [np.array([1, 2, 3]), np.array([0.5, 1.5, 2.5])])
        >>> len(elements), elements.untouched
        (3, True)
        >>> elements[1:]
        Columns of 2 elements
        >>> list(elements)
        [(1, 0.5), (2, 1.5), (3, 2.5)]
    """

    __slots__ = ("_batch", "_count", "_fields", "_rows", "shape")
    __hash__ = None  # type: ignore[assignment]  # as of a list

    def __init__(self, batch: pa.RecordBatch, shape: Shape) -> None:
        self._batch: pa.RecordBatch | None = batch
        self._fields: Sequence[Field] | None = None
        self.shape = shape
        self._rows: list[Any] | None = None
        self._count: int = batch.num_rows

    @classmethod
    def of(cls, shape: Shape, arrays: Sequence[Field]) -> Columns:
        """Columns from arrays of Arrow or, for numbers that are all there, of NumPy."""
        if not arrays or not _are_of(shape, arrays):
            return cls(_record_batch(shape, arrays), shape)
        columns = cls.__new__(cls)
        columns._batch, columns._fields, columns.shape = None, arrays, shape
        columns._rows, columns._count = None, len(arrays[0])
        return columns

    @classmethod
    def deferred(cls, shape: Shape, fields: DeferredFields) -> Columns:
        """Columns whose fields are made when somebody asks for them; they are of the types of ``shape``."""
        columns = cls.__new__(cls)
        columns._batch, columns._fields, columns.shape = None, fields, shape
        columns._rows, columns._count = None, fields.length
        return columns

    def shaped(self, shape: Shape) -> Columns:
        """The same columns as elements of another shape, whose fields have the same names and types."""
        columns = Columns.__new__(Columns)
        columns._batch, columns._fields, columns.shape = self._batch, self._fields, shape
        columns._rows, columns._count = None, self._count
        return columns

    @property
    def is_deferred(self) -> bool:
        """True while there are fields that nobody has asked for yet."""
        return self._batch is None and isinstance(self._fields, DeferredFields) and self._fields.are_missing

    @property
    def batch(self) -> pa.RecordBatch:
        """The columns, with the schema of the shape."""
        if self._batch is None:
            assert self._fields is not None, "columns have arrays or a record batch"
            self._batch = _record_batch(self.shape, self._fields)
        return self._batch

    @property
    def fields(self) -> Sequence[Field]:
        """The column of each field: NumPy's where it was computed, else Arrow's."""
        if self._fields is None:
            self._fields = self.batch.columns
        return self._fields

    @classmethod
    def joined(cls, parts: Sequence[Sequence[Any]]) -> Columns | None:
        """Parts one behind the other; None if there are none, or they are not all columns of one shape.

        Example:
            >>> from windrow.elements.shape import LONG
            >>> list(Columns.joined([Columns.of(LONG, [np.array([1, 2])]), Columns.of(LONG, [np.array([3])])]))
            [1, 2, 3]
        """
        columns = [part for part in parts if isinstance(part, Columns)]
        if not columns or len(columns) < len(parts) or not all(part.is_like(columns[0]) for part in columns):
            return None
        if len(columns) == 1:
            return columns[0]
        shape = columns[0].shape
        if not shape.types:
            return cls(pa.concat_batches([part.batch for part in columns]), shape)
        return cls.of(shape, [concatenated(fields) for fields in zip(*(part.fields for part in columns), strict=True)])

    @property
    def untouched(self) -> bool:
        """True while nobody has looked at the elements."""
        return self._rows is None

    @property
    def are_true(self) -> bool:
        """True if the columns hold what the elements are: nobody can have changed one."""
        return self._rows is None or self.shape.never_changes

    def null_count(self, field: int) -> int:
        """Give the number of nulls in a field; an array of NumPy's has none."""
        column = self.fields[field]
        return 0 if isinstance(column, np.ndarray) else int(column.null_count)

    def numbers(self, field: int) -> NDArray[Any] | None:
        """The values of a field as NumPy's numbers, without a copy; None if some are null or it has no such form."""
        column = self.fields[field]
        if isinstance(column, np.ndarray):
            return None if column.dtype == np.bool_ else column
        if column.null_count or not (pa.types.is_integer(column.type) or pa.types.is_floating(column.type)):
            return None
        numbers: NDArray[Any] = column.to_numpy()
        return numbers

    def truths(self) -> NDArray[np.bool_]:
        """The values of the one column of truth values."""
        column = self.fields[0]
        if isinstance(column, np.ndarray):
            return column
        if column.null_count or not len(column):
            truths: NDArray[np.bool_] = column.to_numpy(zero_copy_only=False)
            return truths
        # NumPy takes a ninth of the time that Arrow takes.
        stop = column.offset + len(column)
        bits = np.unpackbits(np.frombuffer(column.buffers()[1], np.uint8), count=stop, bitorder="little")
        return bits[column.offset :].view(np.bool_)

    def bytes_of_one(self) -> int:
        """About how many bytes an element takes in columns, of which there is at least one; no object is made.

        Example:
            >>> from windrow.elements.shape import TupleShape
            >>> batch = pa.record_batch({"f0": [1, 2], "f1": ["four", "four"]})
            >>> Columns(batch, TupleShape((pa.int64(), pa.string()))).bytes_of_one()
            16
        """
        bits = 0
        for place, kind in enumerate(self.shape.types):
            try:
                bits += kind.bit_width
            except ValueError:  # some take more than others; the field is read for that, if it has not been yet
                bits += 8 * self.fields[place].nbytes // self._count
        return -(-bits // 8)

    def part(self, start: int, stop: int) -> Columns:
        """The elements from ``start`` to below ``stop``, as far as there are any, while nobody can have changed one."""
        if self._batch is None and isinstance(self._fields, DeferredFields):
            first = min(start, self._count)
            return Columns.deferred(self.shape, self._fields.part(first, max(min(stop, self._count), first)))
        if self._batch is None and self._fields is not None:
            return Columns.of(self.shape, [field[start : max(stop, start)] for field in self._fields])
        return Columns(self.batch.slice(start, max(0, stop - start)), self.shape)

    def take(self, indexes: NDArray[np.int64], known: Sequence[tuple[Field, Field]] = ()) -> Sequence[Any]:
        """The elements at ``indexes``, in that order.

        Args:
            indexes: Of the elements.
            known: Columns of which this was done already, each with what came of it: fields may be the same.
        """
        if not self.are_true:
            rows = self.rows()
            return [rows[index] for index in indexes.tolist()]
        if self._batch is None and isinstance(self._fields, DeferredFields):
            return Columns.deferred(self.shape, self._fields.taken(indexes, known))
        if self._batch is None and self._fields is not None:
            return Columns.of(self.shape, [take(field, indexes) for field in self._fields])
        return Columns(self.batch.take(pa.array(indexes)), self.shape)

    def copied(self) -> Sequence[Any]:
        """The elements for another taker, who may change them; itself, if none of them can change."""
        if self.shape.never_changes:
            return self
        if self._rows is not None:
            return copied_each(self._rows)
        if self._batch is None and isinstance(self._fields, DeferredFields):
            return Columns.deferred(self.shape, self._fields)
        return Columns(self.batch, self.shape)

    def is_like(self, other: object) -> bool:
        """Tell whether ``other`` are columns of the same shape, so that both can be one."""
        if not isinstance(other, Columns) or not other.are_true:
            return False
        return other.shape is self.shape or other.shape == self.shape

    def one_by_one(self) -> Iterator[Any]:
        """The elements as Python objects, made one after the other where nobody has looked, and nobody can change one.

        Example:
            >>> from windrow.elements.shape import LONG
            >>> next(Columns.of(LONG, [np.array([7, 8])]).one_by_one())
            7
        """
        if self._rows is not None or not self.shape.never_changes or not self.shape.types:
            return iter(self.rows())
        return self.shape.one_by_one(self.fields)

    def rows(self) -> list[Any]:
        """The elements as Python objects."""
        if self._rows is None:
            # A record batch is not made for it.
            self._rows = self.shape.rows_of(self.fields, self._count)
        return self._rows

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[Any]:
        return iter(self.rows())

    @overload
    def __getitem__(self, index: int) -> Any: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[Any]: ...

    def __getitem__(self, index: int | slice) -> Any:
        if isinstance(index, slice) and self.are_true:
            start, stop, step = index.indices(len(self))
            if step == 1:
                return self.part(start, stop)
        return self.rows()[index]

    def __eq__(self, other: object) -> bool:
        return self.rows() == (other.rows() if isinstance(other, Columns) else other)

    def __repr__(self) -> str:
        return f"Columns of {len(self)} elements" if self._rows is None else repr(self._rows)

    def __reduce__(self) -> tuple[Any, ...]:
        if not self.are_true:
            return list, (self._rows,)
        return _read, (self.batch.serialize().to_pybytes(), self.shape)


def _are_of(shape: Shape, fields: Sequence[Field]) -> bool:
    """Tell whether fields are of the shape's types, as NumPy's or as Arrow's arrays."""
    if len(fields) != len(shape.types):
        return False
    return all(
        field.dtype == dtype if isinstance(field, np.ndarray) else isinstance(field, pa.Array) and field.type == kind
        for field, kind, dtype in zip(fields, shape.types, shape.computed, strict=True)
    )


def _record_batch(shape: Shape, fields: Sequence[Field]) -> pa.RecordBatch:
    return pa.RecordBatch.from_arrays([arrow(field) for field in fields], schema=shape.schema)


def _read(data: bytes, shape: Shape) -> Columns:
    return Columns(pa.ipc.read_record_batch(pa.py_buffer(data), shape.schema), shape)
