"""Who runs the job, and how each is started."""

from __future__ import annotations

import os
import sys
from abc import ABC, abstractmethod
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from bench.environments import BENCH, FLINK_VERSION, FlinkEnvironment, flink_environment, java, java_classes
from bench.workload import PARALLELISM, answer
from windrow.port.imports import with_windrow_imports

PROGRAMS = Path(__file__).parent / "programs"


@dataclass(frozen=True)
class Amount:
    """How much one peer is asked to do in one process: a warm-up run, then the timed runs."""

    warm_up: int
    events: int
    runs: int

    def arguments(self) -> list[str]:
        """As the programs take it."""
        return [str(self.warm_up), str(self.events), str(self.runs)]


class Peer(ABC):
    """One contender. Its program prints a line of JSON per timed run: seconds, results and their total."""

    name: str
    title: str
    #: No more events than this: the slow are measured on fewer.
    most_events: int | None = None
    #: What the command line of a worker has in it whose memory is to be watched.
    worker: str | None = None

    @abstractmethod
    def version(self) -> str:
        """Of the software measured."""

    @abstractmethod
    def prepare(self) -> None:
        """Build what is missing; raises SetupError if that is not possible."""

    @abstractmethod
    def command(self, amount: Amount) -> list[str]:
        """The command to run, once prepared."""

    def variables(self) -> dict[str, str]:
        """The environment variables to run it with."""
        return dict(os.environ)


class _OnFlink(Peer):
    _environment: FlinkEnvironment

    def version(self) -> str:
        return FLINK_VERSION

    def prepare(self) -> None:
        self._environment = flink_environment()


class FlinkJava(_OnFlink):
    """Flink's Java API on Flink's own MiniCluster, one task manager, in a JVM of its own."""

    def __init__(self, name: str, backend: str, title: str) -> None:
        self.name = name
        self.title = title
        self._backend = backend

    def prepare(self) -> None:
        super().prepare()
        self._classes = java_classes(self._environment, "classes", [PROGRAMS / "TumblingSum.java"])

    def command(self, amount: Amount) -> list[str]:
        classes = f"{self._classes}{os.pathsep}{self._environment.jars}"
        return [java(), "-cp", classes, "TumblingSum", self._backend, str(PARALLELISM), *amount.arguments()]


class PyFlink(_OnFlink):
    """PyFlink as it comes: workers in processes of their own."""

    name = "pyflink"
    title = "PyFlink, process mode"
    most_events = 50_000

    def command(self, amount: Amount) -> list[str]:
        program = str(PROGRAMS / "tumbling_sum.py")
        return [str(self._environment.python), program, str(PARALLELISM), *amount.arguments()]

    def variables(self) -> dict[str, str]:
        return self._environment.variables()


class Windrow(Peer):
    """PyFlink's program with its imports changed, on local Spark."""

    name = "windrow"
    title = "Windrow"
    worker = "pyspark.worker"

    def version(self) -> str:
        return f"{version('windrow')} on Spark {version('pyspark')}"

    def prepare(self) -> None:
        program = (PROGRAMS / "tumbling_sum.py").read_text()
        self._program = BENCH / "programs" / "tumbling_sum_windrow.py"
        self._program.parent.mkdir(parents=True, exist_ok=True)
        self._program.write_text(with_windrow_imports(program))

    def command(self, amount: Amount) -> list[str]:
        return [sys.executable, str(self._program), str(PARALLELISM), *amount.arguments()]


class SparkGroupBy(Peer):
    """Spark's own streaming aggregation over windows."""

    name = "spark"
    title = "Spark groupBy(window)"

    def version(self) -> str:
        return version("pyspark")

    def prepare(self) -> None:
        """Nothing to do: Spark is in this project's environment."""

    def command(self, amount: Amount) -> list[str]:
        expected = [str(answer(events).results) for events in (amount.warm_up, amount.events)]
        program = str(PROGRAMS / "spark_group_by.py")
        return [sys.executable, program, str(PARALLELISM), *amount.arguments(), *expected]


BASELINE = "flink-heap"
PEERS: list[Peer] = [
    Windrow(),
    FlinkJava(BASELINE, "hashmap", "Flink Java, heap"),
    FlinkJava("flink-rocksdb", "rocksdb", "Flink Java, RocksDB"),
    SparkGroupBy(),
    PyFlink(),
]
