"""Who works on a checkpoint directory."""

import json
import os
import subprocess
import sys
import time
from contextlib import contextmanager
from dataclasses import asdict, replace
from pathlib import Path
from threading import Event

import pytest

from windrow.errors import CheckpointError, JobExecutionError
from windrow.runtime.spark import lease as lease_module
from windrow.runtime.spark.lease import LEASE, STALE, Lease, Owner, owner_of, refuse_if_used
from windrow.storage.local_folder import LocalFolder

HOLDS_IT = """
import sys, time
from windrow.runtime.spark.lease import Lease
from windrow.storage.local_folder import LocalFolder
lease = Lease(LocalFolder(sys.argv[1]), "first")
print("held", flush=True)
time.sleep(600)
"""


@contextmanager
def held_by_another_process(directory):
    """A process that has the directory; it is killed behind the block, if it was not before."""
    process = subprocess.Popen([sys.executable, "-c", HOLDS_IT, str(directory)], stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout.readline() == "held\n"
        yield process
    finally:
        process.kill()
        process.communicate()


def leave(directory, **changes):
    """The file that a job has left there, or one on another machine has; its owner."""
    owner = replace(Owner.here("first"), **changes)
    (directory / LEASE).write_text(json.dumps(asdict(owner)))
    return owner


def silent_for(directory, seconds):
    then = time.time() - seconds
    os.utime(directory / LEASE, (then, then))


def test_a_second_job_of_the_process_is_refused_until_the_first_one_ends(tmp_path):
    """By the first one's name."""
    first = Lease(LocalFolder(tmp_path), "first")
    with pytest.raises(CheckpointError, match=r"is the checkpoint of job 'first' \(this process on .*name another"):
        Lease(LocalFolder(tmp_path), "second")
    first.check()
    first.release()
    assert os.listdir(tmp_path) == []
    Lease(LocalFolder(tmp_path), "second").release()


def test_a_job_of_another_process_is_refused_until_that_process_is_killed(tmp_path):
    """Then the directory is free at once, also while nobody has asked how the process ended."""
    with held_by_another_process(tmp_path) as process:
        with pytest.raises(CheckpointError, match=rf"job 'first' \(process {process.pid} on .*, which runs: two jobs"):
            Lease(LocalFolder(tmp_path), "second")
        process.kill()
        while not owner_of(LocalFolder(tmp_path)).has_died:  # the kernel takes a moment
            time.sleep(0.01)
        Lease(LocalFolder(tmp_path), "second").release()


def test_a_process_of_the_same_number_is_another_one_if_it_began_at_another_time(tmp_path):
    """Numbers of processes come again."""
    leave(tmp_path, started=-1)
    Lease(LocalFolder(tmp_path), "second").release()


@pytest.mark.parametrize("machine", ["another machine", None])
def test_a_job_on_another_machine_counts_as_dead_when_it_has_been_silent(tmp_path, machine):
    """Its process says nothing here; so does a file that cannot be read."""
    leave(tmp_path, machine="another machine", pid=1)
    if machine is None:
        (tmp_path / LEASE).write_text("{")
    silent_for(tmp_path, STALE - 20)
    with pytest.raises(CheckpointError, match=r"last sign of life is 4\d s old, .* counts as dead after 60 s"):
        Lease(LocalFolder(tmp_path), "second")
    silent_for(tmp_path, STALE + 5)
    Lease(LocalFolder(tmp_path), "second").release()
    assert os.listdir(tmp_path) == []


def test_a_job_that_runs_is_not_silent(tmp_path, monkeypatch):
    """It renews its file."""
    monkeypatch.setattr(lease_module, "RENEWED", 0.01)
    lease = Lease(LocalFolder(tmp_path), "first")
    silent_for(tmp_path, 1000)
    while time.time() - (tmp_path / LEASE).stat().st_mtime > 100:
        time.sleep(0.01)
    lease.check()
    lease.release()


def test_a_job_whose_directory_is_taken_hears_of_it(tmp_path, monkeypatch):
    """A process that was stopped for long, say; what it has lost it does not remove."""
    monkeypatch.setattr(lease_module, "RENEWED", 0.01)
    lease = Lease(LocalFolder(tmp_path), "first")
    leave(tmp_path, job="other", pid=1)
    lease._renewing.join(10)
    said = r"no longer the checkpoint of job 'first': job 'other' \(process 1 on .*\) has taken it"
    with pytest.raises(CheckpointError, match=said):
        lease.check()
    lease.release()
    assert os.listdir(tmp_path) == [LEASE]


class Hangs(LocalFolder):
    """A folder on which nothing is renewed while an event is not set."""

    def __init__(self, path, goes_on):
        super().__init__(path)
        self.goes_on = goes_on

    def touch(self, name, data):
        assert self.goes_on.wait(10)
        super().touch(name, data)


@pytest.mark.parametrize("why", ["removed", "hangs", "fails"])
def test_a_job_that_cannot_renew_its_file_stops(tmp_path, monkeypatch, why):
    """Another one may have the directory by then; what was renewed late does not count."""
    monkeypatch.setattr(lease_module, "RENEWED", 0.01)
    monkeypatch.setattr(lease_module, "STALE", 0.2)
    goes_on = Event()
    folder = Hangs(tmp_path, goes_on) if why == "hangs" else LocalFolder(tmp_path)
    lease = Lease(folder, "first")
    if why == "removed":
        (tmp_path / LEASE).unlink()
    elif why == "fails":
        monkeypatch.setattr(folder, "touch", lambda *_: (_ for _ in ()).throw(OSError(5, "no answer")))
    lease.check()
    time.sleep(0.15)
    with pytest.raises(JobExecutionError, match=r"may no longer be the checkpoint of job 'first': lease\.json"):
        lease.check()
    goes_on.set()
    time.sleep(0.05)
    with pytest.raises(JobExecutionError):
        lease.check()
    lease.release()


def test_a_job_that_finds_its_own_file_has_the_directory(tmp_path, monkeypatch):
    """The answer to its first try was lost on the way, and the second one is told that there is a file."""

    class Twice(LocalFolder):
        def create(self, name, data):
            super().create(name, data)
            raise FileExistsError(17, "it is there")

    lease = Lease(Twice(tmp_path), "first")
    lease.check()
    lease.release()
    assert os.listdir(tmp_path) == []


def test_where_taking_a_directory_is_not_one_step_it_is_looked_at_again(tmp_path, monkeypatch):
    """Two jobs have found a dead one; the slower one removes the file of the quicker one, which then takes it again."""
    monkeypatch.setattr(lease_module, "SETTLES", 0.05)

    class Store(LocalFolder):
        is_atomic = False
        disturbed = False

        def create(self, name, data):
            super().create(name, data)
            if not self.disturbed:
                self.disturbed = True
                self.remove(name)

    lease = Lease(Store(tmp_path), "quick")
    assert owner_of(LocalFolder(tmp_path)).job == "quick"
    lease.release()


def test_who_takes_a_dead_jobs_place_does_not_take_that_of_one_who_was_quicker(tmp_path):
    """Two may find the same dead job."""
    lease = Lease(LocalFolder(tmp_path), "quick")
    lease._remove(leave_nothing_of("dead"))
    assert owner_of(LocalFolder(tmp_path)).job == "quick"
    assert os.listdir(tmp_path) == [LEASE]
    lease.release()


def leave_nothing_of(job):
    return Owner.here(job)


def test_a_directory_that_cannot_be_written_is_named():
    """As every file of a checkpoint is."""
    with pytest.raises(CheckpointError, match=r"checkpoint file /proc/self/lease\.json cannot be written: "):
        Lease(LocalFolder(Path("/proc/self")), "first")


def test_a_directory_that_nobody_has_is_free(tmp_path):
    """Looking leaves nothing behind."""
    refuse_if_used(LocalFolder(tmp_path))
    assert os.listdir(tmp_path) == []
