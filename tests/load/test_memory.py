"""What jobs under load take of memory: of the program, of Java, of each Python that Spark starts."""

import time
from collections import Counter
from contextlib import suppress
from pathlib import Path

import pytest

from tests.load.program import BATCH, COUNT, SIZE, WINDOW, key_of
from tests.processes import Program
from tests.runtime.spark.expected import lines_in
from windrow.runtime.sources.read_record import ReadRecords
from windrow.storage.local_folder import LocalFolder

MIB = 1 << 20
#: The most that each of them may ever have. Java has a heap of 700 MiB, and some outside of it.
BOUNDS = {"program": 300 * MIB, "java": 1300 * MIB, "python": 400 * MIB}
SECONDS = 240

pytestmark = [pytest.mark.spark, pytest.mark.slow]


class Watched:
    """A program, and the most memory that its processes have had."""

    def __init__(self, name, folder):
        self.checkpoint, self.out, self._log = folder / "checkpoint", folder / "out", folder / "log"
        self.program = Program("tests.load.program", name, self.checkpoint, self.out, log=self._log)
        self.peaks = Counter()

    def until(self, is_enough):
        """Watch it until it has done enough, then end it."""
        deadline = time.monotonic() + SECONDS
        try:
            while not is_enough():
                assert self.program.exit_code in (None, 0), self.said()
                assert time.monotonic() < deadline, self.said()
                for kind in BOUNDS:
                    for pid in self.program.found(kind):
                        self.peaks[kind] = max(self.peaks[kind], peak(pid))
                time.sleep(0.2)
        finally:
            self.program.end()
        print({kind: f"{most // MIB} MiB" for kind, most in self.peaks.items()})
        assert all(self.peaks.values())
        assert {kind: most for kind, most in self.peaks.items() if most > BOUNDS[kind]} == {}

    def commits(self):
        names = [path.name for path in (self.checkpoint / "spark" / "commits").glob("*")]
        return max([int(name) for name in names if name.isdigit()], default=-1) + 1

    def said(self):
        return self._log.read_text(errors="replace")[-3000:]


def peak(pid):
    """The most bytes that a process has ever had; 0: it has just ended."""
    with suppress(OSError, StopIteration):
        status = Path(f"/proc/{pid}/status").read_text().splitlines()
        return 1024 * next(int(line.split()[1]) for line in status if line.startswith("VmHWM"))
    return 0


def test_a_source_that_gives_more_than_is_worked_off_is_read_as_fast_as_that(tmp_path):
    """It could give millions: a batch reads what is said for one, and the next one waits until that is worked off."""
    watched = Watched("overload", tmp_path)
    watched.until(lambda: watched.commits() >= 4)
    records = ReadRecords(LocalFolder(watched.checkpoint))
    files = {path.parent.name: int(path.name) for path in (watched.checkpoint / "reads").glob("*/*")}
    read = [sum(run.elements for run in records.read(int(channel), number).runs) for channel, number in files.items()]
    print("read in a batch:", read)
    assert len(read) == 2
    assert all(0 < each * SIZE < 1.6 * BATCH for each in read)


def test_a_key_that_has_nearly_all_elements_takes_no_more_memory(tmp_path):
    """One subtask has most of the work; results are those of any other key."""
    watched = Watched("skew", tmp_path)
    watched.until(lambda: watched.program.exit_code == 0)
    assert watched.commits() > 1
    keys = [key_of(number) for number in range(COUNT)]
    sums, counts = Counter(), Counter(keys)
    for number, key in enumerate(keys):
        sums[key, number // WINDOW] += number
    expected = [f"sum {key} {total}" for (key, _), total in sums.items()]
    expected += [f"kept {key} {window * WINDOW} {total}" for (key, window), total in sums.items()]
    half = WINDOW // 2
    expected += [f"running {key} {at}" for key, count in counts.items() for at in range(half, count + 1, half)]
    assert sorted(lines_in(watched.out)) == sorted(expected)
