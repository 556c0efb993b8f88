"""Closing after a failure: what fails then does not hide what failed first."""

from __future__ import annotations

from collections.abc import Callable


def close_after(error: BaseException, close: Callable[[], None]) -> None:
    """Close; what goes wrong with it is noted in ``error``, which the caller raises."""
    try:
        close()
    except Exception as closing:
        error.add_note(f"Afterwards closing failed, too: {closing}")
