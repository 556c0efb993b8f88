"""Functions of many rows that a program has of its own."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import Any

from windrow.table.data_types import DataType
from windrow.table.user_defined_function import UserDefinedFunction


class ImperativeAggregateFunction(UserDefinedFunction, ABC):
    """The base of functions of many rows: an accumulator, and the type of what they give (Flink's class)."""

    @abstractmethod
    def create_accumulator(self) -> Any:
        """Make what a group begins with: an object that ``accumulate`` changes."""

    @abstractmethod
    def accumulate(self, accumulator: Any, *args: Any) -> None:
        """Take the arguments of a row into the accumulator, which is changed; NULL is None."""

    def retract(self, accumulator: Any, *args: Any) -> None:
        """Take the arguments of a row out of the accumulator again.

        Needed where rows are taken back, as behind a ``GROUP BY`` without a window, and for ``OVER`` with a bounded
        frame.
        """
        msg = f"{type(self).__name__} has no retract"
        raise NotImplementedError(msg)

    def get_result_type(self) -> DataType | str:
        """The type of results, of rows with one column that of the values, as a type or as written in SQL.

        Needed where ``udaf`` or ``udtaf`` is not told ``result_type``.
        """
        msg = f"{type(self).__name__} has no get_result_type"
        raise NotImplementedError(msg)

    def get_accumulator_type(self) -> DataType | str:
        """The type of accumulators: PyFlink asks for it; here any object is one, and nothing asks."""
        msg = f"{type(self).__name__} has no get_accumulator_type"
        raise NotImplementedError(msg)


class AggregateFunction(ImperativeAggregateFunction):
    """A function of many rows that gives one value (PyFlink's class of the same name).

    What it has seen of a group is its accumulator, an object that it changes: a list, a dict, an object of a class of
    the program's own. It is stored as Python pickles it.

    Example:
        >>> from windrow.table import EnvironmentSettings, TableEnvironment
        >>> class WeightedMean(AggregateFunction):
        ...     def create_accumulator(self):
        ...         return [0, 0]
        ...     def accumulate(self, accumulator, value, weight):
        ...         accumulator[0] += value * weight
        ...         accumulator[1] += weight
        ...     def get_value(self, accumulator):
        ...         return accumulator[0] / accumulator[1] if accumulator[1] else None
        ...     def get_result_type(self):
        ...         return "DOUBLE"
        >>> tables = TableEnvironment.create(EnvironmentSettings.in_batch_mode())
        >>> _ = tables.get_config().set("windrow.runtime", "local")
        >>> tables.create_temporary_system_function("weighted_mean", WeightedMean())
        >>> rows = "(VALUES ('a', 1, 3), ('a', 5, 1)) AS t(k, v, w)"
        >>> list(tables.execute_sql(f"SELECT k, weighted_mean(v, w) AS mean FROM {rows} GROUP BY k").collect())
        [Row(k='a', mean=2.0)]
    """

    def merge(self, accumulator: Any, accumulators: Iterable[Any]) -> None:
        """Take other accumulators into one, which is changed; needed for windows that merge: sessions."""
        msg = f"{type(self).__name__} has no merge"
        raise NotImplementedError(msg)

    @abstractmethod
    def get_value(self, accumulator: Any) -> Any:
        """The result so far."""


class TableAggregateFunction(ImperativeAggregateFunction):
    """A function of many rows that gives several (PyFlink's class of the same name), for ``flat_aggregate``.

    Example:
        >>> from windrow.table import EnvironmentSettings, TableEnvironment
        >>> from windrow.table.expressions import col
        >>> from windrow.table.udf import udtaf
        >>> class Two(TableAggregateFunction):
        ...     def create_accumulator(self):
        ...         return []
        ...     def accumulate(self, accumulator, number):
        ...         accumulator[:] = sorted([*accumulator, number], reverse=True)[:2]
        ...     def emit_value(self, accumulator):
        ...         yield from accumulator
        ...     def get_result_type(self):
        ...         return "BIGINT"
        >>> tables = TableEnvironment.create(EnvironmentSettings.in_batch_mode())
        >>> _ = tables.get_config().set("windrow.runtime", "local")
        >>> numbers = tables.from_elements([(3,), (1,), (2,)], ["n"])
        >>> greatest = numbers.flat_aggregate(udtaf(Two())(col("n")).alias("n")).select(col("n"))
        >>> sorted(row.n for row in greatest.execute().collect())
        [2, 3]
    """

    @abstractmethod
    def emit_value(self, accumulator: Any) -> Iterable[Any]:
        """The rows so far: tuples or Rows, of one column the values alone."""


def has_own(function: ImperativeAggregateFunction, method: str) -> bool:
    """Tell whether the class of a function has a method of its own, and not the one that says that there is none."""
    base = AggregateFunction if isinstance(function, AggregateFunction) else TableAggregateFunction
    return getattr(type(function), method) is not getattr(base, method)
