"""Spark's daemon of Python workers, with what our workers need imported before it forks them.

A worker that imports pandas, pyarrow and this package itself takes a second to start, and a job starts many. Used in
sessions that Windrow starts (``spark.python.daemon.module``); elsewhere Spark's own daemon does the same work slower.
Spark starts a daemon for each kind of worker; its argument is the module that its workers run.
"""

import gc
import importlib
import sys
import time
from collections.abc import Callable
from typing import Any

from pyspark import daemon

from windrow.runtime.spark.numpy_vectors import avoid_slow_vectors
from windrow.runtime.stage.garbage import RARELY

#: What runs user functions; the others answer a question about a data source each, and need no more than it.
_WORKER = "pyspark.worker"
_OF_WORKERS = [
    "numpy",
    "pandas",
    "pyarrow",
    "windrow.operators.watermarks.timestamps_and_watermarks",
    "windrow.elements.inference",
    "windrow.operators.window.panes.operator",
    "windrow.operators.window.sessions.operator",
    "windrow.operators.window.spec",
    "windrow.runtime.spark.level_work",
    "windrow.runtime.spark.stages",
    "windrow.tracing.tracer",
]
_OF_DATA_SOURCES = ["windrow.runtime.spark.job_source"]


#: So many times as long as a collection took passes before the next one.
_BETWEEN = 50


class RarelyCollected:
    """The module ``gc`` as Spark's daemon sees it, which has its workers collect all garbage behind each task.

    That takes longer the more a worker keeps, 60 ms for 1,250,000 keys in pages, and a worker's next task waits for it:
    that of the next level, in each batch. So here it is not done again at once.

    Args:
        collect: What collects.
        clock: Gives seconds.
    """

    def __init__(self, collect: Callable[[], int] = gc.collect, clock: Callable[[], float] = time.monotonic) -> None:
        self._collect, self._clock = collect, clock
        self._next = 0.0

    def collect(self) -> int:
        """Collect, unless it was done a short while ago."""
        began = self._clock()
        if began < self._next:
            return 0
        found = self._collect()
        ended = self._clock()
        self._next = ended + _BETWEEN * (ended - began)
        return found

    def __getattr__(self, name: str) -> Any:
        return getattr(gc, name)


def preload(module: str) -> None:
    """Import what a worker of that kind will need."""
    for name in [module, *(_OF_WORKERS if module == _WORKER else _OF_DATA_SOURCES)]:
        importlib.import_module(name)


if __name__ == "__main__":
    avoid_slow_vectors()
    preload(sys.argv[1])
    # Elements are made and dropped by the million: looking for cycles among them every 700 costs a tenth of the time.
    gc.freeze()
    gc.set_threshold(*RARELY)
    daemon.gc = RarelyCollected()
    daemon.manager()
