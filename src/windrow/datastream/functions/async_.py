"""Functions that wait for something outside without holding up the stream."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Generic, TypeVar

from windrow.datastream.functions.base import Function
from windrow.errors import shorten

IN = TypeVar("IN")
OUT = TypeVar("OUT")


class AsyncRetryPredicate(ABC, Generic[OUT]):
    """Says which outcomes of a call are to be tried again; either method may give None for none."""

    @abstractmethod
    def result_predicate(self) -> Callable[[list[OUT]], bool] | None:
        """A function that is true for results that are to be tried again."""

    @abstractmethod
    def exception_predicate(self) -> Callable[[Exception], bool] | None:
        """A function that is true for exceptions after which to try again."""


class AsyncRetryStrategy(ABC, Generic[OUT]):
    """Says how often and how long after a failure a call is tried again."""

    @abstractmethod
    def can_retry(self, current_attempts: int) -> bool:
        """Whether a call that was made ``current_attempts`` times may be made again."""

    @abstractmethod
    def get_backoff_time_millis(self, current_attempts: int) -> int:
        """How long to wait before the next call, in milliseconds."""

    @abstractmethod
    def get_retry_predicate(self) -> AsyncRetryPredicate[OUT]:
        """Which outcomes are to be tried again."""


class AsyncFunction(Function, Generic[IN, OUT]):
    """Makes any number of elements of each element, asynchronously."""

    @abstractmethod
    async def async_invoke(self, value: IN) -> list[OUT]:
        """The new elements."""

    def timeout(self, value: IN) -> list[OUT]:
        """The new elements if ``async_invoke`` took too long; an error unless overridden."""
        msg = f"async_invoke took longer than its timeout for element {shorten(value)}"
        raise TimeoutError(msg)
