"""The engines that run the jobs: how the process of each is started."""

from __future__ import annotations

import os
import sys
from abc import ABC, abstractmethod
from importlib.metadata import version
from pathlib import Path

import pyspark

from bench.environments import (
    BENCH,
    FLINK_VERSION,
    ROOT,
    FlinkEnvironment,
    flink_environment,
    java,
    java_classes,
    maven_jar,
)
from bench.jobs.sql import TEXTS
from bench.jobs.table import JOBS
from bench.suite.rows import STREAM, Row
from bench.workload import PARALLELISM

#: Milliseconds between Flink's checkpoints in streaming rows.
CHECKPOINT_MS = 2_000
#: The files of events, by their kind.
FILES = BENCH / "data" / "suite"
#: The Java classes with the jobs that read such files. They need jars that Flink's package lacks.
TABLES = {"": "Jobs", "events": "FileJobs", "nexmark": "NexmarkJobs"}
#: The class with those that Flink's SQL runs on such files.
SQL_TABLE = "SqlJobs"
JAVA = ROOT / "bench" / "programs" / "java"
#: Flink's own serialisers look into these on newer Javas.
OPENS = [f"--add-opens=java.base/{package}=ALL-UNNAMED" for package in ("java.lang", "java.util", "java.time")]


def _environment() -> dict[str, str]:
    """Of a process that keeps what it has compiled, as Python does unless it is told not to."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


class Engine(ABC):
    """Something that runs jobs."""

    name: str
    title: str
    #: What the command line of a worker has in it whose memory is to be watched.
    worker: str | None = None

    @abstractmethod
    def version(self) -> str:
        """Of the software measured."""

    @abstractmethod
    def command(self, row: Row, mode: str) -> list[str]:
        """The command that starts it; raises SetupError if something it needs cannot be had."""

    def variables(self) -> dict[str, str]:
        """The environment variables to run it with."""
        return _environment()


class Windrow(Engine):
    """Windrow on local Spark."""

    name = "windrow"
    title = "Windrow"
    worker = "pyspark.worker"

    def version(self) -> str:
        return f"{version('windrow')} on Spark {version('pyspark')}"

    def command(self, row: Row, mode: str) -> list[str]:
        return [
            sys.executable,
            "-m",
            "bench.jobs",
            row.windrow_job(),
            mode,
            str(FILES / JOBS[row.windrow_job()].files),
            *row.settings,
        ]

    def variables(self) -> dict[str, str]:
        # Workers import the jobs' functions, too.
        return _environment() | {"PYTHONPATH": str(ROOT)}


class Flink(Engine):
    """Flink's Java API on its MiniCluster, one task manager, in a JVM of its own."""

    name = "flink"
    title = "Flink Java"

    def __init__(self) -> None:
        self._classes: dict[bool, tuple[Path, list[Path]]] = {}

    def version(self) -> str:
        return FLINK_VERSION

    def command(self, row: Row, mode: str) -> list[str]:
        environment = flink_environment()
        job = JOBS[row.peer_job()]
        classes, jars = self._compiled(environment, bool(job.files))
        options = {
            "jobs": SQL_TABLE if job.sql else TABLES[job.files],
            "job": job.name,
            "backend": "rocksdb" if mode == STREAM else "hashmap",
            "checkpoint": CHECKPOINT_MS if mode == STREAM else 0,
            "parallelism": PARALLELISM,
            "fields": ",".join(map(str, job.fields)),
            "bursts": str(job.bursts).lower(),
            "ones": str(job.ones).lower(),
            "weight": "" if job.weight is None else job.weight,
            "folder": FILES / job.files,
            "queries": TEXTS,
        }
        class_path = os.pathsep.join([str(classes), environment.jars, *map(str, jars)])
        arguments = [f"{name}={value}" for name, value in options.items()]
        return [java(), *OPENS, "-Xmx6g", "-cp", class_path, "Engine", *arguments]

    def _compiled(self, environment: FlinkEnvironment, files: bool) -> tuple[Path, list[Path]]:
        """The folder of the compiled jobs, and the jars that they need beside Flink's own."""
        if files not in self._classes:
            jars = parquet_jars() if files else []
            sources = sorted(JAVA.glob("*.java")) + (sorted(JAVA.glob("files/*.java")) if files else [])
            folder = "suite-classes-files" if files else "suite-classes"
            self._classes[files] = java_classes(environment, folder, sources, jars), jars
        return self._classes[files]


def parquet_jars() -> list[Path]:
    """What Flink needs to read Parquet, which its package lacks: its format, and Hadoop's client, which Spark has.

    Raises:
        SetupError: the format's jar could not be downloaded.
    """
    hadoop = sorted(Path(pyspark.__file__).parent.glob("jars/hadoop-client-*.jar"))
    return [maven_jar("org.apache.flink", "flink-sql-parquet", FLINK_VERSION), *hadoop]


ENGINES: dict[str, Engine] = {engine.name: engine for engine in (Windrow(), Flink())}
LOGS = BENCH / "logs"
