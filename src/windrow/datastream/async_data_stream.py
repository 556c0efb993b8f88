"""Asynchronous functions on streams (PyFlink's ``pyflink.datastream.async_data_stream``)."""

from __future__ import annotations

import inspect
from typing import Any

from windrow.common.checks import instance_of, positive
from windrow.common.time import Duration, Time, to_millis
from windrow.common.typeinfo import DeclaredType
from windrow.datastream.async_retry_strategies import NO_RETRY_STRATEGY
from windrow.datastream.functions import AsyncFunction, AsyncRetryPredicate, AsyncRetryStrategy
from windrow.datastream.streams.data_stream import DataStream
from windrow.datastream.streams.keys import has_lifecycle
from windrow.datastream.streams.program import factory
from windrow.errors import ConfigurationError, ConfigurationTypeError
from windrow.operators.async_wait import AsyncWaitOperator

__all__ = ["AsyncDataStream"]


class AsyncDataStream:
    """Applies an :class:`AsyncFunction` to a stream, many elements at a time (Flink's ``AsyncDataStream``).

    In all four methods

    * ``data_stream`` is the stream. The elements of a keyed stream are its values; the result has no keys.
    * ``async_function`` is the function. A result has the timestamp of the element it was made of; an
      ``(OutputTag, value)`` among the results goes to that side output. An exception ends the job.
    * ``timeout`` says how long one element may take, all attempts and the pauses between them included: a ``Time``, a
      ``Duration``, a ``timedelta`` or a number of milliseconds. After it the call is cancelled, and the function's
      ``timeout`` method gives the results or raises. 0 is without end, which no retry strategy may have.
    * ``async_retry_strategy`` says when an element is tried again. After the last attempt its outcome stands.
    * ``capacity`` is how many elements of a subtask are in flight at most.
    * ``output_type`` is the type of the results.

    They raise a ``ConfigurationError`` if an argument is of another type or out of range.

    Elements between two watermarks (up to 32,768) wait together, and the elements behind them wait until all are
    complete, so a slow one holds up its batch. As nothing is in flight when a checkpoint is made, none is lost, and
    after a failure whole batches are asked for again.

    Example:
        >>> import asyncio
        >>> from windrow.common import Configuration, Time
        >>> from windrow.datastream import AsyncDataStream, AsyncFunction, StreamExecutionEnvironment
        >>> class Capital(AsyncFunction):
        ...     async def async_invoke(self, value):
        ...         await asyncio.sleep(0.001)  # ask a service
        ...         return [value.upper()]
        >>> local = Configuration().set_string("windrow.runtime", "local")
        >>> env = StreamExecutionEnvironment.get_execution_environment(local)
        >>> stream = env.from_collection(["a", "b"])
        >>> capitals = AsyncDataStream.ordered_wait(stream, Capital(), Time.seconds(5), capacity=20)
        >>> capitals.execute_and_collect(limit=9)
        ['A', 'B']
    """

    @staticmethod
    def unordered_wait(
        data_stream: DataStream,
        async_function: AsyncFunction[Any, Any],
        timeout: Time | Duration | int,
        capacity: int = 100,
        output_type: DeclaredType = None,
    ) -> DataStream:
        """Results in the order in which elements are complete; they stay between the watermarks of their elements."""
        return AsyncDataStream.unordered_wait_with_retry(
            data_stream, async_function, timeout, NO_RETRY_STRATEGY, capacity, output_type
        )

    @staticmethod
    def ordered_wait(
        data_stream: DataStream,
        async_function: AsyncFunction[Any, Any],
        timeout: Time | Duration | int,
        capacity: int = 100,
        output_type: DeclaredType = None,
    ) -> DataStream:
        """Results in the order of their elements."""
        return AsyncDataStream.ordered_wait_with_retry(
            data_stream, async_function, timeout, NO_RETRY_STRATEGY, capacity, output_type
        )

    @staticmethod
    def unordered_wait_with_retry(
        data_stream: DataStream,
        async_function: AsyncFunction[Any, Any],
        timeout: Time | Duration | int,
        async_retry_strategy: AsyncRetryStrategy[Any],
        capacity: int = 100,
        output_type: DeclaredType = None,
    ) -> DataStream:
        """As :meth:`unordered_wait`, with further attempts where the strategy asks for them."""
        return _wait(data_stream, async_function, timeout, async_retry_strategy, capacity, output_type, ordered=False)

    @staticmethod
    def ordered_wait_with_retry(
        data_stream: DataStream,
        async_function: AsyncFunction[Any, Any],
        timeout: Time | Duration | int,
        async_retry_strategy: AsyncRetryStrategy[Any],
        capacity: int = 100,
        output_type: DeclaredType = None,
    ) -> DataStream:
        """As :meth:`ordered_wait`, with further attempts where the strategy asks for them."""
        return _wait(data_stream, async_function, timeout, async_retry_strategy, capacity, output_type, ordered=True)


def _wait(
    data_stream: DataStream,
    function: AsyncFunction[Any, Any],
    timeout: Time | Duration | int,
    strategy: AsyncRetryStrategy[Any],
    capacity: int,
    output_type: DeclaredType,
    *,
    ordered: bool,
) -> DataStream:
    instance_of(data_stream, DataStream, "data_stream")
    _check_function(function)
    _check_strategy(strategy)
    millis = _timeout(timeout, unlimited=strategy is NO_RETRY_STRATEGY)
    make = factory(AsyncWaitOperator, function, millis, positive(capacity, "capacity"), strategy, ordered)
    return data_stream._transform("async wait operator", make, output_type, stateless=not has_lifecycle(function))


def _check_function(function: AsyncFunction[Any, Any]) -> None:
    instance_of(function, AsyncFunction, "async_function")
    if inspect.isasyncgenfunction(function.async_invoke) or inspect.isgeneratorfunction(function.async_invoke):
        msg = f"async_invoke of {type(function).__name__} yields; it must be async def and return a list of results"
        raise ConfigurationTypeError(msg)
    if not inspect.iscoroutinefunction(function.async_invoke):
        msg = (
            f"Method 'async_invoke' of class {type(function).__name__!r} should be declared as 'async def', and return "
            "a list of results"
        )
        raise ConfigurationTypeError(msg)


def _check_strategy(strategy: AsyncRetryStrategy[Any]) -> None:
    if strategy is None:
        msg = "Async retry strategy should not be None: ordered_wait and unordered_wait do without one"
        raise ConfigurationTypeError(msg)
    instance_of(strategy, AsyncRetryStrategy, "async_retry_strategy")
    predicate = strategy.get_retry_predicate()
    if predicate is None:
        msg = f"Retry predicate of the async retry strategy {type(strategy).__name__!r} is None"
        raise ConfigurationTypeError(msg)
    instance_of(predicate, AsyncRetryPredicate, "the retry predicate of async_retry_strategy")


def _timeout(timeout: Time | Duration | int, *, unlimited: bool) -> int:
    millis = to_millis(timeout, "timeout")
    if millis < 0:
        msg = f"timeout must not be negative; got {millis} ms"
        raise ConfigurationError(msg)
    if millis == 0 and not unlimited:
        msg = "Timeout should be configured when do async with retry: at least 1 ms; got 0, which is without end"
        raise ConfigurationError(msg)
    return millis
