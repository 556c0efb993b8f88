"""A source of one's own, for logs of sensors: ``python source.py LOGS OUT``.

LOGS is a folder with a file for each sensor, of lines such as ``30,17.5``: second and temperature. Each file is a
split, with a watermark of its own, so it does not matter how far one is ahead of another. OUT gets the highest
temperature of each minute, over all sensors.
"""

import sys
from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO

from windrow.common import Encoder, Time, WatermarkStrategy
from windrow.datastream import StreamExecutionEnvironment
from windrow.datastream.connectors.file_system import BucketAssigner, FileSink
from windrow.datastream.connectors.source import Boundedness, Source, SourceSplit
from windrow.datastream.connectors.source_reader import (
    RecordEmitter,
    RecordsBySplits,
    SingleThreadMultiplexSourceReaderBase,
    SplitReader,
    StaticSplitEnumerator,
)
from windrow.datastream.window import TumblingEventTimeWindows


@dataclass
class Log(SourceSplit):  # a split is also its state: from which byte on the file is to be read
    path: str
    position: int = 0

    def split_id(self) -> str:
        return self.path


class LogSplitReader(SplitReader[bytes, Log]):  # reads ahead, in a thread
    def __init__(self) -> None:
        self.files: dict[str, BinaryIO] = {}

    def handle_splits_changes(self, splits_changes: Any) -> None:
        for log in splits_changes.splits():
            self.files[log.path] = Path(log.path).open("rb")  # noqa: SIM115
            self.files[log.path].seek(log.position)

    def fetch(self) -> RecordsBySplits[bytes]:
        lines = {path: list(islice(file, 1000)) for path, file in self.files.items()}
        finished = [path for path in lines if not lines[path]]
        for path in finished:
            self.files.pop(path).close()
        return RecordsBySplits(lines, finished)


class LogEmitter(RecordEmitter[bytes, float, Log]):  # makes elements, and notes how far it has come
    def emit_record(self, element: bytes, output: Any, split_state: Log) -> None:
        second, temperature = element.decode().split(",")
        output.collect(float(temperature), timestamp=int(second) * 1000)
        split_state.position += len(element)


class LogReader(SingleThreadMultiplexSourceReaderBase[bytes, float, Log, Log]):
    def start(self) -> None:
        if not self.get_number_of_currently_assigned_splits():
            self.context.send_split_request()

    def on_split_finished(self, finished_split_states: Mapping[str, Log]) -> None:
        self.context.send_split_request()

    def initialized_state(self, split: Log) -> Log:
        return replace(split)

    def to_split_type(self, split_id: str, split_state: Log) -> Log:
        return replace(split_state)


class LogSource(Source[float, Log, list[Log]]):
    def __init__(self, folder: str) -> None:
        self.folder = folder

    def get_boundedness(self) -> Boundedness:
        return Boundedness.BOUNDED

    def create_enumerator(self, enum_context: Any) -> StaticSplitEnumerator[Log]:
        return StaticSplitEnumerator(enum_context, [Log(str(path)) for path in sorted(Path(self.folder).glob("*.log"))])

    def restore_enumerator(self, enum_context: Any, checkpoint: list[Log]) -> StaticSplitEnumerator[Log]:
        return StaticSplitEnumerator(enum_context, checkpoint)

    def create_reader(self, reader_context: Any) -> LogReader:
        return LogReader(LogSplitReader, LogEmitter(), reader_context)


def main(logs: str, out: str) -> None:
    env = StreamExecutionEnvironment.get_execution_environment()
    (
        env.from_source(LogSource(logs), WatermarkStrategy.for_monotonous_timestamps(), "logs")
        .window_all(TumblingEventTimeWindows.of(Time.minutes(1)))
        .reduce(max)
        .sink_to(
            FileSink.for_row_format(out, Encoder.simple_string_encoder())
            .with_bucket_assigner(BucketAssigner.base_path_bucket_assigner())
            .build()
        )
    )
    env.execute("own source")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
