"""Sends elements that no window took to a side output, or counts them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from windrow.operators.base import LATE_RECORDS, OperatorContext

#: Where late elements go: the id of a side output, or a function from an element to such an id and what is sent there.
LateTag: TypeAlias = str | Callable[[Any], tuple[str, Any]]

#: Counts elements that the assigner put into no window although they were not late.
RECORDS_IN_NO_WINDOW = "num_records_in_no_window"


def handle_skipped(
    context: OperatorContext, late_tag: LateTag | None, value: Any, timestamp: int, *, late: bool, in_no_window: bool
) -> None:
    """Send a skipped element to the late side output if it is late itself, as Flink does; else count it.

    A custom assigner can put an element that is not late into windows that are; Flink loses it without a trace, here
    it counts as dropped for being late.
    """
    if late and late_tag is not None:
        tag_id, element = (late_tag, value) if isinstance(late_tag, str) else late_tag(value)
        context.output.emit_side(tag_id, element, timestamp)
    elif late or not in_no_window:
        context.counters[LATE_RECORDS] += 1
    else:
        context.counters[RECORDS_IN_NO_WINDOW] += 1
