"""The identity of a job."""

from __future__ import annotations

import uuid


class JobID:
    """Identifies one execution of a job; prints as 32 hexadecimal digits.

    Args:
        value: the digits; a random identity if left out.
    """

    __slots__ = ("_value",)

    def __init__(self, value: str | None = None) -> None:
        self._value = uuid.uuid4().hex if value is None else value

    def __str__(self) -> str:
        return self._value

    def __repr__(self) -> str:
        return f"JobID({self._value!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, JobID) and self._value == other._value

    def __hash__(self) -> int:
        return hash(self._value)
