"""Files of the program's process, as workers see them."""

import pickle
import socket
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace

import pytest

from windrow.errors import JobExecutionError
from windrow.runtime.spark.file_server import FileServer, server_address
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
        assert len(heard) in (0, 36)  # nothing but a number that a proof is asked of, with its length
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


def test_served_files_are_plain_data():
    """They travel with the job."""
    files = ServedFiles("/a", "host", 7, b"key")
    assert (shipped(files), shipped(files).place("reads/0/1")) == (files, "/a/reads/0/1")
