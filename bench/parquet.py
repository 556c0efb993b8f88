"""``python -m bench.parquet``: how fast Parquet files are read, into a sink that drops everything.

The rows are those of the main benchmark's events, three 64-bit integers each, in one file with a row group for each
million. Every peer reads all columns of all rows with two readers, and first shows that it has read the right ones.
"""

from __future__ import annotations

import os
import sys
from importlib.metadata import version
from pathlib import Path

import click
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pyspark

from bench.environments import BENCH, FLINK_VERSION, ROOT, FlinkEnvironment, flink_environment, maven_jar
from bench.measure import Measurement, measure
from bench.peers import PROGRAMS, Amount, Peer
from bench.runner import Runner, chosen, only_option, rates_table
from bench.workload import JITTER, KEYS, PARALLELISM, Answer

ROW_GROUP = 1_000_000
BASELINE = "spark"


def data(rows: int) -> Path:
    """The folder with the file of so many rows, written where it is missing."""
    folder = BENCH / "data" / f"events-{rows}"
    file = folder / "events.parquet"
    if not file.exists():
        folder.mkdir(parents=True, exist_ok=True)
        partial = folder / ".events.parquet"
        schema = pa.schema([(name, pa.int64()) for name in ("key", "amount", "timestamp")])
        with pq.ParquetWriter(partial, schema) as writer:
            for start in range(0, rows, ROW_GROUP):
                place = np.arange(start, min(start + ROW_GROUP, rows), dtype=np.int64)
                columns = [(place * 7_919 ^ place >> 7) % KEYS, place, place ^ JITTER]
                writer.write_table(pa.table(columns, schema=schema), row_group_size=ROW_GROUP)
        partial.rename(file)
    return folder


def answer(rows: int) -> Answer:
    """How many rows there are, and what their amounts add up to.

    >>> answer(4)
    Answer(results=4, total=6)
    """
    return Answer(rows, rows * (rows - 1) // 2)


class Windrow(Peer):
    """Windrow on local Spark; ``mode`` says whether a lambda sees the rows."""

    def __init__(self, name: str, mode: str, title: str) -> None:
        self.name = name
        self.title = title
        self._mode = mode

    def version(self) -> str:
        return f"{version('windrow')} on Spark {version('pyspark')}"

    def prepare(self) -> None:
        """Nothing to do."""

    def command(self, amount: Amount) -> list[str]:
        program = str(PROGRAMS / "parquet_windrow.py")
        return [sys.executable, program, self._mode, str(PARALLELISM), str(data(amount.events)), str(amount.runs)]


class Spark(Peer):
    """Spark's own reader, in a batch query."""

    name = BASELINE
    title = "Spark, spark.read.parquet"

    def version(self) -> str:
        return version("pyspark")

    def prepare(self) -> None:
        """Nothing to do."""

    def command(self, amount: Amount) -> list[str]:
        program = str(PROGRAMS / "parquet_spark.py")
        return [sys.executable, program, str(PARALLELISM), str(data(amount.events)), str(amount.runs)]


class PyFlink(Peer):
    """PyFlink's FileSource: without a lambda no row leaves the JVM."""

    def __init__(self, name: str, mode: str, title: str, most_events: int | None = None) -> None:
        self.name = name
        self.title = title
        self.most_events = most_events
        self._mode = mode

    def version(self) -> str:
        return FLINK_VERSION

    def prepare(self) -> None:
        self._environment: FlinkEnvironment = flink_environment()
        # The format is a jar of its own, and wants Hadoop's client, which Spark has.
        hadoop = sorted(Path(pyspark.__file__).parent.glob("jars/hadoop-client-*.jar"))
        self._jars = [maven_jar("org.apache.flink", "flink-sql-parquet", FLINK_VERSION), *hadoop]

    def command(self, amount: Amount) -> list[str]:
        program = str(PROGRAMS / "parquet_pyflink.py")
        arguments = [self._mode, str(PARALLELISM), str(data(amount.events)), str(amount.runs)]
        return [str(self._environment.python), program, *arguments]

    def variables(self) -> dict[str, str]:
        return self._environment.variables() | {"HADOOP_CLASSPATH": os.pathsep.join(map(str, self._jars))}


PEERS: list[Peer] = [
    Windrow("windrow", "discard", "Windrow"),
    Windrow("windrow-map", "map", "Windrow, a lambda of rows"),
    Windrow("windrow-map-tuples", "map-tuples", "Windrow, a lambda of tuples"),
    Spark(),
    PyFlink("pyflink", "discard", "PyFlink, all in the JVM"),
    PyFlink("pyflink-map", "map", "PyFlink, a lambda of rows", 500_000),
]


@click.command()
@click.option("--rows", default=16_000_000, show_default=True, type=click.IntRange(min=1), help="Rows to read.")
@click.option("--runs", default=5, show_default=True, type=click.IntRange(min=1), help="Timed runs of each peer.")
@only_option(PEERS)
def main(rows: int, runs: int, only: str | None) -> None:
    """Measure how fast Windrow, Spark and PyFlink read Parquet files.

    All numbers are kept in bench/parquet_results.json; those of a run with --only in .bench/parquet_results.json.
    """
    peers = chosen(only, PEERS)
    runner = Runner()

    def take(peer: Peer) -> Measurement:
        count = min(rows, peer.most_events or rows)
        return measure(peer, count, runs, answer(count))

    runner.run(peers, take)
    job = {"columns": 3, "row_group": ROW_GROUP, "parallelism": PARALLELISM}
    shown = rates_table("Parquet in, million rows per second", 1e6, runner.measurements, list(runner.failures))
    runner.finish([shown], (BENCH if only else ROOT / "bench") / "parquet_results.json", job)


if __name__ == "__main__":
    main()
