"""Tracing a function that yields its results, or returns a list of them: at most one for each element."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import GeneratorType
from typing import Any

from windrow.elements.shape import Shape
from windrow.tracing.expressions import Graph
from windrow.tracing.outcome import NotTraceable, Refused
from windrow.tracing.surroundings import Surroundings
from windrow.tracing.tracer import Traced, arguments_for, explored
from windrow.tracing.tree import Leaf, check_same_form, joined, leaves


@dataclass(frozen=True)
class TracedResults:
    """A function as operations on columns.

    Args:
        has_result: Gives one column of truth values: for which arguments there is a result; None: for all.
        result: Gives the results, of arguments for which there is one.
    """

    has_result: Traced | None
    result: Traced


def trace_results(
    function: Any, shapes: Sequence[Shape], arranged: Callable[[list[Any]], Sequence[Any]] = list
) -> TracedResults | NotTraceable:
    """Trace a generator, or a function that returns a list or None, that gives at most one result.

    Args:
        function: It.
        shapes: What stand-ins are made for.
        arranged: Makes the function's arguments of the stand-ins.

    Example:
        >>> from windrow.elements.shape import LONG
        >>> def half(x):
        ...     if x % 2 == 0:
        ...         yield x // 2
        >>> import numpy as np
        >>> halves = trace_results(half, [LONG])
        >>> halves.has_result.evaluate([np.array([4, 5])])[0].tolist(), halves.result.evaluate([np.array([4])])[0]
        ([True, False], array([2]))
    """
    try:
        counts = _traced(function, shapes, arranged, bool)
        answers = {leaf.fields[0] for leaf in leaves(counts.tree) if isinstance(leaf, Leaf)}
        return TracedResults(None if answers == {True} else counts, _traced(function, shapes, arranged, only_result))
    except Refused as refused:
        return NotTraceable(refused.reason)


def _traced(
    function: Any,
    shapes: Sequence[Shape],
    arranged: Callable[[list[Any]], Sequence[Any]],
    finish: Callable[[list[Any]], Any],
) -> Traced:
    graph, surroundings = Graph(), Surroundings(may_yield=True)
    run = surroundings.runnable(function)
    tree = explored(
        graph, surroundings, lambda recorder: finish(_results(run(*arranged(arguments_for(recorder, shapes)))))
    )
    check_same_form(leaves(tree))
    return Traced(joined(tree, graph), shapes, graph, surroundings)


def _results(given: Any) -> list[Any]:
    if given is None:
        return []
    if not isinstance(given, GeneratorType | list):
        msg = f"returns {type(given).__name__}, and no list of results"
        raise Refused(msg)
    results = list(given)
    if len(results) > 1:
        msg = "gives several results at a time"
        raise Refused(msg)
    return results


def only_result(results: list[Any]) -> Any:
    """The one result of an element that is known to have one."""
    if not results:
        msg = "there is no result"
        raise ValueError(msg)  # those that come here are asked for no result
    return results[0]
