"""Spark's own cluster: a master and two workers, out of PySpark's jars, on free ports of 127.0.0.1."""

from __future__ import annotations

import json
import os
import re
import shutil
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pyspark

from tests.fast_java import CONNECTING_SECONDS, QUICK, SESSION
from tests.hadoop.keeper import running

CORES = 2
#: Two names of one address: Spark starts no second attempt at a task on the host that has the first one.
HOSTS = ("127.0.0.1", "localhost")
#: What Spark's scripts open for it.
_OPENED = ("java.lang", "java.lang.invoke", "java.net", "java.nio", "java.util", "java.util.concurrent", "sun.nio.ch")
#: Where the master listens, and the port of its page, in its log.
_MASTER = re.compile(r"Starting Spark master at (spark://127\.0\.0\.1:\d+)$", re.MULTILINE)
_PAGE = re.compile(r"Bound MasterWebUI to 127\.0\.0\.1, and started at http://.*:(\d+)$", re.MULTILINE)


class Cluster:
    """A master and its workers, once they are started.

    Args:
        folder: For logs, and for what executors write.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._running = ExitStack()
        self._started = 0
        (core,) = Path(pyspark.__file__).parent.glob("jars/spark-core_*.jar")
        self._scala = core.name.split("_")[1].split("-")[0]
        # The home has an archive of Java's classes, where tests have one: executors start fast.
        self._home = os.environ.get("SPARK_HOME", str(Path(pyspark.__file__).parent))

    @property
    def settings(self) -> dict[str, str]:
        """Those of a session that has an executor on each worker."""
        options = os.environ.get(SESSION, "").split()
        return {
            "spark.master": self._said(_MASTER) or "",
            "spark.driver.host": "127.0.0.1",
            "spark.driver.bindAddress": "127.0.0.1",
            "spark.ui.enabled": "false",
            "spark.executor.cores": str(CORES),
            "spark.executor.memory": "1g",
            "spark.executor.extraJavaOptions": " ".join(o for o in options if not o.startswith("-Dspark.")),
            "spark.python.authenticate.socketTimeout": f"{CONNECTING_SECONDS}s",
        }

    def workers(self) -> list[dict[str, Any]] | None:
        """Those that are there, as the master tells; None: it does not answer yet."""
        page = self._said(_PAGE)
        if page is None:
            return None
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{page}/json/", timeout=10) as answer:
                workers: list[dict[str, Any]] = json.load(answer)["workers"]
        except (urllib.error.URLError, OSError, ValueError):  # it has a page that says nothing before it is ready
            return None
        return [worker for worker in workers if worker["state"] == "ALIVE"]

    def make_whole(self) -> None:
        """Start the workers that are missing: a test may have killed one."""
        there = {worker["host"] for worker in self.workers() or []}
        missing = [host for host in HOSTS if host not in there]
        for host in missing:
            self._started += 1
            options = ["--host", host, "--cores", str(CORES), "--memory", "2g", "--webui-port", "0"]
            options += ["--work-dir", str(self._folder / f"work-{self._started}"), self.settings["spark.master"]]
            is_last = host == missing[-1]  # they start side by side
            self._start(
                "Worker", options, lambda is_last=is_last: not is_last or len(self.workers() or []) == len(HOSTS)
            )

    @contextmanager
    def started(self) -> Iterator[None]:
        """Run it until the end of the block."""
        with self._running:
            # It takes ports that are free, and says which.
            options = ["--host", "127.0.0.1", "--port", "0", "--webui-port", "0"]
            self._start("Master", options, lambda: self.workers() is not None)
            self.make_whole()
            yield

    def _said(self, pattern: re.Pattern[str]) -> str | None:
        """What the master has written to its log."""
        found = pattern.search((self._folder / "Master-0" / "server.log").read_text())
        return found and found[1]

    @property
    def _class_path(self) -> str:
        """As Spark's launcher writes it: Java takes an archive only with the class path that it was made with."""
        (logging,) = Path(self._home).glob("jars/slf4j-api-*.jar")
        return os.pathsep.join([f"{self._home}/conf", str(logging), f"{self._home}/jars/*"])

    @staticmethod
    def _archive() -> list[str]:
        """The option of the archive that tests have, if they have one."""
        return [o for o in os.environ.get(SESSION, "").split() if o.startswith("-XX:SharedArchiveFile=")]

    def _start(self, kind: str, options: list[str], is_up: Any) -> None:
        folder = self._folder / f"{kind}-{self._started}"
        folder.mkdir()
        opened = [f"--add-opens=java.base/{package}=ALL-UNNAMED" for package in _OPENED]
        java = [str(shutil.which("java")), *QUICK.split(), *self._archive(), "-Xmx256m", "-Dspark.worker.timeout=20"]
        java += ["-Dspark.master.rest.enabled=false", *opened]
        command = [*java, "-cp", self._class_path, f"org.apache.spark.deploy.{kind.lower()}.{kind}", *options]
        variables = [f"SPARK_HOME={self._home}", f"SPARK_SCALA_VERSION={self._scala}", "SPARK_LOCAL_IP=127.0.0.1"]
        self._running.enter_context(running(["env", *variables, *command], folder, is_up))


@contextmanager
def standalone_cluster(folder: Path) -> Iterator[Cluster]:
    """A cluster that keeps everything in a folder."""
    cluster = Cluster(folder)
    with cluster.started():
        yield cluster
