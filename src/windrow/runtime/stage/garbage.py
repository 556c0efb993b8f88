"""Python's search for reference cycles, made rare while a batch is worked on."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

#: How many new objects, and how many rounds of the younger generation, bring a round of each generation.
RARELY = (100_000, 50, 100)

_lock = Lock()
_holders = 0
_before = gc.get_threshold()


@contextmanager
def rarely_collected() -> Iterator[None]:
    """Look for cycles a hundred times less often than Python does, until the end of the block.

    Elements are made and dropped by the million, and hardly ever in cycles: looking for some every 700 objects took
    more than half of the time of jobs with many objects alive (measured: 68 s of processor time against 30 s). What is
    set is the whole process's; blocks may overlap, and behind the last one it is as it was.
    """
    global _before, _holders  # noqa: PLW0603
    with _lock:
        if not _holders:
            _before = gc.get_threshold()
            gc.set_threshold(*RARELY)
        _holders += 1
    try:
        yield
    finally:
        with _lock:
            _holders -= 1
            if not _holders:
                gc.set_threshold(*_before)
