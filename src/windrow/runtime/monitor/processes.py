"""Whether the process lives that has left something."""

from __future__ import annotations

import os


def lives(pid: int) -> bool:
    """Whether there is a process of this number, whoever's it is.

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
