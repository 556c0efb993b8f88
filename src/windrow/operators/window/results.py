"""From what a user function returned to the operator's outputs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from windrow.datastream.output_tag import OutputTag
from windrow.errors import UsageError, shorten
from windrow.operators.base import OperatorContext


def emit_results(context: OperatorContext, results: Iterable[Any] | None, timestamp: int) -> None:
    """Emit each result; an ``(OutputTag, value)`` tuple goes to that side output. None is no result.

    Raises:
        UsageError: the function returned a single value, or a string, which would come out letter by letter.
    """
    if results is None:
        return
    check_results(context.name, results, "window function")
    output = context.output
    emit = output.emit
    for result in results:
        if isinstance(result, tuple) and len(result) == 2 and isinstance(result[0], OutputTag):
            output.emit_side(result[0].tag_id, result[1], timestamp)
        else:
            emit(result, timestamp)


def check_results(operator: str, results: Any, function: str) -> None:
    """Check that what a function returned are results.

    Args:
        operator: The operator's name.
        results: What was returned.
        function: What the function is called, for the error message.

    Raises:
        UsageError: it is a single value, or a string.
    """
    if isinstance(results, (str, bytes)) or not isinstance(results, Iterable):
        msg = (
            f"the {function} of operator {operator!r} returned {shorten(results)};"
            " yield each result, or return a list of results or None"
        )
        raise UsageError(msg)
