"""Fields of columns that are not there yet: each is read, cut or taken when somebody asks for it first."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, Protocol, overload

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from windrow.elements.fields import Field


class DeferredFields(Sequence[Field], ABC):
    """The fields of elements, of which only those are made that somebody asks for.

    A field that no function looks at is neither read from its file, nor copied where elements are chosen.

    Args:
        fields: How many fields an element has.
        count: How many elements there are.
    """

    __slots__ = ("_found", "length")

    def __init__(self, fields: int, count: int) -> None:
        self._found: list[Field | None] = [None] * fields
        self.length = count

    @abstractmethod
    def _make(self, index: int) -> Field:
        """The values of a field, asked for once."""

    @property
    def are_missing(self) -> bool:
        """True while there are fields that nobody has asked for yet."""
        return any(field is None for field in self._found)

    def part(self, start: int, stop: int) -> DeferredFields:
        """Those of the elements from ``start`` to below ``stop``, which is at most :attr:`length`."""
        return _Part(self, start, stop)

    def selected(self, places: Sequence[int | None], made: Mapping[int, Field] | None = None) -> DeferredFields:
        """Fields of other elements, one for each of these.

        Args:
            places: Which of the fields each of them is; None: none of them.
            made: What those are that are none of them, by their places among the fields of the other elements.
        """
        selected = _Selected(self, places)
        for place, field in (made or {}).items():
            selected._found[place] = field
        return selected

    def taken(self, indexes: NDArray[np.int64], known: Sequence[tuple[Field, Field]] = ()) -> DeferredFields:
        """Those of the elements at ``indexes``.

        Args:
            indexes: Of the elements, in their order.
            known: Columns of the elements, and what was taken of each: a field that is one of them is there already.
        """
        taken = _Taken(self, indexes)
        for place, field in enumerate(self._found):
            if field is not None:
                taken._found[place] = next((found for whole, found in known if _is_same(field, whole)), None)
        return taken

    def __len__(self) -> int:
        return len(self._found)

    @overload
    def __getitem__(self, index: int) -> Field: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[Field]: ...

    def __getitem__(self, index: int | slice) -> Field | Sequence[Field]:
        if isinstance(index, slice):
            return [self[place] for place in range(*index.indices(len(self)))]
        found = self._found[index]
        if found is None:
            index = range(len(self._found))[index]
            found = self._found[index] = self._make(index)
            if not self.are_missing:
                self._let_go()
        return found

    def _let_go(self) -> None:
        """Nothing is to be made any more."""


class FieldReader(Protocol):
    """Reads fields of elements that it has given, each of them once."""

    def read(self, number: int, index: int) -> Field:
        """A field of the elements with this number among those that it has given."""


class ReadFields(DeferredFields):
    """Fields that are read when somebody asks for them.

    Args:
        reader: Reads them.
        number: Which of its elements these are.
        fields: How many fields an element has.
        count: How many elements there are.
    """

    __slots__ = ("__weakref__", "_number", "_reader")

    def __init__(self, reader: FieldReader, number: int, fields: int, count: int) -> None:
        super().__init__(fields, count)
        self._reader: FieldReader | None = reader
        self._number = number

    def put(self, index: int, field: Field) -> None:
        """Take a field that was read before somebody has asked for it."""
        self._found[index] = field

    def _make(self, index: int) -> Field:
        assert self._reader is not None, "what is not made yet is still to be read"
        return self._reader.read(self._number, index)

    def _let_go(self) -> None:
        self._reader = None


class _Derived(DeferredFields):
    """Fields that are made of others."""

    __slots__ = ("_whole",)

    def __init__(self, whole: Sequence[Field], fields: int, count: int) -> None:
        super().__init__(fields, count)
        self._whole: Sequence[Field] | None = whole

    def _of_all(self, index: int) -> Field:
        assert self._whole is not None, "what is not made yet has something to be made of"
        return self._whole[index]

    def _let_go(self) -> None:
        self._whole = None


class ArrowFields(_Derived):
    """Fields as columns of Arrow.

    Args:
        fields: The fields.
        types: The types that they are to have.
        count: How many elements there are.
    """

    __slots__ = ("_types",)

    def __init__(self, fields: Sequence[Field], types: Sequence[pa.DataType], count: int) -> None:
        super().__init__(fields, len(types), count)
        self._types = types

    def taken(self, indexes: NDArray[np.int64], known: Sequence[tuple[Field, Field]] = ()) -> ArrowFields:
        return ArrowFields(super().taken(indexes, known), self._types, len(indexes))

    def _make(self, index: int) -> pa.Array:
        array = arrow(self._of_all(index))
        return array if array.type == self._types[index] else array.cast(self._types[index])


class _Selected(_Derived):
    __slots__ = ("_places",)

    def __init__(self, whole: DeferredFields, places: Sequence[int | None]) -> None:
        super().__init__(whole, len(places), whole.length)
        self._places = places

    def _make(self, index: int) -> Field:
        place = self._places[index]
        assert place is not None, "what is none of the fields is made already"
        return self._of_all(place)


class _Part(_Derived):
    __slots__ = ("_start",)

    def __init__(self, whole: DeferredFields, start: int, stop: int) -> None:
        super().__init__(whole, len(whole), stop - start)
        self._start = start

    def _make(self, index: int) -> Field:
        return self._of_all(index)[self._start : self._start + self.length]


class _Taken(_Derived):
    __slots__ = ("_indexes",)

    def __init__(self, whole: DeferredFields, indexes: NDArray[np.int64]) -> None:
        super().__init__(whole, len(whole), len(indexes))
        self._indexes = indexes

    def _make(self, index: int) -> Field:
        field = self._of_all(index)
        if isinstance(field, np.ndarray):
            return field[self._indexes]
        if not field.null_count and (pa.types.is_int64(field.type) or pa.types.is_float64(field.type)):
            numbers: NDArray[Any] = field.to_numpy()[self._indexes]
            return numbers
        return field.take(pa.array(self._indexes))


def arrow(field: Field | Sequence[Any]) -> pa.Array:
    """A field as a column of Arrow; numbers are not copied."""
    if isinstance(field, pa.Array):
        return field
    if not isinstance(field, np.ndarray) or field.dtype != np.bool_:
        return pa.array(field)
    # Arrow has a bit for each, and takes seven times as long to make them.
    bits = pa.py_buffer(np.packbits(field, bitorder="little"))
    return pa.Array.from_buffers(pa.bool_(), len(field), [None, bits])


def _is_same(field: Field, other: Field) -> bool:
    """Tell whether both are the same numbers of 64 bits in the same place in memory; False if there are none."""
    some, others = (_numbers(each) for each in (field, other))
    if some is None or others is None or some.dtype != others.dtype or len(some) != len(others) or not len(some):
        return False
    places = [(each.__array_interface__["data"], each.strides) for each in (some, others)]
    return places[0] == places[1]


def _numbers(field: Field) -> NDArray[Any] | None:
    if isinstance(field, np.ndarray):
        return field
    if field.null_count or not (pa.types.is_int64(field.type) or pa.types.is_float64(field.type)):
        return None
    numbers: NDArray[Any] = field.to_numpy()
    return numbers
