"""Operators of two connected streams that look at one element at a time: map and flat_map."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from windrow.datastream.functions import CoFlatMapFunction, CoMapFunction
from windrow.errors import user_function_error
from windrow.operators.ownership import handed_on
from windrow.operators.results import emit_results
from windrow.operators.two_input_function import TwoInputFunctionOperator


class CoMapOperator(TwoInputFunctionOperator):
    """At most one element for each element of either stream (Flink's ``CoStreamMap``); None is none."""

    def __init__(self, function: CoMapFunction) -> None:
        super().__init__(function, "map1", "map2")

    def process_element1(self, value: Any, timestamp: int) -> None:
        self._map(self._call1, value, timestamp)

    def process_element2(self, value: Any, timestamp: int) -> None:
        self._map(self._call2, value, timestamp)

    def _map(self, call: Callable[..., Any], value: Any, timestamp: int) -> None:
        try:
            result = call(value)
        except BaseException as error:
            raise user_function_error(self.context.name, value, error) from error
        if result is not None:
            self.context.output.emit(result if self.context.object_reuse else handed_on(result), timestamp)


class KeyedCoMapOperator(CoMapOperator):
    """The same on two keyed streams: the function may have keyed state."""

    keyed = True


class CoFlatMapOperator(TwoInputFunctionOperator):
    """Any number of elements for each element of either stream (Flink's ``CoStreamFlatMap``)."""

    def __init__(self, function: CoFlatMapFunction) -> None:
        super().__init__(function, "flat_map1", "flat_map2")

    def process_element1(self, value: Any, timestamp: int) -> None:
        self._flat_map(self._call1, value, timestamp)

    def process_element2(self, value: Any, timestamp: int) -> None:
        self._flat_map(self._call2, value, timestamp)

    def _flat_map(self, call: Callable[..., Any], value: Any, timestamp: int) -> None:
        try:
            emit_results(self.context, call(value), timestamp)
        except BaseException as error:
            raise user_function_error(self.context.name, value, error) from error


class KeyedCoFlatMapOperator(CoFlatMapOperator):
    """The same on two keyed streams: the function may have keyed state."""

    keyed = True
