"""Programs that tests look at."""

from __future__ import annotations

import threading
from typing import Any

from tests.runtime.sources.scripted import Script, ScriptedSource
from windrow.common import Configuration, Duration, Time, WatermarkStrategy
from windrow.datastream import StreamExecutionEnvironment
from windrow.datastream.window import TumblingEventTimeWindows

#: 2025-11-25 12:00:00 UTC.
NOON = 1_764_072_000_000


class Silent:
    """A gauge's value that cannot be shown."""

    def __str__(self):
        raise ValueError("nobody asked for me")

    __repr__ = __str__


def environment(runtime: str, spark: Any = None, **settings: str) -> StreamExecutionEnvironment:
    """An environment whose jobs have a page."""
    names = {name.replace("__", ".").replace("_", "-"): value for name, value in settings.items()}
    configuration = Configuration.from_dict({"windrow.runtime": runtime, "windrow.ui.enabled": "true", **names})
    return StreamExecutionEnvironment.get_execution_environment(configuration, spark).set_parallelism(1)


def orders(env: StreamExecutionEnvironment, *, quiet: bool = False, bounded: bool = False) -> Any:
    """Orders of two splits by the ten seconds; with ``quiet`` the second split has one record, and no more."""
    steps = [(number, NOON + 100 * number) for number in range(1000)]
    splits = [Script("orders-0", steps, ends=bounded), Script("orders-1", steps[:1] if quiet else steps, ends=bounded)]
    strategy = WatermarkStrategy.for_bounded_out_of_orderness(Duration.of_seconds(1)).with_timestamp_assigner(
        lambda order, timestamp: timestamp
    )
    source = ScriptedSource(splits, is_bounded=bounded, portion=100)
    stream = env.from_source(source, strategy, "orders").map(lambda order: (order % 7, 1)).name("by kind")
    windows = stream.key_by(lambda order: order[0]).window(TumblingEventTimeWindows.of(Time.seconds(10)))
    return windows.reduce(lambda one, two: (one[0], one[1] + two[1]))


def wait_until(holds: Any, seconds: float = 60) -> None:
    """Wait until something holds; it is asked again and again, because nobody tells."""
    turns = threading.Event()
    for _ in range(int(seconds / 0.05)):
        if holds():
            return
        turns.wait(0.05)
    msg = f"it does not hold after {seconds} s"
    raise AssertionError(msg)
