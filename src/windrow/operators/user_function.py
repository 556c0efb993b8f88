"""What operators with one user function have in common: opening, closing, calling, and naming what failed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from windrow.datastream.functions import Function
from windrow.errors import user_function_error
from windrow.operators.base import Operator, OperatorContext


class NoElement:
    """Stands for the element in the error of a method that is not given one."""

    def __init__(self, method: str) -> None:
        self._method = method

    def __repr__(self) -> str:
        return f"(none: {self._method} was called)"


def open_function(function: Any, context: OperatorContext) -> None:
    """Open the function if it is more than a callable.

    Raises:
        UserFunctionError: its ``open`` raised.
    """
    if not isinstance(function, Function):
        return
    try:
        function.open(context.runtime_context)
    except Exception as error:
        raise user_function_error(context.name, NoElement("open"), error) from error


class UserFunctionOperator(Operator):
    """Base of operators around one user function.

    Args:
        function: A function object, or a callable that stands for its one method.
        method: The name of that method.
    """

    def __init__(self, function: Any, method: str) -> None:
        self._function = function
        self._is_object = isinstance(function, Function)
        self._call: Callable[..., Any] = getattr(function, method) if self._is_object else function

    def open(self, context: OperatorContext) -> None:
        super().open(context)
        open_function(self._function, context)

    def close(self) -> None:
        if self._is_object:
            self._function.close()

    def call_each(self, keys: Sequence[Any] | None, values: Sequence[Any]) -> list[Any]:
        """What the function returns for each value.

        Raises:
            UserFunctionError: the function raised; it names the element.
        """
        remaining = iter(values)
        call = self._call
        try:
            if keys is None or not self._is_object:
                return list(map(call, remaining))
            results = []
            set_current_key = self.context.state.set_current_key
            for key, value in zip(keys, remaining, strict=True):
                set_current_key(key)  # a function object may use keyed state
                results.append(call(value))
            return results
        except Exception as error:
            failed = values[len(values) - remaining.__length_hint__() - 1]  # type: ignore[attr-defined]
            raise user_function_error(self.context.name, failed, error) from error
