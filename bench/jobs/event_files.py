"""Parquet files of events, for the jobs that read them.

Each file has a quarter of a million events in the order of their times, so two readers that take one file after the
other move through the same event time.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from bench.nexmark import generator
from bench.workload import JITTER, KEYS

EVENTS_OF_A_FILE = 250_000
SCHEMA = pa.schema([(name, pa.int64()) for name in ("key", "amount", "timestamp")])


def _numbered(start: int, stop: int) -> pa.Table:
    place = np.arange(start, stop, dtype=np.int64)
    return pa.table([(place * 7_919 ^ place >> 7) % KEYS, place % 1_000, place ^ JITTER], schema=SCHEMA)


def _bursts(start: int, stop: int) -> pa.Table:
    place = np.arange(start, stop, dtype=np.int64)
    key = place // 20_000 * 1_000 + (place * 7_919 ^ place >> 7) % KEYS % 1_000
    return pa.table([key, place % 1_000, place ^ JITTER], schema=SCHEMA)


#: The events with numbers from one to another, by the kind of files.
KINDS = {"events": _numbered, "bursts": _bursts, "nexmark": generator.events}


def write_events(kind: str, count: int, folder: Path) -> Path:
    """The folder with so many events, written where it is missing; files of other counts are removed.

    Args:
        kind: Of files.
        count: How many events; the folder has it as its name.
        folder: Where folders of this kind are.
    """
    target = folder / str(count)
    if not target.exists():
        shutil.rmtree(folder, ignore_errors=True)
        partial = folder / f".{count}"
        partial.mkdir(parents=True)
        for number, start in enumerate(range(0, count, EVENTS_OF_A_FILE)):
            events = KINDS[kind](start, min(start + EVENTS_OF_A_FILE, count))
            pq.write_table(events, partial / f"{number:05}.parquet")
        partial.rename(target)
    return target
