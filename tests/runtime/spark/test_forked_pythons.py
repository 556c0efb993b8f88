"""Pythons that a server forks are as Spark has asked for them; where none is forked, one is started."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.runtime.sources.running import Shown
from tests.runtime.sources.scripted import ScriptedSource
from tests.runtime.sources.test_programs import TIMES, split, wait_for
from windrow.runtime.spark import fork_client, forked_pythons
from windrow.runtime.spark.forked_pythons import asks_for_forks, end, fork_server

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="Pythons are forked on Linux")

#: What the client asks the server for has such a last argument.
LAST = "pyspark.sql.worker.none"
FORKED = "print('windrow.runtime.spark.job_source' in sys.modules)"


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    path = tmp_path_factory.mktemp("s") / "socket"
    server = fork_server(path, environment())
    yield path
    end(server)


def environment(**more):
    return {**os.environ, "PYTHONHASHSEED": "0", "PYTHONUNBUFFERED": "YES", **more}


def client(address, folder, code, *, last=LAST, **variables):
    """A client in a folder in which this code is a module; it is to have argument and last argument."""
    (folder / "asked_for.py").write_text(f"import os, signal, sys, time\n{code}")
    command = [sys.executable, "-I", "-S", fork_client.__file__, address, sys.executable]
    return subprocess.Popen(
        [*map(str, command), "-m", "asked_for", "an argument", last],
        cwd=folder,
        env=environment(**variables),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def said(process, text=""):
    output, errors = process.communicate(text, timeout=60)
    return output.splitlines(), errors, process.returncode


def test_it_has_what_the_client_has(address, tmp_path):
    """Arguments, folder, variables, standard input and outputs, and its exit code is that of the client."""
    code = "print(sys.argv[1:], os.getcwd(), os.environ['A'], input(), __name__)\nsys.stderr.write('!')\nsys.exit(7)"
    output, errors, exit_code = said(client(address, tmp_path, f"{FORKED}\n{code}", A="b\n=c"), "hello\n")
    assert output == ["True", f"['an argument', '{LAST}'] {tmp_path} b", "=c hello __main__"]
    assert (errors, exit_code) == ("!", 7)


@pytest.mark.parametrize(
    "variables", [{"PYTHONHASHSEED": "1"}, {"PYTHONPATH": "/tmp"}, {"PYTHONWARNINGS": "error"}], ids=str
)
def test_one_that_would_start_otherwise_is_started(address, tmp_path, variables):
    """What Python reads when it starts was read by the server, as it was there."""
    output, errors, exit_code = said(client(address, tmp_path, f"{FORKED}\nsys.exit(3)", **variables))
    assert (output, errors, exit_code) == (["False"], "", 3)


def test_files_that_spark_names_and_jars_change_nothing(address, tmp_path):
    """Spark names its zip files, which may not be there, and a jar."""
    jar = tmp_path / "spark-core.jar"
    jar.touch()
    places = os.pathsep.join([str(tmp_path / "pyspark.zip"), str(jar), os.environ.get("PYTHONPATH", "")])
    assert said(client(address, tmp_path, FORKED, PYTHONPATH=places))[0] == ["True"]


def test_workers_of_tasks_are_started(address, tmp_path):
    """Spark has daemons of its own for these."""
    assert said(client(address, tmp_path, FORKED, last="pyspark.worker"))[0] == ["False"]


def test_without_a_server_it_is_started(tmp_path):
    """As if there were no client."""
    assert said(client(tmp_path / "socket", tmp_path, FORKED))[0] == ["False"]


def test_a_server_that_fails_is_none(tmp_path):
    """One that finds no Windrow, say; whoever waits for it goes on."""
    server = fork_server(tmp_path / "s", environment(PYTHONHASHSEED="none"))
    try:
        assert said(client(tmp_path / "s", tmp_path, FORKED))[0] == ["False"]
    finally:
        end(server)


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 128 + 15), (signal.SIGKILL, -9)], ids=["term", "kill"])
def test_it_ends_with_the_client(address, tmp_path, number, code):
    """Spark ends the process that it has started; whoever was forked for it goes, too, and no one else."""
    process = client(address, tmp_path, "print(os.getpid(), flush=True)\ntime.sleep(600)")
    forked = int(process.stdout.readline())
    assert forked != process.pid
    process.send_signal(number)
    assert said(process)[2] == code
    wait_until(lambda: not Path(f"/proc/{forked}").exists())
    assert said(client(address, tmp_path, FORKED))[0] == ["True"], "the server goes on"


def test_the_server_ends_with_its_program(tmp_path):
    """However that has ended: its end of a pipe is closed. Those that were forked go on."""
    server = fork_server(tmp_path / "s", environment())
    process = client(tmp_path / "s", tmp_path, "print('begun', flush=True)\nprint(input())")
    assert process.stdout.readline() == "begun\n"
    server.stdin.close()
    assert server.wait(timeout=60) == 0
    process.stdin.write("goes on\n")
    process.stdin.flush()
    assert process.stdout.readline() == "goes on\n"
    said(process)


@pytest.mark.spark
def test_a_session_of_ours_forks_them(on_spark, spark_session, tmp_path):
    """Of a streaming query while it runs; daemons may be those of a query before, which no server had forked."""
    env = on_spark({"execution.checkpointing.dir": str(tmp_path)})
    source = ScriptedSource([split("a", range(0, 100, 10), ends=False)], is_bounded=False)
    env.from_source(source, TIMES, "scripted").sink_to(Shown())
    client = env.execute_async()
    wait_for(lambda: client.get_spark_query().result().progress is not None)
    python = spark_session.sparkContext.pythonExec
    assert asks_for_forks(python)
    server = forked_pythons._servers[Path(python).parent / "socket"]
    assert server.poll() is None
    assert Path(f"/proc/{server.pid}/task/{server.pid}/children").read_text().split()
    client.cancel().result()


def wait_until(is_so):
    deadline = time.monotonic() + 30
    while not is_so():
        assert time.monotonic() < deadline
        time.sleep(0.01)
