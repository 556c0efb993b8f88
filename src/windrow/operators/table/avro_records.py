"""Records of Avro as tuples of a table, and the other way: dicts with the values that fastavro has."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Sequence
from typing import Any

from windrow.elements.batch import Batch
from windrow.errors import user_function_error
from windrow.operators.base import Operator
from windrow.operators.table.calc import arrays_of, tuples_of
from windrow.table import data_types as t
from windrow.table.data_types import DataType

Convert = Callable[[Any], Any]


class _AvroOperator(Operator):
    """Knows the fields.

    Args:
        names: What they are called.
        types: Their types.
    """

    def __init__(self, names: Sequence[str], types: Sequence[DataType]) -> None:
        self._names, self._types = list(names), list(types)


class FromAvroOperator(_AvroOperator):
    """Tuples of records, or of pairs of a record and the values that stand behind its own.

    Args:
        names: What the fields of records are called.
        types: Their types.
        behind: The types of the values behind them; without any there are no pairs.
    """

    def __init__(self, names: Sequence[str], types: Sequence[DataType], behind: Sequence[DataType] = ()) -> None:
        super().__init__(names, types)
        self._behind = list(behind)

    def process_batch(self, batch: Batch) -> None:
        if not len(batch):
            return
        import pyarrow as pa

        from windrow.elements.columns import Columns

        shape, arrays = tuples_of([*self._types, *self._behind]), []
        records: list[Any] = [record for record, _ in batch.elements] if self._behind else list(batch.elements)
        try:
            for name, kind, wanted in zip(self._names, self._types, shape.types, strict=False):
                convert = from_avro(kind)
                arrays.append(pa.array([convert(record[name]) for record in records], wanted))
            for place, wanted in enumerate(shape.types[len(self._types) :]):
                arrays.append(pa.array([values[place] for _, values in batch.elements], wanted))
        except BaseException as error:
            raise user_function_error(self.context.name, next(iter(batch.elements[:1])), error) from error
        self.context.output.emit_batch(Batch(Columns.of(shape, arrays), batch.timestamp_array()))


class ToAvroOperator(_AvroOperator):
    """Records of tuples."""

    def process_batch(self, batch: Batch) -> None:
        if not len(batch):
            return
        columns = [
            list(map(to_avro(kind), array.to_pylist()))
            for kind, array in zip(self._types, arrays_of(batch, self._types), strict=True)
        ]
        records = [dict(zip(self._names, values, strict=True)) for values in zip(*columns, strict=True)]
        self.context.output.emit_batch(Batch(records, batch.timestamps))


def from_avro(kind: DataType) -> Convert:
    """Give the function that makes a value of a tuple of one of Avro's.

    Example:
        >>> from_avro(t.MapType(t.VarCharType(9), t.IntType()))({"a": 1})
        [('a', 1)]
    """
    match kind:
        case t.TimestampType():
            return lambda value: None if value is None else value.replace(tzinfo=None)
        case t.ArrayType():
            inner = from_avro(kind.element_type)
            return lambda values: None if values is None else list(map(inner, values))
        case t.MapType():
            of_value = from_avro(kind.value_type)
            return lambda made: None if made is None else [(key, of_value(value)) for key, value in made.items()]
        case t.RowType():
            fields = {field.name: from_avro(field.data_type) for field in kind.fields}
            return lambda record: (
                None if record is None else {name: convert(record[name]) for name, convert in fields.items()}
            )
    return lambda value: value


def to_avro(kind: DataType) -> Convert:
    """Give the function that makes one of Avro's values of one of a tuple: local times are those of UTC there.

    Example:
        >>> to_avro(t.TimestampType(3))(dt.datetime(2024, 3, 10))
        datetime.datetime(2024, 3, 10, 0, 0, tzinfo=datetime.timezone.utc)
    """
    match kind:
        case t.TimestampType():
            return lambda value: None if value is None else value.replace(tzinfo=dt.UTC)
        case t.ArrayType():
            inner = to_avro(kind.element_type)
            return lambda values: None if values is None else list(map(inner, values))
        case t.MapType():
            of_value = to_avro(kind.value_type)
            return lambda entries: None if entries is None else {key: of_value(value) for key, value in entries}
        case t.RowType():
            fields = {field.name: to_avro(field.data_type) for field in kind.fields}
            return lambda row: None if row is None else {name: convert(row[name]) for name, convert in fields.items()}
    return lambda value: value
