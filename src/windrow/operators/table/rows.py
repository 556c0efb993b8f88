"""Elements of streams as tuples of a table, and the other way."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from windrow.common.limits import NO_TIMESTAMP
from windrow.common.types import Row, RowKind
from windrow.elements.batch import Batch
from windrow.errors import ElementError, shorten, user_function_error
from windrow.operators.base import Operator
from windrow.operators.forecast import Forecast
from windrow.operators.table.calc import arrays_of, tuples_of
from windrow.table.changelog_mode import ROW_KIND
from windrow.table.data_types import DataType, LocalZonedTimestampType

if TYPE_CHECKING:
    import pyarrow as pa

    from windrow.common.composite_types import RowTypeInfo
    from windrow.elements.columns import Columns
    from windrow.elements.deferred import DeferredFields
    from windrow.elements.shape import Shape


class ToTuplesOperator(Operator):
    """Tuples of elements: Rows, tuples, objects, dicts, or of one column single values.

    Args:
        names: The fields that are taken, by name; of a tuple by place.
        types: Their types.
        places: Where the fields are in elements without names.
        single: Whether each element, a list as well, is the value of the one column.
        stamped: Whether the elements' timestamps are one more field behind the others.
        kinds: Whether the kind of the row is one more field behind all others.
    """

    def __init__(
        self,
        names: Sequence[str],
        types: Sequence[DataType],
        places: Sequence[int],
        *,
        single: bool = False,
        stamped: bool = False,
        kinds: bool = False,
    ) -> None:
        self._names = list(names)
        self._types = list(types)
        self._places = list(places)
        self._single = single
        self._stamped = stamped
        self._kinds = kinds
        self._made = [*self._types, *[LocalZonedTimestampType(3)] * stamped, *[ROW_KIND] * kinds]

    def forecast(self, shape: Shape | None) -> Forecast:
        return Forecast(True, shape=tuples_of(self._made))

    def takes_columns(self, shape: Shape) -> bool:
        return not self._kinds  # columns do not know of what kind a row is

    def process_batch(self, batch: Batch) -> None:
        if not len(batch):
            return
        from windrow.elements.columns import Columns

        shape = tuples_of(self._types)
        selected = None if self._stamped or self._kinds else self._selected(batch, shape)
        if selected is not None:
            self.context.output.emit_batch(Batch(Columns.deferred(shape, selected), batch.timestamp_array()))
            return
        try:
            arrays = self._of_columns(batch, shape) or self._of_rows(batch, shape)
            if self._stamped:
                arrays = [*arrays, _stamps(batch)]
            if self._kinds:
                arrays = [*arrays, _kinds(batch)]
            shape = tuples_of(self._made)
        except BaseException as error:
            raise user_function_error(self.context.name, next(iter(batch.elements[:1])), error) from error
        self.context.output.emit_batch(Batch(Columns.of(shape, arrays), batch.timestamp_array()))

    def _selected(self, batch: Batch, shape: Shape) -> DeferredFields | None:
        """The fields, each made when somebody asks for it; None if not all of them are columns of their types."""
        from windrow.elements.deferred import ArrowFields

        columns = batch.columns
        if columns is None:
            return None
        places, types = self._found(columns), columns.shape.types
        if any(place >= len(types) or types[place] != kind for place, kind in zip(places, shape.types, strict=True)):
            return None
        return ArrowFields(columns.fields, types, len(columns)).selected(places)

    def _found(self, columns: Columns) -> list[int]:
        """The places of the columns that are taken."""
        names = list(columns.shape.names)
        return [
            names.index(name) if name in names else place for name, place in zip(self._names, self._places, strict=True)
        ]

    def _of_columns(self, batch: Batch, shape: Shape) -> list[pa.Array] | None:
        import pyarrow as pa

        columns = batch.columns
        if columns is None:
            return None
        places = self._found(columns)
        try:
            return [columns.batch.column(place).cast(kind) for place, kind in zip(places, shape.types, strict=True)]
        except (pa.ArrowInvalid, pa.ArrowNotImplementedError, IndexError):
            return None

    def _of_rows(self, batch: Batch, shape: Shape) -> list[pa.Array]:
        import pyarrow as pa

        rows = [[element] if self._single else self._fields(element) for element in batch.elements]
        made = []
        for place, (name, kind) in enumerate(zip(self._names, shape.types, strict=True)):
            values = [_plain(row[place]) for row in rows]
            try:
                made.append(pa.array(values, kind))
            except (pa.ArrowInvalid, pa.ArrowTypeError, OverflowError) as error:
                msg = f"column {name!r} has the type {self._types[place]}: {error}"
                raise ElementError(msg) from None
        return made

    def _fields(self, element: Any) -> Sequence[Any]:
        if isinstance(element, Row):
            names = element._fields
            if names is None:
                return [element[place] for place in self._places]
            return [
                element[name] if name in names else element[place]
                for name, place in zip(self._names, self._places, strict=True)
            ]
        if isinstance(element, tuple | list):
            return [element[place] for place in self._places]
        if isinstance(element, dict):
            return [self._value(element, name) for name in self._names]
        if hasattr(element, "__dict__") or hasattr(element, "__dataclass_fields__"):
            return [getattr(element, name) for name in self._names]
        return [element]

    def _value(self, element: dict[Any, Any], name: str) -> Any:
        """A dict's value; a name that was misspelt must not become a column of NULL.

        Raises:
            ElementError: there is none of this name.
        """
        if name in element:
            return element[name]
        msg = (
            f"column {name!r}: the element, a dict, has no such key; it has {shorten(list(element))}, and None is NULL"
        )
        raise ElementError(msg)


class ToRowsOperator(Operator):
    """Rows with names of tuples.

    Args:
        types: The types of the tuples' fields.
        row_type: The type of the rows.
    """

    def __init__(self, types: Sequence[DataType], row_type: RowTypeInfo) -> None:
        self._types = list(types)
        self._row_type = row_type

    def forecast(self, shape: Shape | None) -> Forecast:
        from windrow.elements.shape import shape_of

        return Forecast(True, shape=shape_of(self._row_type))

    def process_batch(self, batch: Batch) -> None:
        if not len(batch):
            return
        from windrow.elements.columns import Columns
        from windrow.elements.shape import shape_of

        shape = shape_of(self._row_type)
        arrays = arrays_of(batch, self._types)
        made = [array.cast(kind) for array, kind in zip(arrays, shape.types, strict=True)]
        self.context.output.emit_batch(Batch(Columns.of(shape, made), batch.timestamps))


#: Kinds by their numbers: asking the enumeration for each row costs as much as making it.
_KINDS = {kind.value: kind for kind in RowKind}


class ToChangesOperator(Operator):
    """Rows with names and a kind of tuples whose last field is their kind.

    Args:
        types: The types of the other fields.
        row_type: The type of the rows.
    """

    def __init__(self, types: Sequence[DataType], row_type: RowTypeInfo) -> None:
        self._types = list(types)
        self._row_type = row_type

    def process_batch(self, batch: Batch) -> None:
        if not len(batch):
            return
        from windrow.elements.columns import Columns
        from windrow.elements.shape import shape_of

        shape = shape_of(self._row_type)
        arrays = arrays_of(batch, [*self._types, ROW_KIND])
        made = [array.cast(kind) for array, kind in zip(arrays[:-1], shape.types, strict=True)]
        rows = Columns.of(shape, made).rows()
        for row, kind in zip(rows, arrays[-1].to_pylist(), strict=True):
            row.set_row_kind(_KINDS[kind])
        self.context.output.emit_batch(Batch(rows, batch.timestamps))


def _kinds(batch: Batch) -> pa.Array:
    """The kinds of rows; what is no Row is added."""
    import pyarrow as pa

    kinds = [element.get_row_kind() if isinstance(element, Row) else RowKind.INSERT for element in batch.elements]
    return pa.array([kind.value for kind in kinds], tuples_of([ROW_KIND]).types[0])


def _stamps(batch: Batch) -> pa.Array:
    """The elements' timestamps.

    Raises:
        ElementError: an element has none.
    """
    import pyarrow as pa

    stamps = batch.timestamp_array()
    if (stamps == NO_TIMESTAMP).any():
        msg = "the metadata 'rowtime' is an element's timestamp, and one has none: assign_timestamps_and_watermarks"
        raise ElementError(msg)
    return pa.array(stamps * 1000, pa.timestamp("us", "UTC"))


def _plain(value: Any) -> Any:
    if isinstance(value, Row):
        return value.as_dict(recursive=True)
    seconds, nanos = getattr(value, "seconds", None), getattr(value, "nanos", None)
    if seconds is not None and nanos is not None:  # an Instant
        import datetime as dt

        return dt.datetime(1970, 1, 1, tzinfo=dt.UTC) + dt.timedelta(seconds=seconds, microseconds=nanos // 1000)
    return value
