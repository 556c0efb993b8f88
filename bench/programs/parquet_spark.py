"""Parquet files read by Spark's own reader into its sink that drops everything.

Arguments: parallelism, folder, runs. Counts once, then prints a line of JSON per timed run.
"""

from __future__ import annotations

import json
import sys
import time

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as f


def run(rows: DataFrame) -> float:
    """Read all rows once and return the seconds it took."""
    started = time.perf_counter()
    rows.write.format("noop").mode("overwrite").save()
    return time.perf_counter() - started


def main() -> None:
    """Check, warm up, then time the runs."""
    parallelism, folder, runs = int(sys.argv[1]), sys.argv[2], int(sys.argv[3])
    builder = SparkSession.builder.master(f"local[{parallelism}]").config("spark.ui.enabled", "false")
    spark = builder.config("spark.driver.memory", "4g").getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    rows = spark.read.parquet(folder)
    counted = rows.agg(f.count("*").alias("results"), f.sum("amount").alias("total")).first()
    assert counted is not None
    run(rows)
    for _ in range(runs):
        print(json.dumps({"seconds": round(run(rows), 3), **counted.asDict()}), flush=True)
    spark.stop()


if __name__ == "__main__":
    main()
