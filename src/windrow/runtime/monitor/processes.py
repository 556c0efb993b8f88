"""Finds out whether a process is still alive."""

from __future__ import annotations

import os


def lives(pid: int) -> bool:
    """Tell whether there is a process of this number, whoever owns it.

    Example:
        >>> lives(os.getpid())
        True
    """
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
