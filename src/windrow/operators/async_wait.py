"""The operator of asynchronous functions, which wait for something outside (Flink's ``AsyncWaitOperator``).

Operators have no threads, clock, input or output. This one is the exception, because waiting for input and output is
all it does: it runs the user's coroutines in an event loop in a thread of its own, and the loop's clock measures
timeouts and the pauses before retries. To the outside it is like every other operator: it returns from a batch when
all of the batch's elements are complete, so nothing is in flight when a watermark passes or state is stored, and
there is nothing to store.
"""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from windrow.datastream.functions import AsyncFunction, AsyncRetryStrategy
from windrow.elements.batch import Batch
from windrow.errors import UserFunctionError, WindrowError, shorten, user_function_error
from windrow.operators.base import Operator, OperatorContext
from windrow.operators.event_loop import EventLoopThread
from windrow.operators.results import emit_results
from windrow.operators.user_function import NoElement


class AsyncWaitOperator(Operator):
    """Any number of elements for each element, with its timestamp, as an :class:`AsyncFunction` completes them.

    All of the function's methods are called in one thread, with one event loop running.

    Args:
        function: The function.
        timeout: How long one element may take, all attempts and the pauses between them included, in milliseconds;
            0 is without end.
        capacity: How many elements are in flight at most.
        strategy: When to try an element again.
        ordered: Whether results come in the order of the elements, or else in the order of completion.
    """

    def __init__(
        self,
        function: AsyncFunction[Any, Any],
        timeout: int,
        capacity: int,
        strategy: AsyncRetryStrategy[Any],
        ordered: bool,
    ) -> None:
        self._function = function
        self._timeout = timeout / 1000 or None
        self._capacity = capacity
        self._strategy = strategy
        self._ordered = ordered

    def open(self, context: OperatorContext) -> None:
        super().open(context)
        predicate = self._strategy.get_retry_predicate()
        self._result_predicate = predicate.result_predicate()
        self._exception_predicate = predicate.exception_predicate()
        self._loop = EventLoopThread(f"windrow async I/O of {context.name}")
        try:
            self._loop.run(self._open_function())
        except BaseException:
            self._loop.close()
            raise

    def close(self) -> None:
        try:
            self._loop.run(self._close_function())
        finally:
            self._loop.close()

    def process_batch(self, batch: Batch) -> None:
        timestamps = batch.timestamp_list()
        for index, results in self._loop.run(self._complete(batch.elements)):
            emit_results(self.context, results, timestamps[index])

    # In the event loop

    async def _open_function(self) -> None:
        try:
            opening = self._function.open(self.context.runtime_context)
            if opening is not None:
                await opening
        except BaseException as error:
            raise user_function_error(self.context.name, NoElement("open"), error) from error

    async def _close_function(self) -> None:
        closing = self._function.close()
        if closing is not None:
            await closing

    async def _complete(self, values: Sequence[Any]) -> list[tuple[int, list[Any]]]:
        """The results of all values, each with its value's index."""
        waiting = enumerate(values)
        completed: list[tuple[int, list[Any]]] = []

        async def complete_one_after_another() -> None:
            for index, value in waiting:
                completed.append((index, await self._results(value)))
                if _is_cancelled():
                    return  # the function kept the cancellation to itself

        try:
            async with asyncio.TaskGroup() as group:
                for _ in range(min(self._capacity, len(values))):
                    group.create_task(complete_one_after_another())
        except ExceptionGroup as failures:
            failure = failures.exceptions[0]  # the first one: it made the group cancel the others
        else:
            return sorted(completed, key=lambda results: results[0]) if self._ordered else completed
        raise failure

    async def _results(self, value: Any) -> list[Any]:
        try:
            return await self._within_timeout(value)
        except asyncio.CancelledError as error:
            if _is_cancelled():
                raise
            # Something that the function waited for was cancelled. To the task group the element would be given up.
            raise user_function_error(self.context.name, value, error) from error
        except BaseException as error:
            raise user_function_error(self.context.name, value, error) from error

    async def _within_timeout(self, value: Any) -> list[Any]:
        limit = asyncio.timeout(self._timeout)
        try:
            async with limit:
                results = await self._attempts(value)
        except Exception:
            if not limit.expired():
                raise
        if limit.expired():
            return self._listed(self._function.timeout(value), value, "timeout")
        return results

    async def _attempts(self, value: Any) -> list[Any]:
        attempts = 1
        while True:
            try:
                results = await self._invoke(value)
            except UserFunctionError:
                raise
            except Exception as error:
                if not self._try_again(self._exception_predicate, error, attempts):
                    raise
            else:
                if not self._try_again(self._result_predicate, results, attempts):
                    return results
            await asyncio.sleep(self._strategy.get_backoff_time_millis(attempts) / 1000)
            attempts += 1

    def _try_again(self, predicate: Callable[[Any], bool] | None, outcome: Any, attempts: int) -> bool:
        if predicate is None or _is_cancelled():
            return False
        return bool(predicate(outcome)) and self._strategy.can_retry(attempts)

    async def _invoke(self, value: Any) -> list[Any]:
        call = self._function.async_invoke(value)
        if not inspect.isawaitable(call):
            returned = f"async_invoke returned {shorten(call)}, which cannot be awaited: make it async def"
            raise self._misused(returned, value)
        return self._listed(await call, value, "async_invoke")

    def _listed(self, results: Any, value: Any, method: str) -> list[Any]:
        if isinstance(results, Iterable) and not isinstance(results, str | bytes):
            return list(results)
        # The words before the colon are PyFlink's.
        wanted = "cannot be none" if results is None else "should be of list type"
        returned = (
            f"The result of AsyncFunction {wanted}: {method} returned {shorten(results)} ({type(results).__name__}); "
            "return a list of results, [] for none"
        )
        raise self._misused(returned, value)

    def _misused(self, returned: str, value: Any) -> WindrowError:
        return user_function_error(self.context.name, value, TypeError(f"{type(self._function).__name__}: {returned}"))


def _is_cancelled() -> bool:
    """Tell whether the current task was asked to end: by its timeout, or because the batch is given up."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0
