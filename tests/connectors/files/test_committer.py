"""Commits of files, whatever happens between two steps."""

import os
import random
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import BufferedWriter
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
import s3fs
from fsspec.implementations.memory import MemoryFileSystem
from fsspec.implementations.webhdfs import WebHDFS

from windrow.common import Encoder
from windrow.connectors.files.buckets import BucketAssigner
from windrow.connectors.files.committer import IN_PROGRESS, Committer
from windrow.connectors.files.part_files import OutputFileConfig, RollingPolicy
from windrow.connectors.files.paths import files_in
from windrow.connectors.files.sink import FileSink, FileSinkWriter
from windrow.connectors.interfaces import WriterContext
from windrow.errors import JobExecutionError
from windrow.storage import disk
from windrow.storage.file_systems import file_system_of
from windrow.storage.s3_file_system import S3FileSystem


class Crash(BaseException):
    """The process is killed: nothing of it runs any more."""


@contextmanager
def closed_at_death(writer: FileSinkWriter) -> Iterator[None]:
    """Close what a process that dies here has open on a disk, as its kernel does: what is in its buffers is lost."""
    try:
        yield
    except Crash:
        for part in chain.from_iterable(writer._parts.values()):
            if isinstance(part.file, BufferedWriter):  # elsewhere it would send requests, and it is dead
                part.file.raw.close()
        raise


class CountedSteps:
    """Lets a process die before one of the steps that change what is on disk."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, steps: list[tuple[Any, str]]) -> None:
        self.left = 10**9
        monkeypatch.setattr(os, "fsync", lambda _: None)  # no power is lost here, and waiting for disks takes a minute
        for owner, name in steps:
            monkeypatch.setattr(owner, name, self._counted(getattr(owner, name)))

    def _counted(self, step):
        def counted(*args, **named):
            self.tick()
            return step(*args, **named)

        return counted

    def tick(self) -> None:
        if self.left == 0:
            raise Crash
        self.left -= 1


ON_DISK = [(disk, name) for name in ("write", "rename", "remove", "sync")]
IN_MEMORY = [(MemoryFileSystem, name) for name in ("pipe_file", "cp_file", "rm_file")]
ON_S3 = [(S3FileSystem, "write"), (S3FileSystem, "remove"), (s3fs.S3FileSystem, "call_s3")]
OVER_HTTP = [(WebHDFS, "_call")]


def sink_into(folder: str) -> FileSink:
    return (
        FileSink.for_row_format(folder, Encoder.simple_string_encoder())
        .with_bucket_assigner(BucketAssigner.base_path_bucket_assigner())
        .with_rolling_policy(RollingPolicy.default_rolling_policy(part_size=12))
        .build()
    )


def visible(folder: Path) -> list[Path]:
    files = (file for file in folder.rglob("*") if file.is_file())
    return sorted(file for file in files if ".inprogress" not in file.relative_to(folder).parts)


def elements_in(folder: str) -> list[str]:
    read = file_system_of(folder).read
    return sorted(line for file in files_in(folder) for line in read(file.path).decode().split())


BATCHES = [[f"{batch}.{number}" for number in range(10)] for batch in (0, 1)] + [[]]


ELEMENTS = sorted(element for batch in BATCHES for element in batch)


class Program:
    """Runs batches as Spark does: one that is not known to be committed is run again by the next process."""

    def __init__(self, folder: str, steps: CountedSteps) -> None:
        self.folder = folder
        self.steps = steps
        self.next_batch = 0
        self.attempts = 0

    def run(self) -> None:
        sink = sink_into(self.folder)
        while self.next_batch < len(BATCHES):
            self.attempts += 1
            self._run_batch(sink, self.next_batch)
            self.steps.tick()
            self.next_batch += 1

    def _run_batch(self, sink: FileSink, batch: int) -> None:
        # Which partition has an element differs from attempt to attempt, and so do the files of a batch.
        partitions = [BATCHES[batch][start :: 1 + self.attempts % 3] for start in range(1 + self.attempts % 3)]
        committables = []
        for partition, values in enumerate(partitions):
            if values:
                writer = sink.create_writer(WriterContext(batch, partition))
                writer.write(values, [0] * len(values))
                with closed_at_death(writer):
                    self.steps.tick()
                committables.append(writer.prepare_commit())
        sink.commit(batch, committables)
        if self.attempts % 2:
            sink.commit(batch, committables)


def test_every_element_is_there_once_wherever_processes_die(tmp_path, monkeypatch):
    """Two processes die, the first before any of the steps; the third one ends the job."""
    steps = CountedSteps(monkeypatch, ON_DISK)
    total = steps_of_a_run(steps, str(tmp_path))
    for first in range(total):
        for second in range(0, total, 6):
            dies_twice(steps, f"{tmp_path}/{first}-{second}", first, second)


@pytest.mark.parametrize("any_folder", ["memory"], indirect=True)
def test_every_element_is_there_once_where_files_are_copied_to_their_names(any_folder, monkeypatch):
    """On an object store that knows no uploads of its own."""
    steps = CountedSteps(monkeypatch, IN_MEMORY)
    total = steps_of_a_run(steps, any_folder)
    for first in range(total):
        for second in range(0, total, 6):
            dies_twice(steps, f"{any_folder}/{first}-{second}", first, second)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("any_folder", "counted", "programs"),
    [
        pytest.param("s3", ON_S3, 10, marks=pytest.mark.hadoop, id="s3"),
        pytest.param("hdfs", OVER_HTTP, 4, marks=pytest.mark.hadoop, id="hdfs"),
    ],
    indirect=["any_folder"],
)
def test_every_element_is_there_once_on_a_server(any_folder, counted, programs, monkeypatch):
    """Two processes die before requests drawn by lot."""
    seed = int(os.environ.get("WINDROW_KILL_SEED", random.randrange(10**6)))
    print(f"WINDROW_KILL_SEED={seed}")
    lots = random.Random(seed)
    steps = CountedSteps(monkeypatch, counted)
    total = steps_of_a_run(steps, any_folder)
    for number in range(programs):
        dies_twice(steps, f"{any_folder}/{number}", lots.randrange(total), lots.randrange(total))


def steps_of_a_run(steps, folder):
    """How many steps a run has that nobody disturbs."""
    whole = Program(f"{folder}/whole", steps)
    whole.run()
    assert elements_in(whole.folder) == ELEMENTS
    return 10**9 - steps.left


def dies_twice(steps, folder, first, second):
    """Two processes die, each before one of its steps; the third one ends the job."""
    program = Program(folder, steps)
    for steps.left in (first, second):
        with suppress(Crash):  # the second process may come to the end
            program.run()
    steps.left = 10**9
    program.run()
    assert elements_in(program.folder) == ELEMENTS
    assert len(file_system_of(folder).names(f"{folder}/.inprogress")) == 1


@pytest.fixture
def committer(tmp_path) -> Committer:
    return Committer(str(tmp_path), OutputFileConfig("p", ".txt"))


def in_progress(committer: Committer, final: str, text: str, attempt: str = "a") -> tuple[str, str]:
    pending = committer.begin(committer.in_progress(Path(final).name, attempt), final)
    pending.file.write(text.encode())
    return pending.close_for_commit(), final


def test_a_commit_that_is_called_again_changes_nothing(committer, tmp_path):
    """Called again with equal arguments, when the files are renamed already."""
    moves = [in_progress(committer, "p-0-0-0.txt", "x"), in_progress(committer, "day/p-0-0-0.txt", "y", "b")]
    committer.commit(0, moves)
    committer.commit(0, moves)
    assert [str(file.relative_to(tmp_path)) for file in visible(tmp_path)] == ["day/p-0-0-0.txt", "p-0-0-0.txt"]


def test_a_batch_run_again_replaces_what_the_dead_attempt_made(committer, tmp_path):
    """Names of the dead attempt that the batch does not have now are removed, in other folders too."""
    committer.commit(
        3, [in_progress(committer, "day1/p-3-0-0.txt", "old"), in_progress(committer, "day1/p-3-1-0.txt", "old", "b")]
    )
    committer.commit(3, [in_progress(committer, "day2/p-3-0-0.txt", "new", "c")])
    assert [file.read_text() for file in visible(tmp_path)] == ["new"]
    committer.commit(3, [])
    assert visible(tmp_path) == []


def test_hidden_files_of_dead_attempts_are_removed_when_their_batch_commits(committer):
    """Those of later batches and of other sinks stay."""
    for name in ("p-0-0-0.txt", "p-1-0-0.txt", "p-2-0-0.txt", "other-0-0-0.txt"):
        in_progress(committer, name, "dead")
    committer.commit(1, [in_progress(committer, "p-1-1-0.txt", "x")])
    names = sorted(file.name for file in Path(committer.base, IN_PROGRESS).iterdir())
    assert names == [".other-0-0-0.txt.inprogress.a", ".p-1.txt.names", ".p-2-0-0.txt.inprogress.a"]


def test_batches_may_be_missing(committer, tmp_path):
    """Numbers of batches go up, and not always by one."""
    committer.commit(0, [in_progress(committer, "p-0-0-0.txt", "x")])
    committer.commit(7, [in_progress(committer, "p-7-0-0.txt", "y")])
    assert len(visible(tmp_path)) == 2


def test_a_run_that_begins_anew_is_not_mixed_with_an_earlier_one(committer, tmp_path):
    """The folder has batches that this run has not come to: they are another run's."""
    for batch in (0, 1):
        committer.commit(batch, [in_progress(committer, f"p-{batch}-0-0.txt", "x")])
    committer.commit(2, [])
    with pytest.raises(JobExecutionError, match=r"results of another run, up to its batch 1, .* its batch 0"):
        committer.commit(0, [in_progress(committer, "p-0-0-0.txt", "new")])
    assert [file.read_text() for file in visible(tmp_path)] == ["x", "x"]
    Committer(str(tmp_path), OutputFileConfig("q", ".txt")).commit(0, [])


def test_a_file_that_has_vanished_is_an_error(committer):
    """Results are not lost silently."""
    hidden, final = in_progress(committer, "p-0-0-0.txt", "x")
    Path(hidden).unlink()
    with pytest.raises(JobExecutionError, match=r"has vanished before its batch was committed"):
        committer.commit(0, [(hidden, final)])


def test_a_job_without_results_makes_no_folder(tmp_path):
    """Nothing to commit, nothing to clean."""
    Committer(str(tmp_path / "out"), OutputFileConfig()).commit(0, [])
    assert not (tmp_path / "out").exists()
