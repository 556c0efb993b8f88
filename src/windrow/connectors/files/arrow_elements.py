"""Rows of an Arrow record batch as elements of a source."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeGuard, overload

import pyarrow as pa

from windrow.common.composite_types import RowTypeInfo, TupleTypeInfo
from windrow.common.copies import copied_each
from windrow.common.types import Row
from windrow.connectors.files.arrow_columns import ToPython, to_python, values_of
from windrow.connectors.files.arrow_rows import arrow_type
from windrow.connectors.lazy import LazyElements
from windrow.connectors.named_rows import named_rows


@dataclass(frozen=True)
class ElementShape:
    """What a row becomes.

    Args:
        type_info: A row type: ``Row`` with its names; a tuple type: a tuple. None: ``Row`` with the columns' names.
    """

    type_info: RowTypeInfo | TupleTypeInfo | None = None

    @cached_property
    def schema(self) -> pa.Schema | None:
        """What columns have to be for :meth:`rows`, in order; None: they may be anything."""
        if self.type_info is None:
            return None
        types = self.type_info.get_field_types()
        return pa.schema(
            [
                (name, arrow_type(kind, f"field {name!r}")[0])
                for name, kind in zip(self._names(self.type_info), types, strict=True)
            ]
        )

    def rows(self, batch: pa.RecordBatch) -> list[Any]:
        """The rows as elements."""
        converts: Sequence[ToPython | None] = self._converts or [None] * batch.num_columns
        columns = [_column(column, convert) for column, convert in zip(batch.columns, converts, strict=True)]
        if isinstance(self.type_info, TupleTypeInfo):
            return list(zip(*columns, strict=True))
        names = batch.schema.names if self.type_info is None else self.type_info.get_field_names()
        return named_rows(names, columns) if columns else [Row() for _ in range(batch.num_rows)]

    @cached_property
    def _converts(self) -> list[ToPython | None] | None:
        return None if self.type_info is None else [to_python(kind) for kind in self.type_info.get_field_types()]

    @staticmethod
    def _names(type_info: RowTypeInfo | TupleTypeInfo) -> list[str]:
        if isinstance(type_info, RowTypeInfo):
            return type_info.get_field_names()
        return [f"f{index}" for index in range(len(type_info.get_field_types()))]

    def __reduce__(self) -> tuple[Any, ...]:
        return ElementShape, (self.type_info,)


@dataclass(eq=False)
class ArrowElements(LazyElements):
    """The rows of a record batch, made when somebody looks at them.

    Args:
        batch: The columns, as ``shape`` wants them.
        shape: What a row becomes.

    Example:
        >>> elements = ArrowElements(pa.record_batch({"n": [1, 2, 3]}), ElementShape())
        >>> len(elements), elements.untouched
        (3, True)
        >>> elements[1:]
        ArrowElements of 2 rows
        >>> list(elements)
        [Row(n=1), Row(n=2), Row(n=3)]
    """

    batch: pa.RecordBatch
    shape: ElementShape
    _rows: list[Any] | None = field(default=None, repr=False)

    @property
    def untouched(self) -> bool:
        return self._rows is None

    def take(self, indexes: Sequence[int]) -> Sequence[Any]:
        if self._rows is not None:
            rows = self._rows
            return [rows[index] for index in indexes]
        return ArrowElements(self.batch.take(pa.array(indexes, pa.int64())), self.shape)

    def copied(self) -> Sequence[Any]:
        nested = any(pa.types.is_nested(column) for column in self.batch.schema.types)
        if isinstance(self.shape.type_info, TupleTypeInfo) and not nested:
            return self
        return ArrowElements(self.batch, self.shape) if self._rows is None else copied_each(self._rows)

    def joined(self, others: Sequence[Sequence[Any]]) -> Sequence[Any]:
        batches = [self.batch, *(other.batch for other in others if self._is_alike(other))]
        if self.untouched and len(batches) == len(others) + 1:
            return ArrowElements(pa.concat_batches(batches), self.shape)
        return [element for elements in (self, *others) for element in elements]

    def _is_alike(self, other: Sequence[Any]) -> TypeGuard[ArrowElements]:
        if not isinstance(other, ArrowElements) or not other.untouched:
            return False
        return other.shape == self.shape and bool(other.batch.schema == self.batch.schema)

    def __len__(self) -> int:
        return int(self.batch.num_rows)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._all())

    @overload
    def __getitem__(self, index: int) -> Any: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[Any]: ...

    def __getitem__(self, index: int | slice) -> Any:
        if isinstance(index, slice) and self._rows is None:
            start, stop, step = index.indices(len(self))
            if step == 1:
                return ArrowElements(self.batch.slice(start, max(0, stop - start)), self.shape)
        return self._all()[index]

    def __eq__(self, other: object) -> bool:
        return self._all() == (other._all() if isinstance(other, ArrowElements) else other)

    __hash__ = None  # type: ignore[assignment]  # as of a list

    def __repr__(self) -> str:
        return f"ArrowElements of {len(self)} rows" if self._rows is None else repr(self._rows)

    def __reduce__(self) -> tuple[Any, ...]:
        if self._rows is not None:
            return list, (self._rows,)
        return _read, (_written(self.batch), self.shape)

    def _all(self) -> list[Any]:
        if self._rows is None:
            self._rows = self.shape.rows(self.batch)
        return self._rows


def _column(column: pa.Array, convert: ToPython | None) -> list[Any]:
    if convert is None:
        return values_of(column)
    if pa.types.is_timestamp(column.type):
        column = column.cast(pa.int64())  # an instant has nanoseconds, which Python's times have not
    return [convert(value) for value in column.to_pylist()]


def _written(batch: pa.RecordBatch) -> bytes:
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, batch.schema) as writer:
        writer.write_batch(batch)
    written: bytes = sink.getvalue().to_pybytes()
    return written


def _read(data: bytes, shape: ElementShape) -> ArrowElements:
    with pa.ipc.open_stream(data) as reader:
        return ArrowElements(reader.read_next_batch(), shape)
