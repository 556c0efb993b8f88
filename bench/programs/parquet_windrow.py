"""Parquet files read by Windrow into a sink that drops everything.

Arguments: mode (``discard``; ``map`` and ``map-tuples``: a lambda in between, of rows and of tuples), parallelism,
folder, runs. Counts once, then prints a line of JSON per timed run.
"""

import json
import sys
import time

from windrow.common import Types, WatermarkStrategy
from windrow.common.accumulators import LongCounter
from windrow.connectors.discarding import DiscardingSink
from windrow.datastream import DataStream, FlatMapFunction, RuntimeContext, StreamExecutionEnvironment
from windrow.datastream.connectors.file_system import FileSource
from windrow.datastream.formats.parquet import ParquetColumnarRowInputFormat

NAMES = ["key", "amount", "timestamp"]
LONGS = [Types.LONG()] * len(NAMES)
ROWS, TUPLES = Types.ROW_NAMED(NAMES, LONGS), Types.TUPLE(LONGS)


def read(env: StreamExecutionEnvironment, folder: str, mode: str) -> DataStream:
    """The rows of the files."""
    file_format = ParquetColumnarRowInputFormat(TUPLES if mode == "map-tuples" else ROWS)
    source = FileSource.for_bulk_file_format(file_format, folder).build()
    return env.from_source(source, WatermarkStrategy.no_watermarks(), "files")


def run(parallelism: int, folder: str, mode: str) -> float:
    """Run the job once and return the seconds it took."""
    env = StreamExecutionEnvironment.get_execution_environment().set_parallelism(parallelism)
    rows = read(env, folder, mode)
    if mode == "map":
        rows = rows.map(lambda row: row.amount)
    elif mode == "map-tuples":
        rows = rows.map(lambda row: row[1])
    rows.sink_to(DiscardingSink())
    started = time.perf_counter()
    env.execute()
    return time.perf_counter() - started


class Count(FlatMapFunction):
    """Counts rows and adds up their amounts."""

    def open(self, runtime_context: RuntimeContext) -> None:
        """Register the totals."""
        self.results, self.total = LongCounter(), LongCounter()
        runtime_context.add_accumulator("results", self.results)
        runtime_context.add_accumulator("total", self.total)

    def flat_map(self, value: tuple[int, int, int]) -> tuple[()]:
        """Let nothing through."""
        self.results.add(1)
        self.total.add(value[1])
        return ()


def count(parallelism: int, folder: str) -> dict[str, int]:
    """How many rows the source gives, and what their amounts add up to."""
    env = StreamExecutionEnvironment.get_execution_environment().set_parallelism(parallelism)
    read(env, folder, "map-tuples").flat_map(Count()).sink_to(DiscardingSink())
    counted: dict[str, int] = env.execute().get_all_accumulator_results()
    return counted


def main() -> None:
    """Check, warm up, then time the runs."""
    mode, parallelism, folder, runs = sys.argv[1], int(sys.argv[2]), sys.argv[3], int(sys.argv[4])
    counted = count(parallelism, folder)
    run(parallelism, folder, mode)
    for _ in range(runs):
        print(json.dumps({"seconds": round(run(parallelism, folder, mode), 3), **counted}), flush=True)


if __name__ == "__main__":
    main()
