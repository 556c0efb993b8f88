"""Functions and methods that raise, and streams to use them on."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from windrow.datastream import DataStream, StreamExecutionEnvironment
from windrow.datastream.window import TriggerResult

#: What the operator that has the function is called.
NAME = "under test"
#: Makes a stream or a sink whose function raises the error; given an environment, the error and a path for files.
Build = Callable[[StreamExecutionEnvironment, BaseException, Path], Any]


def raising(error: BaseException) -> Callable[..., Any]:
    """A function, or a method, that raises whatever it is given."""

    def fails(*_: Any, **__: Any) -> Any:
        raise error

    return fails


def failing(kind: type[Any], method: str, error: BaseException, **others: Any) -> Any:
    """An object of a class of that kind whose method raises; ``others`` are its other methods."""
    return type(f"Failing{kind.__name__}", (kind,), {**others, method: raising(error)})()


def numbers(env: StreamExecutionEnvironment) -> DataStream:
    """Elements of one key: name, number and time; the third one is between the first two."""
    return env.from_collection([("a", number, 10 * number) for number in (0, 2, 1, 3)])


def as_it_is(self: Any, value: Any, *_: Any) -> Any:
    """A method that has nothing against what it is given."""
    return value


def nothing(self: Any, *_: Any, **__: Any) -> None:
    """A method that gives nothing."""


def yields_nothing(self: Any, *_: Any) -> list[Any]:
    return []


def goes_on(self: Any, *_: Any) -> TriggerResult:
    return TriggerResult.CONTINUE
