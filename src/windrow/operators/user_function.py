"""The base of operators with one user function: opening, closing, calling, and naming what failed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import length_hint
from types import CoroutineType, TracebackType
from typing import Any

from windrow.datastream.functions import Function
from windrow.elements.batch import columns_of, one_by_one
from windrow.errors import ElementError, error_out_of, user_function_error
from windrow.operators.base import Operator, OperatorContext
from windrow.operators.results import check_value


class NoElement:
    """Stands for the element in the error of a method that is not given one."""

    def __init__(self, method: str) -> None:
        self._method = method

    def __repr__(self) -> str:
        return f"(none: {self._method} was called)"


class NamingErrors:
    """Names the operator in what leaves the block because of a line of the user's, as a ``UserFunctionError``.

    For calls behind which an operator or a sink calls its user's functions itself, where nobody knows the element. The
    block must not yield: it would name the end of the generator as well.

    Args:
        operator: The operator's name.
        method: What is called.

    Example:
        >>> with NamingErrors("positive", "its writer"):
        ...     raise SystemExit(0)
        Traceback (most recent call last):
        ...
        windrow.errors.UserFunctionError: ...
    """

    __slots__ = ("_element", "_operator")

    def __init__(self, operator: str, method: str) -> None:
        self._operator = operator
        self._element = NoElement(method)

    def __enter__(self) -> None:
        """Nothing is to be prepared."""

    def __exit__(self, _: type[BaseException] | None, error: BaseException | None, __: TracebackType | None) -> None:
        if error is not None:
            named = error_out_of(self._operator, self._element, error)
            if named is not error:
                raise named from error


def open_function(function: Any, context: OperatorContext) -> None:
    """Open the function if it is more than a callable.

    Raises:
        UserFunctionError: its ``open`` raised.
    """
    if not isinstance(function, Function):
        return
    try:
        function.open(context.runtime_context)
    except BaseException as error:
        raise user_function_error(context.name, NoElement("open"), error) from error


def call_each(operator: str, function: Callable[[Any], Any], values: Sequence[Any]) -> list[Any]:
    """Call a user's function with each value; give what it returns.

    Every function is called like this or in a loop, and never by ``map``, ``filter`` and their like: they take a
    ``StopIteration`` that it raises for the end of the values, and what follows is lost.

    Args:
        operator: The operator's name, for the error.
        function: Called once for each value, in order.
        values: The values.

    Raises:
        UserFunctionError: The function raised; it names operator and element.

    Example:
        >>> call_each("lengths", len, ["a", "bc"])
        [1, 2]
    """
    remaining = iter(values)
    try:
        return [function(value) for value in remaining]
    except BaseException as error:
        raise user_function_error(operator, values[-1 - length_hint(remaining)], error) from error


def call_one_by_one(operator: str, function: Callable[[Any], Any], values: Sequence[Any]) -> list[Any]:
    """:func:`call_each` where nobody needs the values behind it: of columns each is made when it is its turn.

    Example:
        >>> call_one_by_one("lengths", len, ["a", "bc"])
        [1, 2]
    """
    if columns_of(values) is None:
        return call_each(operator, function, values)
    last = None
    try:
        return [function(last := value) for value in one_by_one(values)]
    except BaseException as error:
        raise user_function_error(operator, last, error) from error


class UserFunctionOperator(Operator):
    """Base of operators around one user function.

    Args:
        function: A function object, or a callable that stands for its one method.
        method: The name of that method.
    """

    def __init__(self, function: Any, method: str) -> None:
        self._function = function
        self._method = method
        self._is_object = isinstance(function, Function)
        self._call: Callable[..., Any] = getattr(function, method) if self._is_object else function
        #: Whether a result was checked, which one of each batch is.
        self.has_begun = False

    def open(self, context: OperatorContext) -> None:
        super().open(context)
        open_function(self._function, context)

    def close(self) -> None:
        if self._is_object:
            self._function.close()

    def check_first(self, values: Sequence[Any], results: list[Any]) -> None:
        """Check the first result of a batch: a function gives generators or coroutines for all elements, or for none.

        Raises:
            UserFunctionError: it is one.
        """
        if results:
            self.has_begun = True
            try:
                check_value(results[0], self._method)
            except ElementError as error:
                for each in results:
                    if isinstance(each, CoroutineType):
                        each.close()  # Python need not tell as well that it was never awaited
                raise user_function_error(self.context.name, values[0], error) from error

    def call_each(self, keys: Sequence[Any] | None, values: Sequence[Any]) -> list[Any]:
        """Call the function for each value, with its key set if the function may use state, and give the results.

        Raises:
            UserFunctionError: the function raised; it names the element.
        """
        if keys is None or not self._is_object:
            return call_each(self.context.name, self._call, values)
        call, set_current_key = self._call, self.context.state.set_current_key
        results = []
        value = None
        try:
            for key, value in zip(keys, values, strict=True):
                set_current_key(key)  # a function object may use keyed state
                results.append(call(value))
        except BaseException as error:
            raise user_function_error(self.context.name, value, error) from error
        return results
