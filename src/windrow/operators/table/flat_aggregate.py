"""Several rows for each group, which change with its rows (Flink's ``GroupTableAggFunction``)."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from windrow.common.types import RowKind
from windrow.datastream.functions import KeyedProcessFunction, ProcessWindowFunction, RuntimeContext
from windrow.datastream.state import ValueStateDescriptor
from windrow.errors import user_function_error
from windrow.expressions.python_values import given_as, taken_as
from windrow.table.data_types import DataType
from windrow.table.udf import FunctionContext, UserDefinedTableAggregateFunctionWrapper

_ADDS = (RowKind.INSERT.value, RowKind.UPDATE_AFTER.value)


class TableAggregate:
    """A function of a program's own over tuples whose fields are a key, keys, arguments, and perhaps their kind.

    Args:
        wrapper: The function.
        keys: How many keys there are, behind the first field.
        types: Those of the arguments.
        results: Those of the columns of its rows.
    """

    def __init__(
        self,
        wrapper: UserDefinedTableAggregateFunctionWrapper,
        keys: int,
        types: Sequence[DataType],
        results: Sequence[DataType],
    ) -> None:
        self._wrapper, self._keys = wrapper, keys
        self._first, self._last = 1 + keys, 1 + keys + len(types)
        self._given = [given_as(kind) for kind in types]
        self._taken = [taken_as(kind) for kind in results]
        self._function: Any = wrapper.function

    def open(self, runtime_context: RuntimeContext) -> None:
        """Open the function, which no other subtask has then."""
        self._function = copy.deepcopy(self._wrapper.function)
        self._function.open(FunctionContext(runtime_context))

    def close(self) -> None:
        """Close it."""
        self._function.close()

    def create(self) -> Any:
        """The accumulator that a group begins with."""
        return self._called(self._function.create_accumulator)

    def take(self, accumulator: Any, row: Sequence[Any], *, adds: bool) -> None:
        """Take the arguments of a row, or take them back."""
        pairs = zip(row[self._first : self._last], self._given, strict=True)
        values = [value if value is None or convert is None else convert(value) for value, convert in pairs]
        self._called(self._function.accumulate if adds else self._function.retract, accumulator, *values)

    def rows(self, accumulator: Any, row: Sequence[Any]) -> list[tuple[Any, ...]]:
        """The rows so far, behind the keys."""
        found = self._called(lambda: list(self._function.emit_value(accumulator) or ()))
        return [(*row[1 : self._first], *self._columns(each)) for each in found]

    def _columns(self, made: Any) -> list[Any]:
        values = list(made) if isinstance(made, Iterable) and not isinstance(made, str | bytes) else [made]
        pairs = zip(values, self._taken, strict=True)
        return [value if value is None or convert is None else convert(value) for value, convert in pairs]

    def _called(self, function: Any, *arguments: Any) -> Any:
        try:
            return function(*arguments)
        except BaseException as error:
            name = f"function {self._wrapper.name}"
            raise user_function_error(name, arguments, error) from error


class FlatAggregates(KeyedProcessFunction):
    """The rows of each group as changes: those that were there before are deleted, those that are there now inserted.

    Args:
        aggregate: The function.
        kinds: Whether the last field of tuples is their kind.
    """

    def __init__(self, aggregate: TableAggregate, *, kinds: bool) -> None:
        self._aggregate, self._kinds = aggregate, kinds

    def open(self, runtime_context: RuntimeContext) -> None:
        self._aggregate.open(runtime_context)
        self._group = runtime_context.get_state(ValueStateDescriptor("group"))

    def close(self) -> None:
        self._aggregate.close()

    def process_element(self, value: Any, ctx: Any) -> Iterator[Any]:
        accumulator, count, before = self._group.value() or (self._aggregate.create(), 0, [])
        adds = not self._kinds or value[-1] in _ADDS
        count += 1 if adds else -1
        yield from [(*row, RowKind.DELETE.value) for row in before]
        self._aggregate.take(accumulator, value, adds=adds)
        if count <= 0:
            self._group.clear()
            return
        now = self._aggregate.rows(accumulator, value)
        self._group.update((accumulator, count, now))
        yield from [(*row, RowKind.INSERT.value) for row in now]


class FlatAggregatesAtEnd(ProcessWindowFunction[Any, Any, Any, Any]):
    """The rows of each group, once all of it is there (batch mode)."""

    def __init__(self, aggregate: TableAggregate) -> None:
        self._aggregate = aggregate

    def open(self, runtime_context: RuntimeContext) -> None:
        self._aggregate.open(runtime_context)

    def close(self) -> None:
        self._aggregate.close()

    def process(self, key: Any, context: Any, elements: Iterable[Any]) -> Iterable[Any]:
        accumulator, row = self._aggregate.create(), ()
        for row in elements:
            self._aggregate.take(accumulator, row, adds=True)
        return self._aggregate.rows(accumulator, row)
