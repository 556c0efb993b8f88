"""Elements as a ``pyarrow.Table``, for functions that ask for one."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from types import NoneType
from typing import Any

import pyarrow as pa

from windrow.common.composite_types import RowTypeInfo, TupleTypeInfo
from windrow.common.typeinfo import PickledBytesTypeInfo, TypeInformation
from windrow.common.types import Row, RowKind
from windrow.elements.arrow_types import ToArrow, arrow_type
from windrow.elements.batch import columns_of
from windrow.elements.inference import columns_from
from windrow.errors import ConfigurationError, ElementError, shorten

_ADVICE = "declare the type of the stream's elements (output_type of the operator before), or make them alike in a map"


class Tables:
    """Makes tables of elements: a column for each field, by its name, or ``f0``, ``f1``, ... where it has none.

    Args:
        declared: The declared type of the elements. Where it says nothing, columns have the types that Arrow finds
            for their values.

    Example:
        >>> Tables().table([(1, "a"), (2, None)]).to_pydict()
        {'f0': [1, 2], 'f1': ['a', None]}
    """

    def __init__(self, declared: TypeInformation | None = None) -> None:
        self._schema: pa.Schema | None = None
        self._to_arrow: list[ToArrow | None] = []
        fields = _fields(declared)
        if fields is None:
            return
        try:
            known = [(name, *arrow_type(kind, f"field {name!r}")) for name, kind in fields]
        except ConfigurationError:
            return  # a field may be any Python object: what it is is seen from its values
        self._schema = pa.schema([(name, kind) for name, kind, _ in known])
        self._to_arrow = [to_arrow for _, _, to_arrow in known]

    @property
    def names(self) -> Sequence[str]:
        """The declared names of the columns, as far as they are known."""
        return () if self._schema is None else self._schema.names

    def table(self, elements: Sequence[Any]) -> pa.Table:
        """The elements as a table.

        Raises:
            ElementError: they are not all of one form; it names the first that is of another.
        """
        columns = columns_of(elements)
        if columns is None and self._schema is None:
            columns = columns_from(elements)
        if columns is not None:
            table = pa.Table.from_batches([columns.batch])
            if self._schema is None or table.schema == self._schema:
                return table
            if table.num_columns == len(self._schema):
                return table.rename_columns(self._schema.names).cast(self._schema)
        if not len(elements):
            return pa.table({}) if self._schema is None else self._schema.empty_table()
        names, rows = _parts(elements)
        if self._schema is not None and len(names) == len(self._schema):
            names = self._schema.names
        values: list[Sequence[Any]] = list(zip(*rows, strict=True)) if names else []
        arrays = [self._array(index, name, values[index], elements) for index, name in enumerate(names)]
        return pa.Table.from_arrays(arrays, names=list(names))

    def _array(self, index: int, name: str, values: Sequence[Any], elements: Sequence[Any]) -> pa.Array:
        if self._schema is not None and index < len(self._schema):
            field, to_arrow = self._schema.field(index), self._to_arrow[index]
            try:
                return pa.array(values if to_arrow is None else [to_arrow(value) for value in values], field.type)
            except (pa.ArrowException, OverflowError) as error:
                msg = f"column {name!r} is declared to be {field.type}, which its values do not fit: {error}"
                raise ElementError(msg) from None
        kinds = [type(value) for value in values]
        distinct = set(kinds) - {NoneType}
        if len(distinct) > 1:
            first = next(kind for kind in kinds if kind is not NoneType)
            at = next(i for i, kind in enumerate(kinds) if kind not in (NoneType, first))
            msg = (
                f"a column has one type, and column {name!r} has {first.__name__} and, in {shorten(elements[at])}, "
                f"{kinds[at].__name__}: {_ADVICE}"
            )
            raise ElementError(msg)
        try:
            return pa.array(values)
        except (pa.ArrowException, OverflowError, UnicodeEncodeError) as error:
            msg = f"Arrow has no column for {name!r} of elements such as {shorten(elements[0])}: {error}; {_ADVICE}"
            raise ElementError(msg) from None


def _fields(declared: TypeInformation | None) -> Sequence[tuple[str, TypeInformation]] | None:
    """The names and types of the columns of a type; None where it says nothing."""
    if declared is None or isinstance(declared, PickledBytesTypeInfo):
        return None
    if isinstance(declared, RowTypeInfo):
        return list(zip(declared.get_field_names(), declared.get_field_types(), strict=True))
    if isinstance(declared, TupleTypeInfo):
        return [(f"f{index}", kind) for index, kind in enumerate(declared.get_field_types())]
    return [("f0", declared)]


def _parts(elements: Sequence[Any]) -> tuple[Sequence[str], Sequence[Sequence[Any]]]:
    """The names of the fields, and the values of each element."""
    form = _form(elements[0])
    kinds = set(map(type, elements))
    if all(not (issubclass(kind, Row | tuple) or dataclasses.is_dataclass(kind)) for kind in kinds):
        return form[1], [(element,) for element in elements]
    for element in elements:
        if _form(element) != form:
            msg = f"elements of a table have the same fields; {shorten(elements[0])} and {shorten(element)} do not: "
            raise ElementError(msg + _ADVICE)
    kind, names = form
    if kind is Row:
        if any(element.get_row_kind() is not RowKind.INSERT for element in elements):
            msg = "a table has no place for the kind of a Row (RowKind): take it into a field of its own in a map"
            raise ElementError(msg)
        return names, [element._values for element in elements]
    if kind is tuple:
        return names, elements
    return names, [[getattr(element, name) for name in names] for element in elements]


def _form(element: Any) -> tuple[type, tuple[str, ...]]:
    """Give an element's kind (``Row``, ``tuple``, its dataclass; ``object`` for any other) and its fields' names."""
    if isinstance(element, Row):
        names, count = element._fields, len(element._values)
        return Row, tuple([f"f{index}" for index in range(count)] if names is None else names)
    if isinstance(element, tuple):
        return tuple, tuple(getattr(element, "_fields", None) or [f"f{index}" for index in range(len(element))])
    if dataclasses.is_dataclass(element):
        return type(element), tuple([field.name for field in dataclasses.fields(element)])
    return object, ("f0",)
