"""Parquet files read by PyFlink's FileSource into Flink's sink that drops everything.

Arguments: mode (``discard``; ``map``: a lambda in between), parallelism, folder, runs. Counts once, then prints a line
of JSON per timed run. Rows go to Python only where there is a lambda. Flink's Parquet format and Hadoop's client have
to be on the class path (``HADOOP_CLASSPATH``).
"""

import json
import sys
import time

from pyflink.common import WatermarkStrategy
from pyflink.datastream import StreamExecutionEnvironment
from pyflink.datastream.connectors.file_system import FileSource
from pyflink.datastream.formats.parquet import ParquetColumnarRowInputFormat
from pyflink.java_gateway import get_gateway
from pyflink.table import DataTypes, EnvironmentSettings, TableEnvironment

ROW = DataTypes.ROW([DataTypes.FIELD(name, DataTypes.BIGINT()) for name in ("key", "amount", "timestamp")])


def run(parallelism, folder, mode):
    """Run the job once and return the seconds it took."""
    env = StreamExecutionEnvironment.get_execution_environment()
    env.set_parallelism(parallelism)
    file_format = ParquetColumnarRowInputFormat(row_type=ROW, batch_size=2048, is_case_sensitive=True)
    source = FileSource.for_bulk_file_format(file_format, folder).build()
    rows = env.from_source(source, WatermarkStrategy.no_watermarks(), "files")
    if mode == "map":
        rows = rows.map(lambda row: row[1])
    discarding = get_gateway().jvm.org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink()
    rows._j_data_stream.sinkTo(discarding)
    started = time.perf_counter()
    env.execute()
    return time.perf_counter() - started


def count(parallelism, folder):
    """How many rows Flink's reader gives, and what their amounts add up to."""
    tables = TableEnvironment.create(EnvironmentSettings.in_batch_mode())
    tables.get_config().set("parallelism.default", str(parallelism))
    columns = "`key` BIGINT, amount BIGINT, `timestamp` BIGINT"
    options = f"'connector' = 'filesystem', 'format' = 'parquet', 'path' = '{folder}'"
    tables.execute_sql(f"CREATE TABLE events ({columns}) WITH ({options})")
    with tables.execute_sql("SELECT COUNT(*), SUM(amount) FROM events").collect() as results:
        (row,) = results
    return {"results": row[0], "total": row[1]}


def main():
    """Check, warm up, then time the runs."""
    mode, parallelism, folder, runs = sys.argv[1:]
    counted = count(int(parallelism), folder)
    run(int(parallelism), folder, mode)
    for _ in range(int(runs)):
        print(json.dumps({"seconds": round(run(int(parallelism), folder, mode), 3), **counted}), flush=True)


if __name__ == "__main__":
    main()
