"""Parquet files of events, for the jobs that read them.

Each file has a quarter of a million events in the order of their places, so two readers that take one file after the
other move through the same event time.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pyspark

from bench.environments import BENCH, FLINK_VERSION, maven_jar

FOLDER = BENCH / "data" / "suite"
EVENTS_OF_A_FILE = 250_000
SCHEMA = pa.schema([(name, pa.int64()) for name in ("key", "amount", "timestamp")])


def write_events(count: int, folder: Path = FOLDER) -> Path:
    """The folder with so many events, written where it is missing; files of other counts are removed."""
    target = folder / str(count)
    if not target.exists():
        shutil.rmtree(folder, ignore_errors=True)
        partial = folder / f".{count}"
        partial.mkdir(parents=True)
        for number, start in enumerate(range(0, count, EVENTS_OF_A_FILE)):
            place = np.arange(start, min(start + EVENTS_OF_A_FILE, count), dtype=np.int64)
            columns = [(place * 7_919 ^ place >> 7) % 10_000, place % 1_000, place ^ 511]
            pq.write_table(pa.table(columns, schema=SCHEMA), partial / f"{number:05}.parquet")
        partial.rename(target)
    return target


def parquet_jars() -> list[Path]:
    """What Flink needs to read Parquet, which its package lacks: its format, and Hadoop's client, which Spark has.

    Raises:
        SetupError: the format's jar could not be downloaded.
    """
    hadoop = sorted(Path(pyspark.__file__).parent.glob("jars/hadoop-client-*.jar"))
    return [maven_jar("org.apache.flink", "flink-sql-parquet", FLINK_VERSION), *hadoop]
