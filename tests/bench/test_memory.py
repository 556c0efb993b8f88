"""How the memory of workers is watched."""

import time
from pathlib import Path

import pytest

from bench import memory as module
from bench.memory import PeakMemory, descendants, parent, peak_kib


def test_parent_of_a_program_with_spaces_and_parentheses() -> None:
    """The program's name may hold what separates the fields."""
    assert parent("77 (odd) name (x) R 42 77 77 0 -1") == 42


def test_no_peak_for_a_process_that_is_gone() -> None:
    """A process that has ended has no memory lines any more."""
    assert peak_kib("Name:\tzombie\nState:\tZ (zombie)\n") == 0


def test_descendants_of_descendants() -> None:
    """Processes are found at any depth, and nobody else's."""
    assert descendants(1, {2: 1, 3: 2, 4: 3, 5: 6, 6: 5}) == {2, 3, 4}


def process(proc: Path, pid: int, above: int, command: str, peak: int) -> None:
    """Write what the system would say of one process."""
    folder = proc / str(pid)
    folder.mkdir()
    (folder / "stat").write_text(f"{pid} (python) S {above} {pid} {pid} 0")
    (folder / "cmdline").write_bytes(command.replace(" ", "\0").encode())
    (folder / "status").write_text(f"Name:\tpython\nVmHWM:\t{peak} kB\nVmRSS:\t10 kB\n")


def test_peak_of_a_worker_is_seen_and_others_are_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only descendants with the marker in their command line count, by their peak, not by what they hold now."""
    monkeypatch.setattr(module, "_PROC", tmp_path)
    process(tmp_path, 10, 1, "python program", 900)
    process(tmp_path, 11, 10, "java org.apache.spark", 800)
    process(tmp_path, 12, 11, "python -m pyspark.daemon", 300)
    process(tmp_path, 13, 12, "python -m pyspark.daemon", 400)
    process(tmp_path, 14, 1, "python -m pyspark.daemon", 700)
    (tmp_path / "15").mkdir()  # a process that ended while it was looked at
    with PeakMemory(10, "pyspark") as memory:
        deadline = time.monotonic() + 10
        while memory.kib == 0 and time.monotonic() < deadline:
            time.sleep(0.01)
    assert memory.kib == 400
