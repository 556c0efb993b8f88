"""A PostgreSQL server on a free port of 127.0.0.1: ``with PostgresServer.started(programs) as server``."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import Any

import psycopg

from tests.free_ports import free_port

START_SECONDS = 60
USER = "windrow"
PASSWORD = "a secret that is nowhere else"
#: Ends the server too when the process that has started it ends in whatever way: its end of the pipe is closed. Then
#: nobody else removes the folder, which is its name.
KEEPER = '"$@" & server=$!; read word; kill -QUIT $server 2>/dev/null; wait $server; [ "$word" = keep ] || rm -rf "$0"'
#: Tests do not wait for disks.
SETTINGS = {
    "listen_addresses": "127.0.0.1",
    "fsync": "off",
    "full_page_writes": "off",
    "max_connections": "50",
    "shared_buffers": "16MB",
    "timezone": "America/New_York",  # whoever forgets a zone somewhere is found out
}
_names = count()


class PostgresServer:
    """A server, and what tests do with it from outside.

    Args:
        programs: The folder of ``initdb`` and ``postgres``.
        folder: Where it keeps everything; nobody else's.
    """

    def __init__(self, programs: Path, folder: Path) -> None:
        self._programs = programs
        self._folder = folder
        self._account = _account()
        if self._account:
            os.chown(folder, self._account["user"], self._account["group"])
        self.port = free_port()
        self._keeper: subprocess.Popen[str] | None = None

    @staticmethod
    @contextmanager
    def started(programs: Path) -> Iterator[PostgresServer]:
        """A server that runs until the end of the block."""
        folder = Path(tempfile.mkdtemp(prefix="windrow-postgres-"))
        server = PostgresServer(programs, folder)
        try:
            server.make()
            server.start()
            yield server
        finally:
            server.kill()
            shutil.rmtree(folder)

    def make(self) -> None:
        """Make the folder of a new server."""
        password = self._folder / "password"
        password.write_text(PASSWORD)
        command = [self._programs / "initdb", "-D", self._folder / "data", "-U", USER, "--pwfile", password]
        command += ["--auth", "scram-sha-256", "--encoding", "UTF8", "--locale", "C", "--no-sync"]
        done = subprocess.run(
            list(map(str, command)), check=False, capture_output=True, text=True, cwd=self._folder, **self._account
        )
        assert done.returncode == 0, done.stdout + done.stderr

    def start(self) -> None:
        """Start it, and wait until it answers."""
        settings = SETTINGS | {"port": str(self.port), "unix_socket_directories": str(self._folder)}
        command = [str(self._programs / "postgres"), "-D", str(self._folder / "data")]
        for name, value in settings.items():
            command += ["-c", f"{name}={value}"]
        with (self._folder / "log").open("a") as log:
            self._keeper = subprocess.Popen(
                ["sh", "-c", KEEPER, str(self._folder), *command],
                stdin=subprocess.PIPE,
                stdout=log,
                stderr=log,
                text=True,
                cwd=self._folder,
                start_new_session=True,  # an interrupt is for the tests, and the keeper hears that they have ended
                **self._account,
            )
        deadline = time.monotonic() + START_SECONDS
        while True:
            with suppress(psycopg.OperationalError):
                self.connect().close()
                return
            if self._keeper.poll() is not None or time.monotonic() > deadline:
                self.kill()
                raise AssertionError("PostgreSQL did not start:\n" + (self._folder / "log").read_text()[-4000:])
            time.sleep(0.05)

    def kill(self) -> None:
        """End it at once, as when its machine dies; it can be started again on the same port."""
        keeper, self._keeper = self._keeper, None
        if keeper is not None:
            assert keeper.stdin is not None
            with suppress(BrokenPipeError):  # it has ended before
                keeper.stdin.write("keep\n")
                keeper.stdin.close()
            keeper.wait(timeout=30)

    def connect(self) -> psycopg.Connection[Any]:
        """A connection whose statements are committed one by one."""
        return psycopg.connect(
            host="127.0.0.1", port=self.port, user=USER, password=PASSWORD, dbname="postgres", autocommit=True
        )

    def run(self, sql: str, *values: Any) -> list[tuple[Any, ...]]:
        """Run a statement; its rows, if it has some."""
        with self.connect() as connection:
            cursor = connection.execute(sql, values or None)
            return cursor.fetchall() if cursor.description else []

    def table(self, columns: str) -> str:
        """Make a table; its name."""
        name = f"table{next(_names)}"
        self.run(f"CREATE TABLE {name} ({columns})")
        return name

    def disconnect(self) -> None:
        """End all connections of others."""
        self.run("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()")

    @property
    def url(self) -> str:
        """The JDBC URL of its database, without user and password."""
        return f"jdbc:postgresql://127.0.0.1:{self.port}/postgres"


def _account() -> dict[str, Any]:
    """Who the server runs as: it refuses to run as root."""
    if os.geteuid():
        return {}
    for name in ("postgres", "nobody"):
        with suppress(KeyError):
            entry = pwd.getpwnam(name)
            return {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": []}
    msg = "PostgreSQL does not run as root, and there is neither a user postgres nor nobody"
    raise AssertionError(msg)
