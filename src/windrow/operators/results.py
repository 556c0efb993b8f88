"""From what a user function returned to the operator's outputs."""

from __future__ import annotations

from collections.abc import Iterable
from sys import getrefcount
from types import AsyncGeneratorType, CoroutineType, GeneratorType
from typing import Any

from windrow.common.unchangeable import ATOMS
from windrow.datastream.output_tag import OutputTag
from windrow.errors import ElementError, UsageError, shorten
from windrow.operators.base import OperatorContext
from windrow.operators.ownership import handed_on

ATOMS.add(OutputTag)

_LATER = frozenset({AsyncGeneratorType, CoroutineType, GeneratorType})


def emit_results(
    context: OperatorContext, results: Iterable[Any] | None, timestamp: int, function: str = "function"
) -> None:
    """Emit each result; an ``(OutputTag, value)`` tuple goes to that side output. None is no result.

    What the function still holds is copied, unless object reuse is on.

    Args:
        context: The operator's.
        results: What the function returned.
        timestamp: The timestamp of the results.
        function: What the function is called, for the error message.

    Raises:
        UsageError: the function returned a single value, or a string, which would come out letter by letter.
    """
    if results is None:
        return
    output = context.output
    emit, reuse = output.emit, context.object_reuse
    if type(results) is GeneratorType:
        holders = 1
    else:
        check_results(context.name, results, function)
        holders = references_of_loop(results)
    for result in results:
        kind = type(result)
        if kind in ATOMS:
            emit(result, timestamp)
            continue
        if kind is tuple:
            # Most are tuples of what cannot change: found here, without a call.
            for part in result:
                if type(part) not in ATOMS:
                    break
            else:
                if len(result) != 2 or not isinstance(result[0], OutputTag):
                    emit(result, timestamp)
                    continue
            part = None  # it counts as one who holds it
        if isinstance(result, tuple) and len(result) == 2 and isinstance(result[0], OutputTag):
            tag, value = result if reuse else handed_on(result, holders)
            output.emit_side(tag.tag_id, value, timestamp)
        else:
            emit(result if reuse else handed_on(result, holders), timestamp)


def gather_results(
    context: OperatorContext, results: Iterable[Any], timestamp: int, values: list[Any], function: str = "function"
) -> None:
    """:func:`emit_results` for many calls at a time: what goes to the main output is added to ``values``."""
    append, reuse = values.append, context.object_reuse
    if type(results) is GeneratorType:
        holders = 1
    else:
        check_results(context.name, results, function)
        holders = references_of_loop(results)
    for result in results:
        kind = type(result)
        if kind in ATOMS:
            append(result)
            continue
        if kind is tuple:
            # Most are tuples of what cannot change: found here, without a call.
            for part in result:
                if type(part) not in ATOMS:
                    break
            else:
                if len(result) != 2 or not isinstance(result[0], OutputTag):
                    append(result)
                    continue
            part = None  # it counts as one who holds it
        if isinstance(result, tuple) and len(result) == 2 and isinstance(result[0], OutputTag):
            tag, value = result if reuse else handed_on(result, holders)
            context.output.emit_side(tag.tag_id, value, timestamp)
        else:
            append(result if reuse else handed_on(result, holders))


def gather_another(context: OperatorContext, result: Any, timestamp: int, values: list[Any]) -> None:
    """:func:`gather_results` for one result of a generator, which a variable of the caller holds."""
    reuse = context.object_reuse
    if _is_side_output(result):
        tag, value = result if reuse else handed_on(result, 2)
        context.output.emit_side(tag.tag_id, value, timestamp)
    elif type(result) is tuple and ATOMS.issuperset(map(type, result)):
        values.append(result)
    else:
        values.append(result if reuse else handed_on(result, 2))


def references_of_loop(results: Any) -> int:
    """Count the references of a loop over ``results`` to each result that nobody else holds; 0 if it is not known."""
    if type(results) is list or type(results) is tuple:
        return 2 if getrefcount(results) <= _UNSHARED else 0
    return 1


def check_value(result: Any, function: str) -> None:
    """Check that what a function returned is a value, and not what would make values later.

    Args:
        result: What was returned.
        function: What the function is called, for the error message.

    Raises:
        ElementError: it is a generator or a coroutine.
    """
    kind = type(result)
    if kind in _LATER:
        msg = (
            f"the {function} function returned a {kind.__name__}, which is no element: return the value itself "
            "(flat_map takes many, AsyncDataStream what has to be waited for)"
        )
        raise ElementError(msg)


def check_results(operator: str, results: Any, function: str) -> None:
    """Check that what a function returned are results.

    Args:
        operator: The operator's name.
        results: What was returned.
        function: What the function is called, for the error message.

    Raises:
        UsageError: it is a single value, a string, or a side output's ``(OutputTag, value)`` that is in no list.
    """
    kind = type(results)
    if kind is GeneratorType or kind is list:
        return
    if isinstance(results, str | bytes) or not isinstance(results, Iterable) or _is_side_output(results):
        msg = (
            f"the {function} of operator {operator!r} returned {shorten(results)};"
            " yield each result, or return a list of results or None"
        )
        raise UsageError(msg)


def _is_side_output(results: Any) -> bool:
    return isinstance(results, tuple) and len(results) == 2 and isinstance(results[0], OutputTag)


def _references_to_unshared_list() -> int:
    def called_by_emit_results(results: Any) -> int:
        return getrefcount(results)

    def called_by_an_operator(results: Any) -> int:
        return called_by_emit_results(results)

    return called_by_an_operator([])


_UNSHARED = _references_to_unshared_list()
