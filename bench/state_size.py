"""``python -m bench.state_size``: what a batch costs that touches few keys, whatever its state holds.

A streaming query with a checkpoint first puts keys into the state of a running reduce, 100,000 of them or 10,000,000;
then come batches of 10,000 elements, each of another key. A batch lasts from its first element behind the reduce to
that of the next batch.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
from collections.abc import Iterable
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from statistics import median

import click

from bench.environments import ROOT
from bench.memory import PeakMemory
from bench.report import machine
from bench.suite.engines import ENGINES
from bench.workload import PARALLELISM
from windrow.common import Configuration, WatermarkStrategy
from windrow.connectors.discarding import DiscardingSink
from windrow.datastream import FlatMapFunction, RuntimeContext, StreamExecutionEnvironment
from windrow.datastream.connectors.number_seq import NumberSequenceSource

FEW_KEYS, MANY_KEYS = 100_000, 10_000_000
#: Elements of a batch, each of another key.
BATCH = 10_000
#: A number of the source becomes so many keys while state is filled, ...
KEYS_OF_A_NUMBER = 10
#: ... or so many, if there are more than this.
KEYS_OF_A_NUMBER_OF_MANY = 40
#: A batch reads four splits of each of two channels.
SETTINGS = {
    "windrow.source.elements-per-split": str(BATCH // 4 // PARALLELISM),
    "windrow.source.splits-per-batch": "4",
}
#: How many times as long a batch may take beside many keys.
MOST = 2.0
KEPT = ROOT / "bench" / "state_size_results.json"

Element = tuple[int, int]


class Elements(FlatMapFunction):
    """The keys that a number of the source stands for, each with the number's place.

    Args:
        keys: How many are put into state, by the first numbers.
        batches: How many batches come behind them.
    """

    def __init__(self, keys: int, batches: int) -> None:
        self.keys = keys
        self.keys_of_a_number = KEYS_OF_A_NUMBER if keys <= FEW_KEYS else KEYS_OF_A_NUMBER_OF_MANY
        self.filling = keys // self.keys_of_a_number
        self.numbers = self.filling + batches * BATCH

    def flat_map(self, value: int) -> Iterable[Element]:
        half = self.numbers // 2
        place = 2 * value if value < half else 2 * (value - half) + 1
        if place < self.filling:
            first = place * self.keys_of_a_number
            return [(key, place) for key in range(first, first + self.keys_of_a_number)]
        # Neighbours have keys that are far from each other, and no key comes twice in a batch.
        return [(place * 7_919 % self.keys, place)]


class Moments(FlatMapFunction):
    """Lets nothing through, and writes down when it sees the first element of each batch behind the filling.

    Args:
        folder: Where the moments are written to.
        filling: The first place that is not for filling the state.
    """

    def __init__(self, folder: Path, filling: int) -> None:
        self._folder, self._filling = folder, filling

    def open(self, runtime_context: RuntimeContext) -> None:
        self._seen = -1
        self._file = self._folder / f"{runtime_context.get_index_of_this_subtask()}-{os.getpid()}"

    def flat_map(self, value: Element) -> tuple[()]:
        batch = (value[1] - self._filling) // BATCH
        if batch > self._seen:
            self._seen = batch
            with self._file.open("a") as file:
                file.write(f"{batch} {time.time()}\n")
        return ()


def batch_seconds(moments: Iterable[tuple[int, float]]) -> float:
    """The median time from the first element of a batch to that of the next, without the first three.

    >>> batch_seconds([(0, 1.0), (0, 1.5), (1, 9.0), (2, 10.0), (3, 12.0), (4, 15.0), (4, 14.0)])
    2.0
    """
    first: dict[int, float] = {}
    for batch, moment in moments:
        first[batch] = min(moment, first.get(batch, moment))
    times = [first[batch] for batch in sorted(first)]
    return median(after - before for before, after in list(pairwise(times))[3:])


def run(keys: int, batches: int, settings: dict[str, str]) -> float:
    """Fill the state with so many keys and return the seconds of a batch behind that."""
    elements = Elements(keys, batches)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "moments"
        folder.mkdir()
        configuration = Configuration().set_string("execution.checkpointing.dir", f"{name}/checkpoint")
        for setting, value in settings.items():
            configuration.set_string(setting, value)
        env = StreamExecutionEnvironment.get_execution_environment(configuration).set_parallelism(PARALLELISM)
        source = NumberSequenceSource(0, elements.numbers - 1)
        numbers = env.from_source(source, WatermarkStrategy.no_watermarks(), "numbers")
        newest = numbers.flat_map(elements).key_by(lambda element: element[0]).reduce(lambda a, b: (a[0], b[1]))
        newest.flat_map(Moments(folder, elements.filling)).sink_to(DiscardingSink())
        env.execute()
        lines = [line.split() for path in folder.iterdir() for line in path.read_text().splitlines()]
    return batch_seconds((int(batch), float(moment)) for batch, moment in lines)


@click.command()
@click.option("--many", default=MANY_KEYS, show_default=True, type=click.IntRange(min=FEW_KEYS), help="Keys in state.")
@click.option("--batches", default=20, show_default=True, type=click.IntRange(min=6), help="Of 10,000 keys.")
def main(many: int, batches: int) -> None:
    """Measure a batch that touches 10,000 keys, beside 100,000 keys in state and beside 10,000,000.

    Fails if the many make it more than twice as long. The numbers are kept in bench/state_size_results.json if there
    are as many keys as that.
    """
    # Workers import the functions of this module.
    os.environ["PYTHONPATH"] = str(ROOT)
    seconds, peaks = [], []
    for keys in (FEW_KEYS, many):
        began = time.perf_counter()
        with PeakMemory(os.getpid(), "pyspark.worker") as watch:
            seconds.append(run(keys, batches, SETTINGS))
        peaks.append(round(watch.kib / 1024))
        click.echo(
            f"{keys:,} keys in state: {seconds[-1]:.3f} s for a batch that touches {BATCH:,}"
            f" (worker {peaks[-1]:,} MiB; all of it took {time.perf_counter() - began:.0f} s)"
        )
    ratio = seconds[1] / seconds[0]
    click.echo(f"{ratio:.2f} times as long (at most: {MOST:g})")
    if many == MANY_KEYS:
        kept = {
            "date": datetime.now(UTC).isoformat(timespec="seconds"),
            "machine": machine(),
            "version": ENGINES["windrow"].version(),
            "keys": [FEW_KEYS, many],
            "batch_seconds": [round(each, 4) for each in seconds],
            "worker_peak_mib": peaks,
            "ratio": round(ratio, 3),
        }
        KEPT.write_text(json.dumps(kept, indent=2) + "\n")
    sys.exit(1 if ratio > MOST else 0)


if __name__ == "__main__":
    main()
