"""Asynchronous functions for tests, and a harness around their operator."""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from windrow.datastream import AsyncFunction, AsyncRetryStrategy
from windrow.operators.async_wait import AsyncWaitOperator
from windrow.testing.harness import OperatorHarness

NO_RETRY = AsyncRetryStrategy.no_restart()
LONG, SHORT = 60_000, 5


@contextmanager
def harnesses() -> Iterator[Any]:
    """Makes a harness around the operator of a function; all of them are closed at the end and leave no thread."""
    before = set(threading.enumerate())
    opened = []

    def harness(function, timeout=LONG, capacity=100, strategy=NO_RETRY, *, ordered=True, key_selector=None):
        operator = AsyncWaitOperator(function, timeout, capacity, strategy, ordered)
        opened.append(OperatorHarness(operator, key_selector, name="op"))
        return opened[-1]

    yield harness
    for each in opened:
        each.close()
    assert set(threading.enumerate()) <= before


class Calls(AsyncFunction):
    """Runs a coroutine function, and counts."""

    def __init__(self, invoke):
        self.invoke = invoke
        self.calls = []
        self.in_flight = self.most_in_flight = 0

    async def async_invoke(self, value):
        self.calls.append(value)
        self.in_flight += 1
        self.most_in_flight = max(self.most_in_flight, self.in_flight)
        try:
            return await self.invoke(value)
        finally:
            self.in_flight -= 1


class WithTimeout(Calls):
    def timeout(self, value):
        return [("too long", value)]


async def forever(_):
    await asyncio.Event().wait()
