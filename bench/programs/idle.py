"""A job that has nothing to do: its folder has one file at the beginning, and no other one comes.

Arguments: the engine (spark, windrow or flink), seconds that pass before it counts, seconds that count. Prints a line
of JSON: how many seconds of processor time all processes of the program have taken meanwhile.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from bench.memory import descendants, parent
from bench.programs.flink_beside import flink_command
from bench.programs.spark_group_by import session as sparks_session
from windrow.common import Configuration, Duration, WatermarkStrategy
from windrow.connectors.discarding import DiscardingSink
from windrow.datastream import StreamExecutionEnvironment
from windrow.datastream.connectors.file_system import FileSource, StreamFormat
from windrow.runtime.spark.session import session as windrows_session

PARALLELISM = 2


def start(engine: str, folder: str, checkpoint: str) -> Any:
    """Follow the folder and count its lines; what has ``cancel`` or ``stop``."""
    if engine == "spark":
        lines = sparks_session(PARALLELISM).readStream.text(folder)
        counted = lines.groupBy("value").count().writeStream.outputMode("update")
        return counted.foreachBatch(lambda batch, _: batch.collect()).option("checkpointLocation", checkpoint).start()
    spark = windrows_session({"spark.master": f"local[{PARALLELISM}]"})
    configuration = Configuration().set_string("execution.checkpointing.dir", checkpoint)
    env = StreamExecutionEnvironment.get_execution_environment(configuration, spark).set_parallelism(PARALLELISM)
    source = FileSource.for_record_stream_format(StreamFormat.text_line_format(), folder)
    source.monitor_continuously(Duration.of_seconds(1))
    lines = env.from_source(source.build(), WatermarkStrategy.no_watermarks(), "lines")
    lines.map(lambda line: (line, 1)).key_by(lambda pair: pair[0]).sum(1).sink_to(DiscardingSink())
    return env.execute_async("idle")


def processor_seconds() -> float:
    """What this process and all below it have taken so far, with those of theirs that are gone."""
    stats = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            stats[int(path.parent.name)] = path.read_text()
        except OSError:  # it has ended meanwhile
            continue
    below = descendants(os.getpid(), {process: parent(stat) for process, stat in stats.items()})
    ticks = [sum(map(int, stats[process].rpartition(")")[2].split()[11:15])) for process in below | {os.getpid()}]
    return sum(ticks) / os.sysconf("SC_CLK_TCK")


def main(engine: str, warm_up: int, seconds: int) -> None:
    """Run it for so long, and print what it has taken."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        lines = Path(folder) / "lines"
        lines.mkdir()
        (lines / "first.txt").write_text("a\nb\na\n")
        if engine == "flink":
            running = subprocess.Popen(flink_command("idle", folder))
        else:
            running = start(engine, str(lines), f"{folder}/checkpoint")
        time.sleep(warm_up)
        before = processor_seconds()
        time.sleep(seconds)
        taken = processor_seconds() - before
        end = {"spark": "stop", "windrow": "cancel", "flink": "kill"}
        getattr(running, end[engine])()
        print(json.dumps(round(taken, 2)), flush=True)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
