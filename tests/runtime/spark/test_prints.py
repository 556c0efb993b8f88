"""What functions print in workers is shown by the program."""

import contextlib
import io
import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from windrow.runtime.spark.print_receiver import PrintReceiver, print_receiver, prints_path
from windrow.runtime.spark.print_sender import ERR, OUT, WorkerStream, printing_to


@pytest.fixture
def receiver():
    receiver = PrintReceiver()
    yield receiver
    receiver.close()


@pytest.fixture
def worker(receiver):
    """Standard output and error of a worker that has connected."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(receiver.path)
        yield WorkerStream(OUT, io.StringIO(), connection), WorkerStream(ERR, io.StringIO(), connection)


def test_lines_come_to_the_programs_own_streams(receiver, worker, capsys):
    """Those of print, and those of standard error; what is drained has arrived."""
    out, error = worker
    print("one", file=out)
    print("two", "three", sep="\n", file=out)
    print("careful", file=error)
    receiver.drain()
    assert tuple(capsys.readouterr()) == ("one\ntwo\nthree\n", "careful\n")


def test_a_line_is_sent_whole(receiver, worker, capsys):
    """Parts wait for the rest, or for the end of the task."""
    out, _ = worker
    print("a", end="", file=out)
    receiver.drain()
    assert capsys.readouterr().out == ""
    print("b\nc", end="", file=out)
    receiver.drain()
    assert capsys.readouterr().out == "ab\n"
    out.end()
    receiver.drain()
    assert capsys.readouterr().out == "c\n"


def test_long_lines_and_every_letter_arrive(receiver, worker, capsys):
    """However many reads a line takes."""
    text = "äß€\U0001f600\udc80" * 100_000
    print(text, file=worker[0])
    receiver.drain()
    assert capsys.readouterr().out == text.replace("\udc80", "\\udc80") + "\n"


def test_other_processes_reach_it(receiver, capfd):
    """A worker that dies right behind its line has said it."""
    code = (
        "import os, sys\nfrom windrow.runtime.spark.print_sender import printing_to\n"
        "with printing_to(sys.argv[1]):\n    print('last words')\n    os._exit(3)"
    )
    subprocess.run([sys.executable, "-c", code, receiver.path], check=False)
    receiver.drain()
    assert capfd.readouterr().out == "last words\n"


@pytest.mark.parametrize("path", [None, "/nowhere/socket"])
def test_what_cannot_reach_the_program_is_noted(path):
    """It goes where it always went."""
    with contextlib.redirect_stdout(io.StringIO()) as out:
        with printing_to(path) as streams:
            print("one")
        assert (out.getvalue(), streams[0].unseen, streams[1].unseen) == ("one\n", True, False)


def test_a_program_that_is_gone_is_no_error():
    """The line goes where it would have gone without it."""
    mine, other = socket.socketpair()
    other.close()
    original = io.StringIO()
    stream = WorkerStream(ERR, original, mine)
    stream.write("one\ntwo\n")
    assert (original.getvalue(), stream.unseen) == ("one\ntwo\n", True)
    mine.close()


def test_the_streams_are_set_back():
    """Also behind an error."""
    before = sys.stdout, sys.stderr
    with contextlib.suppress(ZeroDivisionError), printing_to(None):
        assert sys.stdout is not before[0]
        1 / 0  # noqa: B018
    assert (sys.stdout, sys.stderr) == before


def test_a_stream_of_a_worker_is_a_stream():
    """For who asks it before writing."""
    with printing_to(None) as (out, _):
        assert (out.writable(), out.readable(), out.isatty(), out.encoding) == (True, False, False, "utf-8")


def test_nobody_reads_the_program(receiver, worker, monkeypatch):
    """A closed standard output is no failure of the job."""
    closed = io.StringIO()
    closed.close()
    monkeypatch.setattr(sys, "stdout", closed)
    print("one", file=worker[0])
    receiver.drain()
    assert not worker[0].unseen


class Session:
    def __init__(self, master):
        self.sparkContext = self
        self.master = master


def test_only_workers_of_this_machine_get_the_socket():
    """Others cannot reach it."""
    assert prints_path(Session("spark://host:7077")) is None
    assert prints_path(Session("local[2]")) == print_receiver().path


def test_nothing_is_left_of_it(tmp_path):
    """When the program ends, or the receiver is closed."""
    code = (
        "from windrow.runtime.spark.print_receiver import print_receiver\nimport os\n"
        "print(os.path.exists(print_receiver().path))"
    )
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout == "True\n"
    assert list(Path(tmp_path).iterdir()) == []


def test_a_folder_whose_name_is_too_long_for_a_socket(tmp_path):
    """Then lines stay in Spark's log."""
    code = "from windrow.runtime.spark.print_receiver import print_receiver; print(print_receiver())"
    folder = tmp_path / ("x" * 120)
    folder.mkdir()
    environment = {**os.environ, "TMPDIR": str(folder)}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout == "None\n"
    assert list(folder.iterdir()) == []


def prints(value):
    print("saw", value)
    return value


@pytest.mark.spark
@pytest.mark.parametrize("query", ["batch", "streaming"])
def test_print_in_a_function_is_seen(on_spark, tmp_path, capsys, query):
    """By the program, before the job is over; also what comes before an error."""
    env = on_spark({"execution.checkpointing.dir": str(tmp_path / "checkpoint")} if query == "streaming" else {})
    assert env.from_collection([1, 2]).map(prints).execute_and_collect(limit=2) == [1, 2]
    assert capsys.readouterr().out == "saw 1\nsaw 2\n"


@pytest.mark.spark
def test_on_a_cluster_a_line_says_where_it_is(on_spark, monkeypatch, caplog):
    """Once for a job, and not in the middle of its results."""
    monkeypatch.setattr("windrow.runtime.spark.run.prints_path", lambda spark: None)
    assert on_spark().from_collection([1, 2]).key_by(lambda n: n).map(prints).execute_and_collect(limit=2)
    assert [record.getMessage()[:58] for record in caplog.records if record.name == "windrow"] == [
        "functions of job 'Flink Streaming Job' have printed; that "
    ]
