"""Who works on a checkpoint directory: a file in it that names one job, and that this job renews while it runs.

A job whose process has died leaves the file. On the machine of that process its number and start time say so at once.
On another machine, or in another container, they say nothing: there a job counts as dead when it has not renewed the
file for ``STALE`` seconds, by the clock of the file system, which is the same for all.
"""

from __future__ import annotations

import fcntl
import json
import os
import socket
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from threading import Event, Thread

from windrow.errors import CheckpointError
from windrow.runtime.checkpoint_files import writing
from windrow.storage import disk

#: The file's name.
LEASE = "lease.json"
#: Seconds between two renewals, and without one after which a job on another machine counts as dead.
RENEWED = 5.0
STALE = 60.0


@dataclass(frozen=True)
class Owner:
    """A job that works on a checkpoint directory."""

    id: str
    job: str
    host: str
    #: Where its process has its number: the machine since it was started, and the container.
    machine: str
    pid: int
    #: When the process began, in ticks since the machine was started; None: it is not known there.
    started: int | None

    @staticmethod
    def here(job: str) -> Owner:
        """A job of this process."""
        return Owner(uuid.uuid4().hex, job, socket.gethostname(), _machine(), os.getpid(), _started(os.getpid()))

    @property
    def has_died(self) -> bool:
        """True if its process is known to be gone: no other one of its number counts."""
        if self.machine != _machine():
            return False
        return not _runs(self.pid) or _started(self.pid) != self.started


class Lease:
    """A checkpoint directory that belongs to a job as long as this object is not released.

    Raises:
        CheckpointError: it belongs to another job.
    """

    def __init__(self, directory: Path, job: str) -> None:
        self._file = directory / LEASE
        self._owner = Owner.here(job)
        self._released = Event()
        self._lost: str | None = None
        with _one_at_a_time(directory):
            self._take()
        self._renewing = Thread(target=self._renew, name=f"windrow-lease-{job}", daemon=True)
        self._renewing.start()

    def check(self) -> None:
        """See whether the directory is still the job's.

        Raises:
            CheckpointError: another job has it, or the file is gone.
        """
        if self._lost is not None:
            msg = f"{self._file.parent} is no longer the checkpoint of job {self._owner.job!r}: {self._lost}"
            raise CheckpointError(msg)

    def release(self) -> None:
        """Let other jobs have the directory."""
        self._released.set()
        self._renewing.join()
        with suppress(OSError):
            if owner_of(self._file.parent) == self._owner:
                disk.remove(self._file)

    def _take(self) -> None:
        data = json.dumps(asdict(self._owner)).encode()
        while True:
            try:
                with writing(self._file):
                    disk.create(self._file, data)
            except FileExistsError:
                other = owner_of(self._file.parent)
                refuse_if_used(self._file.parent)
                self._remove(other)
            else:
                return

    def _remove(self, dead: Owner | None) -> None:
        """Remove the file of a dead job; that of a job which has taken the directory meanwhile is put back."""
        taken = self._file.with_name(f".{LEASE}.{uuid.uuid4().hex[:8]}.partial")
        with suppress(FileNotFoundError):
            self._file.rename(taken)
            if _owner_in(taken) != dead:
                with suppress(FileExistsError):
                    os.link(taken, self._file)
            disk.remove(taken)

    def _renew(self) -> None:
        renewed = time.monotonic()
        while not self._released.wait(RENEWED):
            try:
                owner = owner_of(self._file.parent)
                if owner == self._owner:
                    os.utime(self._file)
                    renewed = time.monotonic()
                elif owner is not None:
                    self._lost = f"{_named(owner)} has taken it"
                    return
            except OSError:
                pass  # the file system may come back
            if time.monotonic() - renewed > STALE / 2:
                self._lost = f"{LEASE} in it is gone, or could not be renewed for {STALE / 2:.0f} s"
                return


def owner_of(directory: Path) -> Owner | None:
    """The job whose checkpoint directory it is; None if there is none, or none that can be read."""
    return _owner_in(directory / LEASE)


def refuse_if_used(directory: Path) -> None:
    """See that no job that runs works on a directory.

    Raises:
        CheckpointError: one does.
    """
    file = directory / LEASE
    owner, how = owner_of(directory), ""
    if not file.exists() or (owner is not None and owner.has_died):
        return
    if owner is None or owner.machine != _machine():
        try:
            silent = _now_on(directory) - file.stat().st_mtime
        except FileNotFoundError:
            return
        if silent > STALE:
            return
        how = (
            f"; its last sign of life is {max(0, silent):.0f} s old, and on another machine or in another container a "
            f"job counts as dead after {STALE:.0f} s without one"
        )
    who = "an unknown job" if owner is None else _named(owner)
    msg = (
        f"{directory} is the checkpoint of {who}, which runs{how}: two jobs cannot share one; let that job end, "
        "or name another checkpoint directory"
    )
    raise CheckpointError(msg)


def _named(owner: Owner) -> str:
    where = "this process" if owner.pid == os.getpid() and owner.machine == _machine() else f"process {owner.pid}"
    return f"job {owner.job!r} ({where} on {owner.host})"


def _owner_in(file: Path) -> Owner | None:
    try:
        return Owner(**json.loads(file.read_bytes()))
    except (FileNotFoundError, ValueError, TypeError):
        return None


@contextmanager
def _one_at_a_time(directory: Path) -> Iterator[None]:
    """Let processes of one machine look at a directory one after the other, where its file system can do that."""
    descriptor = os.open(directory, os.O_RDONLY)
    try:
        with suppress(OSError):
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def _now_on(directory: Path) -> float:
    """The time by the clock that stamps files in a directory."""
    probe = directory / f".now.{uuid.uuid4().hex[:8]}.partial"
    try:
        probe.touch()
        return probe.stat().st_mtime
    except OSError:
        return time.time()
    finally:
        with suppress(OSError):
            disk.remove(probe)


def _machine() -> str:
    try:
        since_start = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
        return f"{since_start} {os.readlink('/proc/self/ns/pid')}"
    except OSError:
        return socket.gethostname()


def _runs(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return _stat(pid)[:1] not in (["Z"], ["X"])


def _started(pid: int) -> int | None:
    fields = _stat(pid)
    return int(fields[19]) if len(fields) > 19 else None


def _stat(pid: int) -> list[str]:
    """Read what Linux says of a process, from its state on."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return []
