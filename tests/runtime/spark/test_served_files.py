"""Files of the program's process, as workers see them."""

import pickle
import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from multiprocessing.connection import Connection

import pytest

from windrow.errors import ConfigurationError, JobExecutionError
from windrow.runtime.sources.messages import ReaderResting
from windrow.runtime.sources.resting import Resting
from windrow.runtime.spark import file_server, served_files
from windrow.runtime.spark.file_server import FileServer, server_address, workers_live_on
from windrow.runtime.spark.served_files import ServedFiles
from windrow.storage.local_folder import LocalFolder


@pytest.fixture
def server(tmp_path):
    """A server of the files in the test's folder."""
    before = set(threading.enumerate())
    server = FileServer(LocalFolder(tmp_path), "127.0.0.1", "127.0.0.1")
    yield server
    server.close()
    for thread in set(threading.enumerate()) - before:
        thread.join(10)
        assert not thread.is_alive()


def shipped(files):
    """As they come to another process."""
    return pickle.loads(pickle.dumps(files))


def test_all_that_can_be_done_with_files_is_done_over_the_connection(server, tmp_path):
    """With the errors that they have here."""
    files = shipped(server.served)
    files.write("reads/0/1", b"\n{}\x00" * 100_000)
    files.create("reads/0/2", b"")
    assert files.read("reads/0/1") == (tmp_path / "reads" / "0" / "1").read_bytes() == b"\n{}\x00" * 100_000
    assert (files.read("reads/0/2"), sorted(files.names("reads/0")), files.names("no")) == (b"", ["1", "2"], [])
    assert (files.exists("reads"), files.exists("drain")) == (True, False)
    with pytest.raises(FileExistsError, match=r"File exists: '.*/reads/0/2'"):
        files.create("reads/0/2", b"")
    with pytest.raises(FileNotFoundError, match="reads/0/3"):
        files.read("reads/0/3")
    files.remove("reads")
    assert list(tmp_path.iterdir()) == []
    files.close()


def test_many_ask_at_once(server):
    """Each over a connection of its own; of those who create one file, one does."""

    def work(number):
        files = shipped(server.served)
        try:
            files.write(f"of/{number}", b"%d" % number * 1000)
            assert files.read(f"of/{number}") == b"%d" % number * 1000
            files.create("one", b"")
        except FileExistsError:
            return 0
        finally:
            files.close()
        return 1

    with ThreadPoolExecutor(16) as pool:
        assert sum(pool.map(work, range(64))) == 1


def test_who_does_not_know_the_key_learns_and_changes_nothing(server, tmp_path):
    """Neither with another key nor without one; nor does a worker tell a stranger anything."""
    (tmp_path / "secret").write_bytes(b"secret")
    with pytest.raises(JobExecutionError, match="cannot be reached"):
        replace(server.served, key=b"guessed").read("secret")
    for said in (b"", b"\x00\x00\x00\x05hello", b"\x7f\xff\xff\xff", b"GET / HTTP/1.1\r\n\r\n"):
        with socket.create_connection(("127.0.0.1", server.served.port), timeout=10) as stranger:
            stranger.sendall(said)
            stranger.shutdown(socket.SHUT_WR)
            heard = b""
            with suppress(ConnectionResetError):  # of what it was sent the server has read only a part
                while part := stranger.recv(1000):
                    heard += part
        assert len(heard) in (0, 32)  # nothing but a number that a proof is asked of
    assert shipped(server.served).read("secret") == b"secret"


def test_another_server_on_the_port_is_not_trusted(server, tmp_path):
    """A program that has taken the port of one that is gone is no place for what was read."""
    other = FileServer(LocalFolder(tmp_path / "other"), "127.0.0.1", "127.0.0.1")
    with pytest.raises(JobExecutionError, match=r"cannot be reached from here at 127\.0\.0\.1"):
        replace(server.served, port=other.served.port).write("reads/0/1", b"mine")
    other.close()
    assert list(tmp_path.iterdir()) == []


def test_a_program_that_has_ended_is_named(server):
    """With what the reason may be; the key is not said."""
    files = shipped(server.served)
    assert not files.exists("drain")
    server.close()
    for _ in range(2):
        with pytest.raises(
            JobExecutionError, match=r"program's process, which keeps .*/drain, .*windrow\.driver\.port"
        ):
            files.exists("drain")
    assert repr(server.served.key) not in repr(files)


def test_a_connection_that_is_gone_is_made_anew_for_what_changes_nothing(server, tmp_path):
    """One that was not used for long is dropped on its way; a write may have been done: the task is run again."""
    (tmp_path / "file").write_bytes(b"data")
    files = shipped(server.served)
    for ask in (lambda: files.read("file"), lambda: files.exists("file"), files.names):
        assert ask() == ask()
        hang_up(server)
        assert ask()
    hang_up(server)
    with pytest.raises(JobExecutionError, match="cannot be reached"):
        files.create("other", b"")


def hang_up(server):
    """As a firewall does."""
    for connection in list(server._connections):
        file_server._hang_up(connection)
    deadline = time.monotonic() + 10
    while server._connections:
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_an_answer_that_nobody_waited_for_is_none_to_the_next_question(server, tmp_path, monkeypatch):
    """Who is interrupted between question and answer asks anew."""
    for name in ("one", "two"):
        (tmp_path / name).write_text(name)
    files = shipped(server.served)
    assert files.exists("one")
    receive = Connection.recv_bytes
    of_worker = files._connection

    def interrupted(connection, *size):
        if connection is of_worker:
            raise KeyboardInterrupt
        return receive(connection, *size)

    with monkeypatch.context() as patched:
        patched.setattr(Connection, "recv_bytes", interrupted)
        with pytest.raises(KeyboardInterrupt):
            files.read("one")
    assert files.read("two") == b"two"


def test_what_is_being_written_is_written_before_a_server_has_closed(tmp_path):
    """Who starts the job again finds it, and nothing comes behind."""
    begun, may_end, log = threading.Event(), threading.Event(), []

    class Slow(LocalFolder):
        def create(self, name, data):
            begun.set()
            assert may_end.wait(10)
            log.append("written")

    server = FileServer(Slow(tmp_path), "127.0.0.1", "127.0.0.1")
    writing = threading.Thread(target=write_and_lose_the_answer, args=(server,))
    writing.start()
    assert begun.wait(10)
    closing = threading.Thread(target=lambda: (server.close(), log.append("closed")))
    closing.start()
    closing.join(0.2)
    assert log == []
    may_end.set()
    closing.join(10)
    writing.join(10)
    assert log == ["written", "closed"]


def write_and_lose_the_answer(server):
    with suppress(JobExecutionError):
        shipped(server.served).create("reads/0/7", b"")


def test_what_goes_wrong_in_the_program_is_told_to_who_has_asked(tmp_path):
    """Whatever it is: the connection stays."""

    class Broken(LocalFolder):
        def read(self, name):
            raise RuntimeError("Java is gone")

    server = FileServer(Broken(tmp_path), "127.0.0.1", "127.0.0.1")
    files = shipped(server.served)
    with pytest.raises(OSError, match="RuntimeError: Java is gone"):
        files.read("file")
    assert not files.exists("file")
    files.close()
    server.close()


def test_who_connects_and_says_nothing_is_not_waited_for(server, monkeypatch):
    """Nor who says one letter; nobody else waits for them either."""
    monkeypatch.setattr(served_files, "_PATIENCE", 0.5)
    with socket.create_connection(("127.0.0.1", server.served.port), timeout=10) as stranger:
        stranger.sendall(b"a")
        assert not shipped(server.served).exists("file")
        heard = b""
        with suppress(ConnectionResetError):
            while part := stranger.recv(1000):
                heard += part
    assert len(heard) in (0, 32)


@pytest.mark.parametrize("place", ["taken", "of another machine", "no port", "unknown"])
def test_where_it_cannot_listen_the_settings_are_named(server, tmp_path, place):
    """A job that runs beside this one has the port, say."""
    address, port = {
        "taken": ("127.0.0.1", server.served.port),
        "of another machine": ("192.0.2.1", 0),
        "no port": ("127.0.0.1", 70_000),
        "unknown": ("no.such.host.invalid", 0),
    }[place]
    with pytest.raises(ConfigurationError, match=rf"cannot listen on {address}, .* windrow\.driver\.port"):
        FileServer(LocalFolder(tmp_path), "127.0.0.1", address, port)


@pytest.mark.parametrize("listens_on", ["0.0.0.0", "127.0.0.1"])
def test_a_process_on_this_machine_asks_by_an_address_of_this_machine(tmp_path, listens_on):
    """Whatever others call it."""
    server = FileServer(LocalFolder(tmp_path), "not.to.be.found.invalid", listens_on)
    assert server.near.host == "127.0.0.1"
    files = shipped(server.near)
    assert not files.exists("drain")
    files.close()
    server.close()


def test_workers_of_one_machine_ask_on_its_own_address():
    """Those of a cluster where Spark's driver is found."""

    class Context:
        def __init__(self, master, **settings):
            self.master, self.sparkContext = master, self
            self.getConf = lambda: {key.replace("_", "."): value for key, value in settings.items()}

    assert server_address(Context("local[2]", spark_driver_host="a.net")) == ("127.0.0.1", "127.0.0.1")
    assert server_address(Context("yarn", spark_driver_host="a.net")) == ("a.net", "a.net")
    named = {"spark_driver_host": "a.net", "spark_driver_bindAddress": "0.0.0.0"}
    assert server_address(Context("spark://b.net", **named)) == ("a.net", "0.0.0.0")


@pytest.mark.parametrize("setting", ["spark.python.worker.reuse", "spark.python.use.daemon"])
def test_workers_that_end_with_their_tasks_wake_nobody(setting):
    """So nobody waits for them."""

    class Context:
        def __init__(self, settings):
            self.sparkContext, self.getConf = self, lambda: settings

    assert workers_live_on(Context({}))
    assert not workers_live_on(Context({setting: "False"}))


def test_readers_wake_over_the_connection(tmp_path):
    """Who waits hears of it; a program that is gone is none to wake."""
    resting = Resting([("a", 0)])
    server = FileServer(LocalFolder(tmp_path), "127.0.0.1", "127.0.0.1", resting=resting)
    worker, planner = shipped(server.served), shipped(server.near)
    assert not planner.rests(0)
    resting.heard({"a": {0: [ReaderResting(b"\n{}")]}})
    assert planner.rests(0.01)
    worker.wake(b"\n{}")
    assert not planner.rests(10)
    planner.close()
    server.close()
    worker.wake(b"again")


def test_served_files_are_plain_data():
    """They travel with the job."""
    files = ServedFiles("/a", "host", 7, b"key")
    assert (shipped(files), shipped(files).place("reads/0/1")) == (files, "/a/reads/0/1")
