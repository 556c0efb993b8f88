"""Memory of arrays that are no longer needed stays with the process, for those that come next."""

from __future__ import annotations

import ctypes
from contextlib import suppress
from functools import cache

#: Blocks up to this size are kept when they are freed; twice as much may wait to be used again.
_BLOCK = 1 << 24


@cache
def keep_freed_memory() -> None:
    """Make the C library keep what is freed, once for the process.

    Columns are arrays of some 64 KiB, made and dropped by the thousand. glibc gives the memory of such a block back
    to the system when it is freed, and the next one costs page faults: measured, a chain of maps and filters took
    124 ns an element of processor time instead of 85. It raises its threshold to the size of the largest block freed
    so far. Other C libraries are left as they are.
    """
    bytearray(_BLOCK)  # made and freed


def give_back_freed_memory() -> None:
    """Let the system have what is freed, when a lot has become free for good: a job's state at its end."""
    with suppress(OSError, AttributeError, TypeError):  # another C library
        ctypes.CDLL(None).malloc_trim(0)
