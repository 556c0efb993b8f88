"""A job that runs for long: memory, threads, sockets and files stay what they are.

WINDROW_SOAK_SECONDS says how long (120, `make soak`: an hour).
"""

import os
import time
from collections import Counter
from contextlib import suppress
from statistics import median

import pytest

from tests.processes import Program
from tests.soak.program import RETAINED

SECONDS = int(os.environ.get("WINDROW_SOAK_SECONDS", "120"))
MIB = 1 << 20
#: What one may grow between the middle and the end: bytes of memory, threads, open files and sockets.
GROWTH = {
    "program": (60 * MIB, 8, 16),
    # Its heap is bounded, and takes long to fill.
    "java": (500 * MIB, 20, 200),
    # What is in state does not grow; what is remembered of keys that were there is bounded.
    "workers": (200 * MIB, 8, 32),
}
#: Of one worker.
MOST_MEMORY = 1024 * MIB


@pytest.mark.slow
@pytest.mark.timeout(SECONDS + 600)
@pytest.mark.spark
def test_a_job_that_runs_for_long_stays_as_it_is(tmp_path):
    """Keys come and go, batch after batch."""
    checkpoint, log = tmp_path / "checkpoint", tmp_path / "log"
    program = Program("tests.soak.program", checkpoint, log=log)
    samples, files = [], []
    try:
        wait_for_batches(program, checkpoint, 5, log)
        end = time.monotonic() + SECONDS
        while time.monotonic() < end:
            assert program.exit_code is None, log.read_text()[-3000:]
            time.sleep(min(2, SECONDS / 50))
            samples.append({name: sample(program, name) for name in GROWTH})
            assert all(memory(pid) < MOST_MEMORY for pid in program.found("worker"))
            files.append(sum(1 for path in checkpoint.rglob("*") if path.is_file()))
        batches = last_commit(checkpoint)
    finally:
        program.end()
    # A batch that was under way has left some more than those that are kept.
    left = Counter(path.relative_to(checkpoint).as_posix().rpartition("/")[0] for path in numbered_files(checkpoint))
    print(f"left of {batches} batches: {dict(left)}")
    assert all(0 < left[kind] <= 3 for kind in ("reads/0", "reads/1", "decisions/source-0"))
    assert all(0 < left[kind] <= RETAINED + 3 for kind in ("spark/offsets", "spark/commits"))
    assert len(list(checkpoint.glob("totals.*"))) <= 3
    half, quarter = len(samples) // 2, len(samples) // 4
    print(f"{batches} batches, files {min(files[half:])} to {max(files[half:])}")
    # They go each some seconds, so their number goes up and down; without an end it would be that of all batches.
    assert max(files[half:]) < max(files[quarter:half]) * 1.3 + 50
    for name, limits in GROWTH.items():
        for at, (what, limit) in enumerate(zip(("memory", "threads", "open files"), limits, strict=True)):
            middle = median(each[name][at] for each in samples[quarter:half])
            last = median(each[name][at] for each in samples[-quarter:])
            print(f"{name}: {what} {middle:,} and {last:,}")
            assert last <= middle + limit, f"{what} of {name} grew from {middle:,} to {last:,}"


def numbered_files(folder):
    """Those of batches: decisions, reads, offsets, commits."""
    return [path for path in folder.rglob("*") if path.is_file() and path.name.isdigit()]


def wait_for_batches(program, checkpoint, number, log):
    deadline = time.monotonic() + 300
    while last_commit(checkpoint) < number:
        assert program.exit_code is None, log.read_text()[-3000:]
        assert time.monotonic() < deadline, "no batches"
        time.sleep(0.1)


def last_commit(checkpoint):
    names = [path.name for path in (checkpoint / "spark" / "commits").glob("*")]
    return max([int(name) for name in names if name.isdigit()], default=-1)


def memory(pid):
    """Bytes of a process; 0: it has just ended."""
    with suppress(FileNotFoundError, KeyError, ProcessLookupError):
        return int(status_of(pid)["VmRSS"].split()[0]) * 1024
    return 0


def status_of(pid):
    with open(f"/proc/{pid}/status") as status:
        return dict(line.split(":", 1) for line in status)


def sample(program, name):
    """Bytes of memory, threads and open files of a part of the program."""
    parts = {"program": ["program"], "java": ["java"], "workers": ["worker", "daemon"]}[name]
    sums = [0, 0, 0]
    for pid in [pid for part in parts for pid in program.found(part)]:
        with suppress(FileNotFoundError, KeyError, ProcessLookupError):  # it has just ended
            sums[0] += memory(pid)
            sums[1] += int(status_of(pid)["Threads"])
            sums[2] += len(os.listdir(f"/proc/{pid}/fd"))
    return sums
