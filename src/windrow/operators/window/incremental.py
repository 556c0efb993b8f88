"""Reduce and aggregate functions as one thing: how an accumulator starts, grows, merges and becomes a result."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from windrow.common.typeinfo import TypeInformation
from windrow.datastream.functions import AggregateFunction, ArrowAggregateFunction, Function, ReduceFunction
from windrow.datastream.functions.simple import as_reduce_function
from windrow.operators.aggregations import FieldAggregator
from windrow.operators.base import OperatorContext
from windrow.operators.user_function import open_function

#: What users pass to combine elements one by one.
IncrementalFunction: TypeAlias = ReduceFunction | AggregateFunction | Callable[[Any, Any], Any]


def itself(value: Any) -> Any:
    """Start an accumulator that is the element: who knows that it is this function need not call it."""
    return value


@dataclass(frozen=True)
class Incremental:
    """The four steps of combining elements, as plain callables because they run once per element.

    As in Flink's state backends an accumulator that is None is none: the next element starts a new one.
    """

    function: ReduceFunction | AggregateFunction
    #: The accumulator of no element at all; None for a reduce function, which has none.
    empty: Callable[[], Any] | None
    #: From the first element to an accumulator.
    start: Callable[[Any], Any]
    #: From an accumulator and one more element to an accumulator.
    add: Callable[[Any, Any], Any]
    #: From two accumulators to one.
    merge: Callable[[Any, Any], Any]
    #: From an accumulator to what is emitted; None for a reduce function, whose accumulator is the result.
    result: Callable[[Any], Any] | None

    @staticmethod
    def of(function: IncrementalFunction, input_type: TypeInformation | None = None) -> Incremental:
        """The steps of a ReduceFunction, a callable of two elements, or an AggregateFunction.

        A function that takes tables is given one of one row for each element.

        Args:
            function: The function.
            input_type: The declared type of the elements, for such tables.

        Raises:
            ConfigurationTypeError: the function is none of these.

        >>> Incremental.of(max).add(3, 7)
        7
        """
        if isinstance(function, AggregateFunction):
            add = _add_as_table(function, input_type) if isinstance(function, ArrowAggregateFunction) else function.add
            create = function.create_accumulator
            return Incremental(
                function,
                empty=create,
                start=lambda value: add(value, create()),
                add=lambda accumulator, value: add(value, accumulator),
                merge=function.merge,
                result=function.get_result,
            )
        reduce_function = as_reduce_function(function, "the reduce of a window")
        reduce = reduce_function.reduce
        start = reduce_function.first if isinstance(reduce_function, FieldAggregator) else itself
        return Incremental(reduce_function, empty=None, start=start, add=reduce, merge=reduce, result=None)

    @property
    def takes_tables(self) -> bool:
        """True if the function wants elements as a table."""
        return isinstance(self.function, ArrowAggregateFunction)

    def open(self, context: OperatorContext) -> None:
        """Open the user's function."""
        open_function(self.function, context)

    def close(self) -> None:
        """Close the user's function."""
        self.function.close()

    def may_use_state(self) -> bool:
        """Tell whether the function sees the runtime context: then it needs the key set for each element."""
        return type(self.function).open is not Function.open

    def result_of(self, accumulator: Any) -> Any:
        """Give the result of ``accumulator``, which is emitted; None if there is nothing."""
        return accumulator if accumulator is None or self.result is None else self.result(accumulator)

    def of_local(self) -> Incremental:
        """The same of local accumulators, to which elements of an aggregate function have come."""
        empty = self.empty
        assert empty is not None, "what elements of a reduce function come to is elements"
        return replace(
            self,
            start=lambda local: local.added_to(empty()),
            add=lambda accumulator, local: local.added_to(accumulator),
        )

    def fold(self, elements: list[Any]) -> Any:
        """The result for a whole list; an empty one reduces to None, and aggregates to what no element gives."""
        accumulator = None if self.empty is None else self.empty()
        for element in elements:
            accumulator = self.start(element) if accumulator is None else self.add(accumulator, element)
        return self.result_of(accumulator)


def _add_as_table(function: ArrowAggregateFunction, input_type: TypeInformation | None) -> Callable[[Any, Any], Any]:
    """A call that adds one element, as a table of one row."""
    from windrow.elements.to_table import Tables  # imports Arrow

    tables = Tables(input_type)
    return lambda value, accumulator: function.add(tables.table([value]), accumulator)
