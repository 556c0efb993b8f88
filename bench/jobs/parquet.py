"""The job that reads named columns."""

from __future__ import annotations

from bench.jobs.events import Events
from bench.jobs.windows import MINUTE
from bench.workload import BOUND_MS
from windrow.common import Duration, Row, Types, WatermarkStrategy
from windrow.common.watermark_strategy import TimestampAssigner
from windrow.datastream import DataStream, StreamExecutionEnvironment
from windrow.datastream.connectors.file_system import FileSource
from windrow.datastream.formats.parquet import ParquetColumnarRowInputFormat

ROWS = Types.ROW_NAMED(["key", "amount", "timestamp"], [Types.LONG()] * 3)


class RowTime(TimestampAssigner):
    """A row carries its own timestamp."""

    def extract_timestamp(self, value: Row, record_timestamp: int) -> int:
        return int(value.timestamp)


def tumbling(env: StreamExecutionEnvironment, events: Events) -> DataStream:
    """Sums per key and minute, of rows with names."""
    folder = str(events.files / str(events.count)) if events.files else ""
    source = FileSource.for_bulk_file_format(ParquetColumnarRowInputFormat(ROWS), folder).build()
    watermarks = WatermarkStrategy.for_bounded_out_of_orderness(Duration.of_millis(BOUND_MS))
    rows = env.from_source(source, watermarks.with_timestamp_assigner(RowTime()), "files")
    return rows.key_by(lambda row: row.key).window(MINUTE).sum("amount")
