"""From what a user function returned to the operator's outputs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from windrow.datastream.output_tag import OutputTag
from windrow.operators.base import Output


def emit_results(results: Iterable[Any] | None, timestamp: int, output: Output) -> None:
    """Emit each result; an ``(OutputTag, value)`` tuple goes to that side output. None is no result."""
    if results is None:
        return
    emit = output.emit
    for result in results:
        if isinstance(result, tuple) and len(result) == 2 and isinstance(result[0], OutputTag):
            output.emit_side(result[0].tag_id, result[1], timestamp)
        else:
            emit(result, timestamp)
