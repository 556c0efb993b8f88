"""Keeps a checkpoint directory for one job: by a file in it that names the job, which renews it while it runs.

A job whose process has died leaves the file. On the machine of that process its number and start time say so at once.
On another machine, or in another container, they say nothing: there a job counts as dead when it has not renewed the
file for ``STALE`` seconds, by the clock of the file system, which is the same for all.
"""

from __future__ import annotations

import json
import os
import socket
import time
import uuid
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from threading import Event, Thread

from windrow.errors import CheckpointError, JobExecutionError
from windrow.runtime.checkpoint_files import writing
from windrow.storage.folder import Folder

#: The file's name.
LEASE = "lease.json"
#: Seconds between two renewals, and without one after which a job on another machine counts as dead.
RENEWED = 5.0
STALE = 60.0
#: Seconds after which nobody is in the middle of taking a directory, where that is not one step.
SETTLES = 2.0


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

    def __init__(self, directory: Folder, job: str) -> None:
        self._directory = directory
        self._owner = Owner.here(job)
        self._data = json.dumps(asdict(self._owner)).encode()
        self._released = Event()
        self._lost: str | None = None
        #: When it last began to renew the file, and could.
        self._renewed = time.monotonic()
        with directory.one_at_a_time():
            self._take()
        self._renewing = Thread(target=self._renew, name=f"windrow-lease-{job}", daemon=True)
        self._renewing.start()

    def check(self) -> None:
        """See whether the directory is still the job's.

        Raises:
            CheckpointError: another job has it.
            JobExecutionError: the file is gone, or its file system has not taken it for a while; another attempt may
                have it again.
        """
        place = self._directory.location
        if self._lost is not None:
            msg = f"{place} is no longer the checkpoint of job {self._owner.job!r}: {self._lost}"
            raise CheckpointError(msg)
        if time.monotonic() - self._renewed > STALE / 2:
            msg = (
                f"{place} may no longer be the checkpoint of job {self._owner.job!r}: {LEASE} in it is gone, or could "
                f"not be renewed for {STALE / 2:.0f} s"
            )
            raise JobExecutionError(msg)

    def release(self) -> None:
        """Let other jobs have the directory."""
        self._released.set()
        self._renewing.join()
        with suppress(OSError):
            if owner_of(self._directory) == self._owner:
                self._directory.remove(LEASE)

    def _take(self) -> None:
        while owner_of(self._directory) != self._owner:
            try:
                with writing(self._directory.place(LEASE)):
                    self._directory.create(LEASE, self._data)
            except FileExistsError:
                other = owner_of(self._directory)
                if other == self._owner:
                    return  # an answer was lost on its way, and asked for again
                refuse_if_used(self._directory)
                self._remove(other)
            if not self._directory.is_atomic:
                time.sleep(SETTLES)  # who else has found a dead job's file may be in the middle of it

    def _remove(self, dead: Owner | None) -> None:
        """Remove the file of a dead job; that of a job which has taken the directory meanwhile is put back."""
        taken = _partial(LEASE)
        with suppress(FileNotFoundError):
            self._directory.move(LEASE, taken)
            if _owner_in(self._directory, taken) != dead:
                with suppress(FileExistsError):
                    self._directory.create(LEASE, self._directory.read(taken))
            self._directory.remove(taken)

    def _renew(self) -> None:
        while not self._released.wait(RENEWED):
            begun = time.monotonic()
            try:
                owner = owner_of(self._directory)
                if owner == self._owner and begun - self._renewed <= STALE / 2:
                    self._directory.touch(LEASE, self._data)
                    # One that took long does not count: others have seen no sign of life meanwhile.
                    if time.monotonic() - begun <= STALE / 2:
                        self._renewed = begun
                elif owner not in (None, self._owner):
                    self._lost = f"{_named(owner)} has taken it"
                    return
            except OSError:
                pass  # the file system may come back


def owner_of(directory: Folder) -> Owner | None:
    """The job whose checkpoint directory it is; None if there is none, or none that can be read."""
    return _owner_in(directory, LEASE)


def refuse_if_used(directory: Folder) -> None:
    """See that no job that runs works on a directory.

    Raises:
        CheckpointError: one does.
    """
    owner, how = owner_of(directory), ""
    if not directory.exists(LEASE) or (owner is not None and owner.has_died):
        return
    if owner is None or owner.machine != _machine():
        try:
            silent = _now_on(directory) - directory.modified(LEASE)
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
        f"{directory.location} is the checkpoint of {who}, which runs{how}: two jobs cannot share one; let that job "
        "end, or name another checkpoint directory"
    )
    raise CheckpointError(msg)


def _named(owner: Owner) -> str:
    where = "this process" if owner.pid == os.getpid() and owner.machine == _machine() else f"process {owner.pid}"
    return f"job {owner.job!r} ({where} on {owner.host})"


def _owner_in(directory: Folder, name: str) -> Owner | None:
    try:
        return Owner(**json.loads(directory.read(name)))
    except (FileNotFoundError, ValueError, TypeError):
        return None


def _now_on(directory: Folder) -> float:
    """The time by the clock that stamps files in a directory."""
    probe = _partial("now")
    try:
        directory.write(probe, b"")
        return directory.modified(probe)
    except OSError:
        return time.time()
    finally:
        with suppress(OSError):
            directory.remove(probe)


def _partial(name: str) -> str:
    """A name of its own for a file that a later start of the job removes, if it was left."""
    return f".{name}.{uuid.uuid4().hex[:8]}.partial"


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
