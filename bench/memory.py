"""The peak memory of processes started, however indirectly, by another: read from Linux's ``/proc``."""

from __future__ import annotations

import threading
from pathlib import Path

_PROC = Path("/proc")


def parent(stat: str) -> int:
    """The parent's process number, from the text of ``/proc/<pid>/stat``.

    The program's name stands in parentheses and may itself contain any character.

    >>> parent("12 (a) b) S 7 12 12 0")
    7
    """
    return int(stat.rpartition(")")[2].split()[1])


def peak_kib(status: str) -> int:
    r"""The largest resident size so far in KiB, from the text of ``/proc/<pid>/status``; 0 for a process that is gone.

    >>> peak_kib("Name:\tpython\nVmHWM:\t  2048 kB\n")
    2048
    """
    for line in status.splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1])
    return 0


def descendants(ancestor: int, parents: dict[int, int]) -> set[int]:
    """All processes below ``ancestor``, given everybody's parent.

    >>> sorted(descendants(1, {2: 1, 3: 2, 4: 9}))
    [2, 3]
    """
    found: set[int] = set()
    level = {ancestor}
    while level:
        level = {pid for pid, above in parents.items() if above in level} - found
        found |= level
    return found


class PeakMemory:
    """Watches one process's descendants whose command line has ``marker`` in it, until the ``with`` block ends."""

    def __init__(self, pid: int, marker: str) -> None:
        self._pid = pid
        self._marker = marker.encode()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        #: The largest peak of any single process seen, in KiB.
        self.kib = 0

    def __enter__(self) -> PeakMemory:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()

    def _watch(self) -> None:
        while not self._stop.wait(0.2):
            self.kib = max([self.kib, *(self._peak(pid) for pid in descendants(self._pid, _parents()))])

    def _peak(self, pid: int) -> int:
        try:
            if self._marker not in (_PROC / str(pid) / "cmdline").read_bytes():
                return 0
            return peak_kib((_PROC / str(pid) / "status").read_text())
        except OSError:  # it ended meanwhile
            return 0


def _parents() -> dict[int, int]:
    parents = {}
    for entry in _PROC.glob("[0-9]*"):
        try:
            parents[int(entry.name)] = parent((entry / "stat").read_text())
        except OSError:  # it ended meanwhile
            continue
    return parents
