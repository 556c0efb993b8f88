"""Functions of a program's own in SQL (PyFlink's module of the same name): scalar functions."""

from __future__ import annotations

import datetime as dt
import inspect
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, Any, get_type_hints

from windrow.common.checks import instance_of
from windrow.errors import UsageError
from windrow.table import data_types as t
from windrow.table.data_types import LONGEST, DataType
from windrow.table.expression import Expression

if TYPE_CHECKING:
    from windrow.datastream.functions.base import RuntimeContext
    from windrow.metrics import MetricGroup

__all__ = ["FunctionContext", "ScalarFunction", "UserDefinedFunction", "UserDefinedScalarFunctionWrapper", "udf"]

#: How functions are called: for each row with its values, or for many rows with a pandas.Series of each argument.
_KINDS = ("general", "pandas")

#: The types of results that an annotation says.
_ANNOTATED: dict[Any, DataType] = {
    bool: t.BooleanType(),
    int: t.BigIntType(),
    float: t.DoubleType(),
    str: t.VarCharType(LONGEST),
    bytes: t.VarBinaryType(LONGEST),
    Decimal: t.DecimalType(38, 18),
    dt.date: t.DateType(),
    dt.datetime: t.TimestampType(6),
}


class FunctionContext:
    """What a function can know of the job it runs in (PyFlink's class of the same name)."""

    def __init__(self, runtime_context: RuntimeContext) -> None:
        self._runtime_context = runtime_context

    def get_metric_group(self) -> MetricGroup:
        """Where the function may report counters, gauges and the like."""
        return self._runtime_context.get_metrics_group()

    def get_job_parameter(self, key: str, default_value: str) -> str:
        """A parameter of the job (``pipeline.global-job-parameters``)."""
        return self._runtime_context.get_job_parameter(key, default_value)


class UserDefinedFunction:
    """What all functions of a program's own may have (PyFlink's class of the same name)."""

    def open(self, function_context: FunctionContext) -> None:
        """Called once in each subtask, before the first row."""

    def close(self) -> None:
        """Called when a subtask has had its last row."""

    def is_deterministic(self) -> bool:
        """Whether equal arguments give equal results: then a query that is named twice is computed once."""
        return True


class ScalarFunction(UserDefinedFunction, ABC):
    """A function of values that gives one value (PyFlink's class of the same name).

    Example:
        >>> from windrow.table import EnvironmentSettings, TableEnvironment
        >>> class Substring(ScalarFunction):
        ...     def eval(self, text, begin, end):
        ...         return None if text is None else text[begin:end]
        >>> tables = TableEnvironment.create(EnvironmentSettings.in_batch_mode())
        >>> _ = tables.get_config().set("windrow.runtime", "local")
        >>> tables.create_temporary_system_function("Substring", udf(Substring(), result_type="STRING"))
        >>> [row[0] for row in tables.execute_sql("SELECT Substring('windrow', 0, 4)").collect()]
        ['wind']
    """

    @abstractmethod
    def eval(self, *args: Any) -> Any:
        """The value for these arguments; NULL is None."""


class UserDefinedFunctionWrapper:
    """A function with what SQL has to know of it; called with expressions, it is one itself.

    Example:
        >>> from windrow.table.expressions import col
        >>> udf(lambda n: n + 1, result_type="BIGINT", name="next")(col("n"))
        own(udf(next), col(n))
    """

    def __call__(self, *args: Any) -> Expression:
        """The call of the function, as an expression of the Table API."""
        return Expression("own", self, *args)


class UserDefinedScalarFunctionWrapper(UserDefinedFunctionWrapper):
    """A scalar function with what SQL has to know of it: what :func:`udf` gives.

    Attributes:
        function: A callable, or a :class:`ScalarFunction`.
        input_types: The types of its arguments, as types or as they are written in SQL; None: they are not checked.
        result_type: The type of its results; None: its annotation says it.
        deterministic: Whether equal arguments give equal results.
        name: What it is called in errors.
        func_type: ``general`` or ``pandas``.
    """

    def __init__(
        self,
        function: Any,
        input_types: Sequence[DataType | str] | None,
        result_type: DataType | str | None,
        deterministic: bool | None,
        name: str | None,
        func_type: str,
    ) -> None:
        self.function = function
        self.input_types = input_types
        self.result_type = result_type
        asked = function.is_deterministic() if isinstance(function, UserDefinedFunction) else True
        self.deterministic = asked if deterministic is None else deterministic
        self.name = name or str(getattr(function, "__name__", type(function).__name__))
        self.func_type = func_type

    @property
    def call(self) -> Callable[..., Any]:
        """What is called for a row, or for many."""
        made: Callable[..., Any] = self.function.eval if isinstance(self.function, ScalarFunction) else self.function
        return made

    def takes(self, count: int) -> bool:
        """Whether it can be called with so many arguments."""
        if self.input_types is not None:
            return count == len(self.input_types)
        try:
            inspect.signature(self.call).bind(*[None] * count)
        except TypeError:
            return False
        except ValueError:  # a function of C that says nothing of itself
            return True
        return True

    def annotated_result(self) -> DataType | None:
        """The type that the function's annotation says of its results."""
        try:
            hints = get_type_hints(self.call if inspect.isroutine(self.call) else type(self.call).__call__)
        except (NameError, TypeError, AttributeError):  # names that are gone, or no function of Python
            return None
        return _ANNOTATED.get(hints.get("return"))

    def __repr__(self) -> str:
        return f"udf({self.name})"


def udf(
    f: Any = None,
    input_types: Sequence[DataType | str] | DataType | str | None = None,
    result_type: DataType | str | None = None,
    deterministic: bool | None = None,
    name: str | None = None,
    func_type: str = "general",
) -> Any:
    """Make a scalar function of a callable or a :class:`ScalarFunction`; without ``f`` a decorator (as in PyFlink).

    Args:
        f: What is called for each row; a class is called without arguments to make one.
        input_types: Arguments are cast to them, and counted.
        result_type: What it gives, as a type or as written in SQL; without it, the annotation of the result.
        deterministic: Whether equal arguments give equal results.
        name: In errors.
        func_type: ``general``: called with the values of a row; ``pandas``: with a ``pandas.Series`` of each argument,
            for many rows, and gives a series of as many values.

    Raises:
        UsageError: ``f`` is no function, or ``func_type`` is another word.

    Example:
        >>> @udf(result_type="BIGINT")
        ... def squared(n):
        ...     return n * n
        >>> squared
        udf(squared)
    """
    if f is None:
        return lambda function: udf(function, input_types, result_type, deterministic, name, func_type)
    if func_type not in _KINDS:
        msg = f"func_type of udf is one of {', '.join(_KINDS)}; got {func_type!r}"
        raise UsageError(msg)
    function = f() if isinstance(f, type) else f
    if not (callable(function) or isinstance(function, ScalarFunction)):
        msg = f"udf takes a function or a ScalarFunction; got {function!r}"
        raise UsageError(msg)
    types = [input_types] if isinstance(input_types, DataType | str) else input_types
    return UserDefinedScalarFunctionWrapper(function, types, result_type, deterministic, name, func_type)


def wrapped(function: Any, parameter: str) -> UserDefinedScalarFunctionWrapper:
    """What was given where a function of a program's own is expected.

    Raises:
        UsageError: it is none.
    """
    if (
        (isinstance(function, type) and issubclass(function, ScalarFunction))
        or isinstance(function, ScalarFunction)
        or inspect.isfunction(function)
    ):
        function = udf(function)
    made: UserDefinedScalarFunctionWrapper = instance_of(function, UserDefinedScalarFunctionWrapper, parameter)
    return made
