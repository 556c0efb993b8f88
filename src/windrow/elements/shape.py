"""The shape of elements as columns: a number or text by itself, a tuple, a ``Row``, an object of a dataclass."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa

from windrow.common.composite_types import RowTypeInfo, TupleTypeInfo
from windrow.common.typeinfo import TypeInformation
from windrow.common.types import Row
from windrow.elements.arrow_types import arrow_type
from windrow.elements.arrow_values import ToPython, to_python, values_of
from windrow.elements.class_fields import made_by_name, plain_fields
from windrow.elements.named_rows import named_rows

#: What a shape finds out by itself, and does not take along.
_CACHED = ("schema", "dtypes", "computed", "converts")
_COMPUTED = {kind.id: np.dtype(kind.to_pandas_dtype()) for kind in (pa.int64(), pa.float64(), pa.bool_())}


@dataclass(frozen=True)
class Shape(ABC):
    """The fields of an element.

    Args:
        types: Arrow's type of each field.
        declared: The declared types of the fields, where values are more than Arrow gives for its own; None: they are
            what Arrow gives, and Python's int, float, bool and str for numbers and text. So is a field of None.
    """

    types: tuple[pa.DataType, ...]
    declared: tuple[TypeInformation | None, ...] | None = None

    @property
    def names(self) -> Sequence[str]:
        """The names of the columns; fields without names of their own are ``f0``, ``f1``, ..."""
        return [f"f{index}" for index in range(len(self.types))]

    @cached_property
    def schema(self) -> pa.Schema:
        """The names and types of the columns."""
        return pa.schema(list(zip(self.names, self.types, strict=True)))

    @cached_property
    def dtypes(self) -> list[np.dtype[Any]] | None:
        """NumPy's types of what is computed; None if a field is neither an integer of 64 bits, a float nor a truth."""
        found = [dtype for dtype in self.computed if dtype is not None]
        return found if len(found) == len(self.types) else None

    @cached_property
    def computed(self) -> list[np.dtype[Any] | None]:
        """The same for each field by itself."""
        return [_COMPUTED.get(kind.id) for kind in self.types]

    def rows(self, batch: pa.RecordBatch) -> list[Any]:
        """The elements that a record batch with the columns of this shape holds, as Python objects."""
        return self.rows_of(batch.columns, batch.num_rows)

    def rows_of(self, fields: Sequence[Any], count: int, values: Callable[[Any], list[Any]] = values_of) -> list[Any]:
        """The ``count`` elements whose fields are in arrays of Arrow, or of NumPy; ``values`` makes lists of them."""
        return self.elements(self._lists(fields, values), count)

    def one_by_one(self, fields: Sequence[Any]) -> Iterator[Any]:
        """The same of one or more fields; an element is made when it is its turn."""
        columns = self._lists(fields, values_of)
        return self.each(columns, len(columns[0]))

    def _lists(self, fields: Sequence[Any], values: Callable[[Any], list[Any]]) -> list[list[Any]]:
        return [
            values(field) if convert is None else _converted(field, convert)
            for field, convert in zip(fields, self.converts, strict=True)
        ]

    def each(self, columns: Sequence[list[Any]], count: int) -> Iterator[Any]:
        """The ``count`` elements whose fields' values are in ``columns``, one after the other."""
        return iter(self.elements(columns, count))

    @abstractmethod
    def elements(self, columns: Sequence[list[Any]], count: int) -> list[Any]:
        """The ``count`` elements whose fields' values are in ``columns``."""

    @property
    def never_changes(self) -> bool:
        """True if nobody can change an element of this shape."""
        return not any(pa.types.is_nested(kind) for kind in self.types)

    def has(self, is_kind: Callable[[pa.DataType], bool]) -> bool:
        """Tell whether any field's type is of this kind.

        Example:
            >>> LONG.has(pa.types.is_integer), LONG.has(pa.types.is_string)
            (True, False)
        """
        return any(map(is_kind, self.types))

    @cached_property
    def converts(self) -> list[ToPython | None]:
        """The functions that make values of declared types of Arrow's, by field; None where nothing has to be made."""
        declared = self.declared or [None] * len(self.types)
        return [None if kind is None else to_python(kind) for kind in declared]

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name not in _CACHED}


@dataclass(frozen=True)
class ScalarShape(Shape):
    """The value of the one column.

    Example:
        >>> ScalarShape((pa.int64(),)).rows(pa.record_batch({"f0": [1, 2]}))
        [1, 2]
    """

    def elements(self, columns: Sequence[list[Any]], count: int) -> list[Any]:
        return columns[0]

    @staticmethod
    def of(kind: pa.DataType) -> ScalarShape:
        """The shape of plain values of an Arrow type."""
        return ScalarShape((kind,))


@dataclass(frozen=True)
class TupleShape(Shape):
    """A tuple.

    Example:
        >>> TupleShape((pa.int64(), pa.string())).rows(pa.record_batch({"f0": [1, 2], "f1": ["a", "b"]}))
        [(1, 'a'), (2, 'b')]
    """

    def elements(self, columns: Sequence[list[Any]], count: int) -> list[Any]:
        return list(zip(*columns, strict=True)) if columns else [()] * count

    def each(self, columns: Sequence[list[Any]], count: int) -> Iterator[Any]:
        return zip(*columns, strict=True)


@dataclass(frozen=True)
class RowShape(Shape):
    """A ``Row``; ``field_names`` None: one whose fields have no names.

    Example:
        >>> RowShape((pa.int64(),), field_names=("n",)).rows(pa.record_batch({"n": [1, 2]}))
        [Row(n=1), Row(n=2)]
    """

    field_names: tuple[str, ...] | None = None

    @property
    def names(self) -> Sequence[str]:
        return super().names if self.field_names is None else self.field_names

    def elements(self, columns: Sequence[list[Any]], count: int) -> list[Any]:
        if not columns:
            return [Row() for _ in range(count)]
        if self.field_names is None:
            return [Row(*values) for values in zip(*columns, strict=True)]
        return named_rows(list(self.field_names), columns)

    @property
    def never_changes(self) -> bool:
        return False

    @staticmethod
    def of_schema(schema: pa.Schema) -> RowShape:
        """Rows with the names and types of a schema."""
        return RowShape(tuple(schema.types), field_names=tuple(schema.names))


@dataclass(frozen=True)
class DataclassShape(Shape):
    """An object of a dataclass whose ``__init__`` takes the fields in their order, and does nothing else."""

    kind: type = object
    field_names: tuple[str, ...] = ()

    @property
    def names(self) -> Sequence[str]:
        return self.field_names

    def elements(self, columns: Sequence[list[Any]], count: int) -> list[Any]:
        make = self.kind
        if plain_fields(make) != self.field_names:  # they were stored, and the class has been changed since
            rows = zip(*columns, strict=True) if columns else [()] * count
            return [made_by_name(make, dict(zip(self.field_names, values, strict=True))) for values in rows]
        return [make(*values) for values in zip(*columns, strict=True)] if columns else [make() for _ in range(count)]

    @property
    def never_changes(self) -> bool:
        parameters = getattr(self.kind, "__dataclass_params__", None)
        return parameters is not None and parameters.frozen and super().never_changes


#: Integers of 64 bits: timestamps, say.
LONG = ScalarShape((pa.int64(),))


def shape_of(type_info: RowTypeInfo | TupleTypeInfo) -> Shape:
    """The shape of rows or tuples of a declared type.

    Raises:
        ConfigurationError: a field's type has no counterpart in Arrow.

    Example:
        >>> from windrow.common import Types
        >>> shape_of(Types.TUPLE([Types.LONG(), Types.STRING()])).types
        (DataType(int64), DataType(string))
    """
    declared = tuple(type_info.get_field_types())
    if isinstance(type_info, RowTypeInfo):
        names = tuple(type_info.get_field_names())
        return RowShape(_arrow_types(names, declared), declared, names)
    return TupleShape(_arrow_types([f"f{index}" for index in range(len(declared))], declared), declared)


def _arrow_types(names: Sequence[str], declared: Sequence[TypeInformation]) -> tuple[pa.DataType, ...]:
    return tuple([arrow_type(kind, f"field {name!r}")[0] for name, kind in zip(names, declared, strict=True)])


def _converted(column: Any, convert: ToPython) -> list[Any]:
    if isinstance(column, np.ndarray):
        return [convert(value) for value in column.tolist()]
    if pa.types.is_timestamp(column.type):
        column = column.cast(pa.int64())  # an instant has nanoseconds, which Python's times have not
    return [convert(value) for value in column.to_pylist()]
