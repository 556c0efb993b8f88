"""Has Spark's Java start fast where tests run: each one is there for seconds, and half of that went into its start.

Its compiler stops at the first level, and classes come from an archive (class data sharing) that ``python -m
tests.fast_java`` makes once for an environment; it prints what a shell evaluates for its programs to have both. Where
there is no archive, or Java does not take it, Java starts as ever.

Java takes an archive only where its classes lie at the place where they lay when it was made. So tests have one home of
Spark without PySpark's zip file, beside the archive, where programs make a temporary one.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping, MutableMapping
from functools import cache
from importlib.metadata import version
from pathlib import Path
from shlex import quote
from typing import Any

from windrow.runtime.spark.spark_home import without_zipped_pyspark

#: Nothing is said of an archive that does not fit: Java says it on standard output, which is the program's.
QUICK = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xshare:auto -Xlog:disable"
#: Spark takes these from the environment: for the Java of a session, and for the one that builds its command.
SESSION, LAUNCHER = "SPARK_SUBMIT_OPTS", "SPARK_LAUNCHER_OPTS"
#: On a busy machine Python's processes and Java do not find each other within Spark's 15 seconds.
CONNECTING_SECONDS = "120"
#: Half a minute is enough on a quiet machine.
MAKING_SECONDS = 600


def use_fast_java(environment: MutableMapping[str, str] = os.environ) -> None:
    """Let every process that is started from here start Java fast, unless the environment has options of its own."""
    archive = archive_file()
    shared = ""
    if archive is not None and archive.exists():
        shared = f" -XX:SharedArchiveFile={archive}"
        environment.setdefault("SPARK_HOME", str(_home(archive)))
    environment.setdefault(LAUNCHER, QUICK)
    environment.setdefault(SESSION, f"{QUICK} -Dspark.python.authenticate.socketTimeout={CONNECTING_SECONDS}s{shared}")
    environment.setdefault("SPARK_AUTH_SOCKET_TIMEOUT", CONNECTING_SECONDS)


def for_a_shell(environment: Mapping[str, str] = os.environ) -> str:
    """The commands with which a shell gives its programs what tests have, unless it has options of its own."""
    fast = dict(environment)
    use_fast_java(fast)
    return "\n".join(f"export {name}={quote(value)}" for name, value in fast.items() if name not in environment)


def archive_file() -> Path | None:
    """The file of this environment's archive: of one Java and one Spark. None without Java."""
    return archive_of("spark-at-home", version("pyspark"))


@cache
def archive_of(name: str, classes: str) -> Path | None:
    """The file of an archive of classes, for one Java and what is said of these. None without Java."""
    java = shutil.which("java", path=_home_first())
    if java is None:
        return None
    said = subprocess.run([java, "-version"], check=False, capture_output=True, text=True).stderr
    key = hashlib.sha256(f"{Path(java).resolve()} {said} {classes}".encode()).hexdigest()[:16]
    return Path(sys.prefix) / f"{name}-{key}.jsa"


def _home(archive: Path) -> Path:
    return archive.with_suffix("")


def make_archive() -> Path | None:
    """Make the archive unless it is there: Java writes what it has loaded when it ends.

    Raises:
        SubprocessError: the jobs that load the classes have failed, or did not end.
    """
    archive = archive_file()
    if archive is None or archive.exists():
        return archive
    with tempfile.TemporaryDirectory(prefix="windrow-archive-") as folder:
        made = Path(folder) / "spark.jsa"
        options = {LAUNCHER: QUICK, SESSION: f"{QUICK} -XX:ArchiveClassesAtExit={made}"}
        command = [sys.executable, "-m", "tests.fast_java", folder]
        root = Path(__file__).parents[1]
        if not _home(archive).exists():
            partial = archive.with_suffix(f".{os.getpid()}")  # moved in one step: another run may look at this moment
            partial.mkdir()
            try:
                without_zipped_pyspark(partial).rename(_home(archive))
            except OSError:  # another one has come first
                shutil.rmtree(partial)
                if not _home(archive).exists():
                    raise
        environment = {**os.environ, "SPARK_HOME": str(_home(archive)), **options}
        subprocess.run(
            command, check=True, cwd=root, env=environment, stdout=subprocess.DEVNULL, timeout=MAKING_SECONDS
        )
        if made.exists():
            put(made, archive)
    return archive


def put(made: Path, archive: Path) -> None:
    """Put a file into its place in one step: others may look at this moment."""
    partial = archive.with_suffix(f".{os.getpid()}")
    shutil.copyfile(made, partial)
    partial.replace(archive)


def _home_first() -> str:
    home = os.environ.get("JAVA_HOME")
    path = os.environ.get("PATH", os.defpath)
    return f"{Path(home) / 'bin'}{os.pathsep}{path}" if home else path


def _load_classes(folder: str) -> None:
    """Run a batch job and a streaming one, and wait until their Java has ended."""
    from pyspark.sql import SparkSession

    from windrow.common import Configuration, Encoder, Types
    from windrow.datastream import StreamExecutionEnvironment
    from windrow.datastream.connectors.file_system import FileSink

    settings: dict[str, str] = {"spark.master": "local[2]"}
    for kind, more in (("batch", {}), ("streaming", {"execution.checkpointing.dir": f"{folder}/checkpoint"})):
        env = StreamExecutionEnvironment.get_execution_environment(Configuration.from_dict(settings | more))
        env.set_parallelism(2)
        sums = env.from_collection(list(range(20))).key_by(lambda n: n % 3).reduce(lambda one, other: one + other)
        sink = FileSink.for_row_format(f"{folder}/{kind}", Encoder.simple_string_encoder()).build()
        sums.map(str, Types.STRING()).sink_to(sink)
        env.execute()
    spark: Any = SparkSession.getActiveSession()
    gateway = spark.sparkContext._gateway
    spark.stop()
    gateway.shutdown()
    gateway.proc.stdin.close()
    gateway.proc.wait()


if __name__ == "__main__":
    if len(sys.argv) > 1:
        _load_classes(sys.argv[1])
    else:
        make_archive()
        print(for_a_shell())
