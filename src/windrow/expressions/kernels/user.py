"""Functions of a program's own."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from inspect import iscoroutinefunction
from typing import Any

import pyarrow as pa

from windrow.errors import ElementError, shorten, user_function_error
from windrow.expressions.function import Kernel
from windrow.expressions.logical_types import arrow_of, is_integer, name_of
from windrow.expressions.nodes import USERS, Call
from windrow.expressions.python_values import given_as, taken_as
from windrow.table.data_types import DataType
from windrow.table.udf import UserDefinedFunctionWrapper, UserDefinedScalarFunctionWrapper

#: For how many rows a function is waited for at once.
_AT_A_TIME = 100


def _called(call: Call, values: Sequence[pa.Array], count: int) -> pa.Array:
    function: UserDefinedScalarFunctionWrapper = call.options[0]
    if function.func_type != "general":
        return _called_with_columns(call, function, values, count)
    columns = []
    for value, operand in zip(values, call.operands, strict=True):
        convert = given_as(operand.type)
        items = value.to_pylist()
        columns.append(items if convert is None else [None if item is None else convert(item) for item in items])
    take, called, name = taken_as(call.type), function.call, f"function {function.name}"
    rows = list(zip(*columns, strict=True)) if columns else [()] * count
    results = _awaited(called, rows, name) if iscoroutinefunction(called) else _one_by_one(called, rows, name)
    made = [result if take is None or result is None else take(result) for result in results]
    return array_of(made, call.type, function)


def _one_by_one(called: Callable[..., Any], rows: Sequence[tuple[Any, ...]], name: str) -> Iterator[Any]:
    for row in rows:
        try:
            yield called(*row)
        except BaseException as error:
            raise user_function_error(name, row, error) from error


def _awaited(called: Callable[..., Any], rows: Sequence[tuple[Any, ...]], name: str) -> list[Any]:
    """The results of a function that is waited for, so many rows at a time; in a thread, as here may run a loop."""

    async def every() -> list[Any]:
        limit = asyncio.Semaphore(_AT_A_TIME)

        async def one(row: tuple[Any, ...]) -> Any:
            async with limit:
                try:
                    return await called(*row)
                except Exception as error:
                    raise user_function_error(name, row, error) from error

        return await asyncio.gather(*[one(row) for row in rows])

    with ThreadPoolExecutor(max_workers=1) as thread:
        return thread.submit(asyncio.run, every()).result()


def _called_with_columns(
    call: Call, function: UserDefinedScalarFunctionWrapper, values: Sequence[pa.Array], count: int
) -> pa.Array:
    if not count:
        return pa.array([], arrow_of(call.type))
    name, is_pandas = f"function {function.name}", function.func_type == "pandas"
    try:
        made = function.call(*([value.to_pandas() for value in values] if is_pandas else values))
    except BaseException as error:
        raise user_function_error(name, f"{count} rows", error) from error
    if not hasattr(made, "__len__") or len(made) != count:
        size = f"{len(made)} values" if hasattr(made, "__len__") else type(made).__name__
        wanted = "a pandas.Series" if is_pandas else "a pyarrow.Array"
        msg = f"{name} gave {size} for {count} rows: with func_type={function.func_type!r} it gives {wanted}"
        raise ElementError(msg)
    return array_of(made, call.type, function)


def array_of(made: Any, kind: DataType, function: UserDefinedFunctionWrapper) -> pa.Array:
    """The values that a function gave.

    Raises:
        ElementError: one is no value of the type that was said.
    """
    array: Any
    try:
        if isinstance(made, pa.Array | pa.ChunkedArray):
            array = made.cast(arrow_of(kind))
        else:
            array = pa.array(made, arrow_of(kind), from_pandas=function.func_type == "pandas")
    except (pa.ArrowException, TypeError, ValueError, OverflowError) as error:
        given = made.to_pylist() if isinstance(made, pa.Array | pa.ChunkedArray) else made
        wrong = next((value for value in given if not _fits(value, kind)), given)
        msg = f"function {function.name} gave {shorten(wrong)}, and its result_type is {name_of(kind)}: {error}"
        raise ElementError(msg) from error
    if is_integer(kind) and isinstance(made, list):  # of which Arrow cuts off what is behind the point
        for value in made:
            if isinstance(value, float) and not value.is_integer():
                msg = f"function {function.name} gave {value}, and its result_type is {name_of(kind)}"
                raise ElementError(msg)
    return array.combine_chunks() if isinstance(array, pa.ChunkedArray) else array


def _fits(value: Any, kind: DataType) -> bool:
    try:
        pa.array([value], arrow_of(kind))
    except (pa.ArrowException, TypeError, ValueError, OverflowError):
        return False
    return True


#: They are not found by their names in a text: the binder makes them.
OPERATORS: dict[str, Kernel] = dict.fromkeys(USERS, _called)
