"""Checks of cases, which fail with the place in the case where one did not hold."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

#: The errors of the table are labelled with Java's names; this is what stands for them here.
_ERRORS: dict[str, type[Exception]] = {
    "IllegalArgumentException": ValueError,
    "IllegalStateException": RuntimeError,
    "RuntimeException": RuntimeError,
    "UnsupportedOperationException": RuntimeError,
}


class ConformanceFailure(AssertionError):  # noqa: N818 - not an error: the case says so
    """A case expects something else than what happened."""


def check(what: str, actual: Any, expected: Any) -> None:
    """Raise a :class:`ConformanceFailure` that names ``what`` unless both are equal."""
    if actual != expected:
        msg = f"{what}: expected {expected!r}, got {actual!r}"
        raise ConformanceFailure(msg)


@contextmanager
def at_step(number: int, step: dict[str, Any]) -> Iterator[None]:
    """Name the step, counted from 0, in the failure of a check made inside."""
    try:
        yield
    except ConformanceFailure as failure:
        msg = f"step {number} {step}: {failure}"
        raise ConformanceFailure(msg) from failure


def check_error(step: dict[str, Any], call: Callable[[], object]) -> None:
    """Check that ``call`` fails as the step's ``expect_error`` and ``message_contains`` say."""
    label = step["expect_error"]
    try:
        call()
    except Exception as error:  # whatever it raises is what has to be judged
        if not isinstance(error, _ERRORS.get(label, Exception)):
            msg = f"expected an error like {label}, got {type(error).__name__}: {error}"
            raise ConformanceFailure(msg) from error
        fragment = step.get("message_contains", "")
        if fragment not in str(error):
            msg = f"expected an error message with {fragment!r}, got {str(error)!r}"
            raise ConformanceFailure(msg) from error
        return
    msg = f"expected an error like {label}, got none"
    raise ConformanceFailure(msg)
