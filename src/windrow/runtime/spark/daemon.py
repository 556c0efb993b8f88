"""Spark's daemon of Python workers, with what our workers need imported before it forks them.

A worker that imports pandas, pyarrow and this package itself takes a second to start, and a job starts many. Used in
sessions that Windrow starts (``spark.python.daemon.module``); elsewhere Spark's own daemon does the same work slower.
"""

import gc

import numpy as np  # noqa: F401
import pandas as pd  # noqa: F401
import pyarrow as pa  # noqa: F401
import pyspark.worker  # noqa: F401
from pyspark.daemon import manager

import windrow.operators.watermarks.timestamps_and_watermarks
import windrow.operators.window.spec
import windrow.runtime.spark.processor
import windrow.runtime.spark.stages  # noqa: F401
from windrow.runtime.stage.garbage import RARELY

if __name__ == "__main__":
    # Elements are made and dropped by the million: looking for cycles among them every 700 costs a tenth of the time.
    gc.freeze()
    gc.set_threshold(*RARELY)
    manager()
