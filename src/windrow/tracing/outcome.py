"""Ends of tracing other than with columns: a function that cannot be traced, a batch to be done in Python."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class NotTraceable:
    """A function that has to be called for each element.

    Args:
        reason: What it does that columns cannot, as a phrase for the plan.
    """

    reason: str


class Refused(Exception):  # noqa: N818  (ends a trace; no error of the program's)
    """Ends a trace: the function does what columns cannot do exactly.

    Args:
        reason: What it does.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class NotExact(Exception):  # noqa: N818  (as above)
    """Says that columns would not give what Python gives for a batch: the caller calls the function on its rows.

    An integer leaves 64 bits, something is divided by zero, a value is null, a variable that the function uses has
    changed. Where Python raises, the function then raises at the element where it should.

    Args:
        reason: What stands in the way.
    """
