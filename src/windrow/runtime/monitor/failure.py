"""A failure of a job as an entry of its record."""

from __future__ import annotations

import traceback

from windrow.errors import UserFunctionError, WindrowError
from windrow.runtime.monitor.record import Entry


def failure_entry(error: BaseException, at: int) -> Entry:
    r"""Describe an error; one that a function of the program raised by its own traceback, the operator and the element.

    Args:
        error: What made an attempt fail.
        at: When, in milliseconds.

    Example:
        >>> failed = UserFunctionError("parse", "'x'", "Traceback ...\nValueError: no number")
        >>> entry = failure_entry(failed, 17)
        >>> entry["name"], entry["message"], entry["operator"], entry["element"]
        ('ValueError', 'no number', 'parse', "'x'")
    """
    entry: Entry = {"type": "failure", "at": at, "operator": None, "element": None}
    if isinstance(error, UserFunctionError):
        name, message = _last_of(error.user_traceback)
        return {
            **entry,
            "name": name,
            "message": message,
            "traceback": error.user_traceback.rstrip(),
            "operator": error.operator,
            "element": error.element,
        }
    # Of ours the text has all that concerns the program; of others the frames say where it was.
    shown = str(error) if isinstance(error, WindrowError) else "".join(traceback.format_exception(error))
    return {
        **entry,
        "name": type(error).__name__,
        "message": str(error),
        "traceback": shown.rstrip(),
        "operator": getattr(error, "operator", None),
        "element": getattr(error, "element", None),
    }


def _last_of(shown: str) -> tuple[str, str]:
    """Find the name and the message of the error at the end of a traceback, behind the last of its frames."""
    lines = shown.rstrip().splitlines()
    start = max((number for number, line in enumerate(lines) if line.startswith("  ")), default=-1) + 1
    name, _, message = "\n".join(lines[start:]).partition(": ")
    return name.splitlines()[-1] if name else "Exception", message
