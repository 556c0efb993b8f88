"""Keeps what a program has described so far: numbers transformations, remembers sinks until they are executed."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any

from windrow.common.typeinfo import TypeInformation
from windrow.datastream.functions import Function
from windrow.graph.transformations import (
    SinkTransformation,
    SourceTransformation,
    Transformation,
)
from windrow.operators.base import Operator
from windrow.operators.typed import TypedOperator

OperatorFactory = Callable[[], Operator]


class Program:
    """The transformations of one environment."""

    def __init__(self) -> None:
        self._last_id = 0
        self._sinks: list[SinkTransformation] = []

    def next_id(self) -> int:
        """A number for the next transformation, from 1 on in the order of the program's calls."""
        self._last_id += 1
        return self._last_id

    @property
    def is_empty(self) -> bool:
        """True while nothing was described yet."""
        return self._last_id == 0

    def add_sink(self, sink: SinkTransformation) -> None:
        self._sinks.append(sink)

    def sinks(self) -> list[SinkTransformation]:
        """The sinks added since the last execution."""
        return list(self._sinks)

    def take_sinks(self) -> list[SinkTransformation]:
        """The same; they are forgotten here."""
        sinks, self._sinks = self._sinks, []
        return sinks


def ancestors(transformations: Iterable[Transformation]) -> Iterator[Transformation]:
    """The transformations and all that lead to them, each once."""
    seen: set[int] = set()
    waiting = list(transformations)
    while waiting:
        transformation = waiting.pop()
        if transformation.id not in seen:
            seen.add(transformation.id)
            yield transformation
            waiting.extend(transformation.inputs)


def sources(sinks: Iterable[Transformation]) -> Iterator[SourceTransformation]:
    """The sources that lead to the sinks."""
    return (each for each in ancestors(sinks) if isinstance(each, SourceTransformation))


def factory(make: Callable[..., Operator], *arguments: Any) -> OperatorFactory:
    """Makes an operator, with function objects of its own: two subtasks must not share their fields.

    Other callables and values are shared, as long as the job runs in one process.
    """
    return partial(_make, make, arguments)


def _make(make: Callable[..., Operator], arguments: tuple[Any, ...]) -> Operator:
    return make(*[copy.deepcopy(each) if isinstance(each, Function) else each for each in arguments])


def typed(make: OperatorFactory, type_info: TypeInformation) -> OperatorFactory:
    """The same operator, whose results are converted to ``type_info``, where that changes anything."""
    return partial(_typed, make, type_info) if type_info.need_conversion() else make


def _typed(make: OperatorFactory, type_info: TypeInformation) -> Operator:
    return TypedOperator(make(), type_info)
