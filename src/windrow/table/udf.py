"""Functions of a program's own in SQL (PyFlink's module of the same name): scalar, aggregate, table functions."""

from __future__ import annotations

import datetime as dt
import inspect
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import Any, ClassVar, get_type_hints

from windrow.common.checks import instance_of
from windrow.errors import UsageError
from windrow.table import data_types as t
from windrow.table.aggregate_functions import AggregateFunction, TableAggregateFunction, has_own
from windrow.table.data_types import LONGEST, DataType
from windrow.table.expression import Expression
from windrow.table.user_defined_function import FunctionContext, UserDefinedFunction

__all__ = [
    "AggregateFunction",
    "AsyncScalarFunction",
    "FunctionContext",
    "ScalarFunction",
    "TableAggregateFunction",
    "TableFunction",
    "UserDefinedAggregateFunctionWrapper",
    "UserDefinedFunction",
    "UserDefinedScalarFunctionWrapper",
    "UserDefinedTableAggregateFunctionWrapper",
    "UserDefinedTableFunctionWrapper",
    "udaf",
    "udf",
    "udtaf",
    "udtf",
]

#: How functions are called: for each row with its values, or for many rows with a pandas.Series, or a pyarrow.Array, of
#: each argument.
_KINDS = ("general", "pandas", "arrow")

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


class AsyncScalarFunction(UserDefinedFunction, ABC):
    """A function of values whose results are waited for, of many rows at a time (PyFlink's class of the same name).

    Example:
        >>> from windrow.table import EnvironmentSettings, TableEnvironment
        >>> class Asked(AsyncScalarFunction):
        ...     async def eval(self, number):
        ...         return number + 1
        >>> tables = TableEnvironment.create(EnvironmentSettings.in_batch_mode())
        >>> _ = tables.get_config().set("windrow.runtime", "local")
        >>> tables.create_temporary_system_function("asked", udf(Asked(), result_type="INT"))
        >>> list(tables.execute_sql("SELECT asked(n) AS n FROM (VALUES (1), (5)) AS t(n)").collect())
        [Row(n=2), Row(n=6)]
    """

    @abstractmethod
    async def eval(self, *args: Any) -> Any:
        """The value for these arguments; NULL is None."""


class TableFunction(UserDefinedFunction, ABC):
    """A function of values that gives rows (PyFlink's class of the same name).

    Example:
        >>> from windrow.table import EnvironmentSettings, TableEnvironment
        >>> class Words(TableFunction):
        ...     def eval(self, text):
        ...         for word in text.split():
        ...             yield word, len(word)
        >>> tables = TableEnvironment.create(EnvironmentSettings.in_batch_mode())
        >>> _ = tables.get_config().set("windrow.runtime", "local")
        >>> words = udtf(Words(), result_types=["STRING", "INT"])
        >>> tables.create_temporary_system_function("words", words)
        >>> texts = "(VALUES ('wind and row'), ('')) AS t(line)"
        >>> query = f"SELECT word, n FROM {texts} CROSS JOIN LATERAL TABLE(words(line)) AS w(word, n)"
        >>> list(tables.execute_sql(query).collect())
        [Row(word='wind', n=4), Row(word='and', n=3), Row(word='row', n=3)]
    """

    @abstractmethod
    def eval(self, *args: Any) -> Any:
        """The rows for these arguments; NULL is None.

        Rows are what a list, a range or a generator has; None is none, and anything else one. A row is a tuple or a
        Row; of one column the value alone.
        """


class UserDefinedFunctionWrapper:
    """A function with what SQL has to know of it; called with expressions, it is one itself.

    Args:
        function: A callable, or a function object.
        input_types: The types of its arguments, as types or as they are written in SQL; None: they are not checked.
        deterministic: Whether equal arguments give equal results; None: the function says it.
        name: What it is called in errors.
        func_type: ``general``, ``pandas`` or ``arrow``.

    Example:
        >>> from windrow.table.expressions import col
        >>> udf(lambda n: n + 1, result_type="BIGINT", name="next")(col("n"))
        own(udf(next), col(n))
    """

    #: What makes one.
    _maker: ClassVar[str]

    def __init__(
        self, function: Any, input_types: Any, deterministic: bool | None, name: str | None, func_type: str
    ) -> None:
        self.function = function
        self.input_types: Sequence[DataType | str] | None = input_types
        asked = function.is_deterministic() if isinstance(function, UserDefinedFunction) else True
        self.deterministic = asked if deterministic is None else deterministic
        self.name = name or str(getattr(function, "__name__", type(function).__name__))
        self.func_type = func_type

    def __call__(self, *args: Any) -> Expression:
        """The call of the function, as an expression of the Table API."""
        return Expression("own", self, *args)

    def alias(self, *alias_names: str) -> Expression:
        """The call with whole rows, as ``map``, ``flat_map``, ``aggregate`` and ``join_lateral`` take it, with names.

        Example:
            >>> udtf(lambda row: row.line.split(), result_types=["STRING"], name="words").alias("word")
            alias(whole(udtf(words)), word)
        """
        return Expression("alias", Expression("whole", self), *alias_names)

    @property
    def call(self) -> Callable[..., Any]:
        """The function that is called for a row, or for many."""
        is_object = isinstance(self.function, ScalarFunction | AsyncScalarFunction | TableFunction)
        made: Callable[..., Any] = self.function.eval if is_object else self.function
        return made

    def takes(self, count: int) -> bool:
        """Tell whether it can be called with so many arguments."""
        if self.input_types is not None:
            return count == len(self.input_types)
        try:
            inspect.signature(self.call).bind(*[None] * count)
        except TypeError:
            return False
        except ValueError:  # a function of C that says nothing of itself
            return True
        return True

    def __repr__(self) -> str:
        return f"{self._maker}({self.name})"


class UserDefinedScalarFunctionWrapper(UserDefinedFunctionWrapper):
    """A scalar function with what SQL has to know of it: what :func:`udf` gives.

    Attributes:
        result_type: The type of its results; None: its annotation says it.
    """

    _maker = "udf"

    def __init__(
        self,
        function: Any,
        input_types: Sequence[DataType | str] | None,
        result_type: DataType | str | None,
        deterministic: bool | None,
        name: str | None,
        func_type: str,
    ) -> None:
        super().__init__(function, input_types, deterministic, name, func_type)
        self.result_type = result_type

    def annotated_result(self) -> DataType | None:
        """The type that the function's annotation says of its results."""
        try:
            hints = get_type_hints(self.call if inspect.isroutine(self.call) else type(self.call).__call__)
        except (NameError, TypeError, AttributeError):  # names that are gone, or no function of Python
            return None
        return _ANNOTATED.get(hints.get("return"))


class UserDefinedAggregateFunctionWrapper(UserDefinedFunctionWrapper):
    """An aggregate function with what SQL has to know of it: what :func:`udaf` gives.

    Attributes:
        result_type: The type of its results, as a type or as written in SQL.
        accumulator_type: What was said of its accumulators.
    """

    _maker = "udaf"

    def __init__(
        self,
        function: Any,
        input_types: Sequence[DataType | str] | None,
        result_type: DataType | str,
        accumulator_type: DataType | str | None,
        deterministic: bool | None,
        name: str | None,
        func_type: str,
    ) -> None:
        super().__init__(function, input_types, deterministic, name, func_type)
        self.result_type = result_type
        self.accumulator_type = accumulator_type

    @property
    def takes_columns(self) -> bool:
        """Tell whether it is called with a series or an array of each argument, for all rows of a group."""
        return self.func_type != "general"

    @property
    def retracts(self) -> bool:
        """True if values can be taken out of what it has seen."""
        return self.takes_columns or has_own(self.function, "retract")

    @property
    def merges(self) -> bool:
        """True if two of what it has seen can become one."""
        return self.takes_columns or has_own(self.function, "merge")

    def takes(self, count: int) -> bool:
        if self.input_types is not None or not isinstance(self.function, AggregateFunction):
            return super().takes(count)
        try:
            inspect.signature(self.function.accumulate).bind(None, *[None] * count)
        except TypeError:
            return False
        return True


class UserDefinedTableAggregateFunctionWrapper(UserDefinedFunctionWrapper):
    """A table aggregate function with what is to be known of it: what :func:`udtaf` gives.

    Attributes:
        result_type: The type of its rows, as a type or as written in SQL.
    """

    _maker = "udtaf"

    def __init__(
        self,
        function: Any,
        input_types: Sequence[DataType | str] | None,
        result_type: DataType | str,
        deterministic: bool | None,
        name: str | None,
    ) -> None:
        super().__init__(function, input_types, deterministic, name, "general")
        self.result_type = result_type

    @property
    def retracts(self) -> bool:
        """True if values can be taken out of what it has seen."""
        return has_own(self.function, "retract")


class UserDefinedTableFunctionWrapper(UserDefinedFunctionWrapper):
    """A table function with what SQL has to know of it: what :func:`udtf` gives.

    Attributes:
        result_types: The types of the columns of its rows, as types or as they are written in SQL; or of the row.
    """

    _maker = "udtf"

    def __init__(
        self,
        function: Any,
        input_types: Sequence[DataType | str] | None,
        result_types: Sequence[DataType | str] | DataType | str,
        deterministic: bool | None,
        name: str | None,
    ) -> None:
        super().__init__(function, input_types, deterministic, name, "general")
        self.result_types = result_types


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
            for many rows, and gives a series of as many values; ``arrow``, which PyFlink does not have: the same with
            a ``pyarrow.Array`` of each.

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
    _check_kind(func_type, "udf")
    function = f() if isinstance(f, type) else f
    if not (callable(function) or isinstance(function, ScalarFunction | AsyncScalarFunction)):
        msg = f"udf takes a function or a ScalarFunction; got {function!r}"
        raise UsageError(msg)
    return UserDefinedScalarFunctionWrapper(function, _types(input_types), result_type, deterministic, name, func_type)


def udaf(
    f: Any = None,
    input_types: Sequence[DataType | str] | DataType | str | None = None,
    result_type: DataType | str | None = None,
    accumulator_type: DataType | str | None = None,
    deterministic: bool | None = None,
    name: str | None = None,
    func_type: str = "general",
) -> Any:
    """Make an aggregate function, or a decorator if ``f`` is left out.

    Args:
        f: An :class:`~windrow.table.udf.AggregateFunction`; a class is called without arguments to make one. With
            ``pandas`` a callable that is given a ``pandas.Series`` of each argument, for all rows of a group, and gives
            one value; with ``arrow``, which PyFlink does not have, the same with a ``pyarrow.Array`` of each.
        input_types: Arguments are cast to them, and counted.
        result_type: What it gives, as a type or as written in SQL; without it, ``get_result_type`` says it.
        accumulator_type: As PyFlink's; any object may be an accumulator here.
        deterministic: Whether equal arguments give equal results.
        name: In errors.
        func_type: ``general``, ``pandas`` or ``arrow``.

    Raises:
        UsageError: ``f`` is no such function, what it gives is not said, or ``func_type`` is another word.

    Example:
        >>> @udaf(result_type="DOUBLE", func_type="pandas")
        ... def spread(numbers):
        ...     return numbers.max() - numbers.min()
        >>> spread
        udaf(spread)
    """
    if f is None:
        return lambda function: udaf(
            function, input_types, result_type, accumulator_type, deterministic, name, func_type
        )
    _check_kind(func_type, "udaf")
    function = f() if isinstance(f, type) else f
    if not isinstance(function, AggregateFunction) and (func_type == "general" or not callable(function)):
        wanted = "an AggregateFunction" if func_type == "general" else "a function of columns, or an AggregateFunction"
        msg = f"udaf takes {wanted}; got {function!r}"
        raise UsageError(msg)
    if result_type is None:
        if not isinstance(function, AggregateFunction) or not has_own(function, "get_result_type"):
            msg = f"udaf: what {f!r} gives is not said: udaf(..., result_type='DOUBLE'), or a method get_result_type"
            raise UsageError(msg)
        result_type = function.get_result_type()
    return UserDefinedAggregateFunctionWrapper(
        function, _types(input_types), result_type, accumulator_type, deterministic, name, func_type
    )


def udtaf(
    f: Any = None,
    input_types: Sequence[DataType | str] | DataType | str | None = None,
    result_type: DataType | str | None = None,
    accumulator_type: DataType | str | None = None,
    deterministic: bool | None = None,
    name: str | None = None,
    func_type: str = "general",
) -> Any:
    """Make a table aggregate function of a :class:`TableAggregateFunction`; without ``f`` a decorator (as in PyFlink).

    Args:
        f: The function; a class is called without arguments to make one.
        input_types: Arguments are cast to them.
        result_type: The type of its rows; without it, ``get_result_type`` says it.
        accumulator_type: As PyFlink's; any object may be an accumulator here.
        deterministic: Whether equal rows give equal rows.
        name: In errors.
        func_type: ``general``; there is no other, in PyFlink neither.

    Raises:
        UsageError: ``f`` is no such function, or ``func_type`` is another word.
    """
    if func_type != "general":
        msg = f"func_type of udtaf is 'general'; got {func_type!r}"
        raise UsageError(msg)
    if f is None:
        return lambda function: udtaf(function, input_types, result_type, accumulator_type, deterministic, name)
    function = f() if isinstance(f, type) else f
    if not isinstance(function, TableAggregateFunction):
        msg = f"udtaf takes a TableAggregateFunction; got {function!r}"
        raise UsageError(msg)
    kind = function.get_result_type() if result_type is None else result_type
    return UserDefinedTableAggregateFunctionWrapper(function, _types(input_types), kind, deterministic, name)


def udtf(
    f: Any = None,
    input_types: Sequence[DataType | str] | DataType | str | None = None,
    result_types: Sequence[DataType | str] | DataType | str | None = None,
    deterministic: bool | None = None,
    name: str | None = None,
) -> Any:
    """Make a table function of a callable or a :class:`TableFunction`; without ``f`` a decorator (as in PyFlink).

    Args:
        f: What is called for each row, and gives rows; a class is called without arguments to make one.
        input_types: Arguments are cast to them, and counted.
        result_types: The types of the columns of its rows; or one type, of the row if it is ``DataTypes.ROW`` or
            ``ROW<a INT, b STRING>``, which names the columns as well.
        deterministic: Whether equal arguments give equal rows.
        name: In errors.

    Raises:
        UsageError: ``f`` is no function, or ``result_types`` are missing.

    Example:
        >>> @udtf(result_types=["BIGINT", "BIGINT"])
        ... def numbered(start, end):
        ...     for number in range(end):
        ...         yield start, number
        >>> numbered
        udtf(numbered)
    """
    if f is None:
        return lambda function: udtf(function, input_types, result_types, deterministic, name)
    function = f() if isinstance(f, type) else f
    if not (callable(function) or isinstance(function, TableFunction)):
        msg = f"udtf takes a function or a TableFunction; got {function!r}"
        raise UsageError(msg)
    if not result_types:
        msg = f"udtf: the columns of what {f!r} gives are not said: udtf(..., result_types=['STRING', 'INT'])"
        raise UsageError(msg)
    return UserDefinedTableFunctionWrapper(function, _types(input_types), result_types, deterministic, name)


def _check_kind(func_type: str, of: str) -> None:
    if func_type not in _KINDS:
        msg = f"func_type of {of} is one of {', '.join(_KINDS)}; got {func_type!r}"
        raise UsageError(msg)


def _types(given: Any) -> Any:
    """The types of arguments, one of which may stand alone."""
    return [given] if isinstance(given, DataType | str) else given


def wrapped(function: Any, parameter: str) -> UserDefinedFunctionWrapper:
    """Wrap what was given where a function of a program's own is expected.

    Raises:
        UsageError: it is none.
    """
    kind = function if isinstance(function, type) else type(function)
    if issubclass(kind, ScalarFunction | AsyncScalarFunction) or inspect.isfunction(function):
        function = udf(function)
    elif issubclass(kind, AggregateFunction):
        function = udaf(function)
    elif issubclass(kind, TableFunction):
        function = udtf(function)
    made: UserDefinedFunctionWrapper = instance_of(function, UserDefinedFunctionWrapper, parameter)
    return made
