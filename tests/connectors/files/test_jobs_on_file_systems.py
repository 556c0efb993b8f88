"""Jobs that read and write disks, what fsspec knows, S3 and HDFS: what they promise on one they promise on all."""

import gzip
import time

import pytest

from tests.runtime.sources.running import Shown
from tests.runtime.sources.test_programs import wait_for
from windrow.common import Configuration, Duration, Encoder, Types, WatermarkStrategy
from windrow.datastream import StreamExecutionEnvironment
from windrow.datastream.connectors.file_system import BucketAssigner, FileSink, FileSource, StreamFormat
from windrow.datastream.formats.avro import AvroBulkWriters, AvroReaders, AvroSchema
from windrow.datastream.formats.csv import CsvBulkWriters, CsvReaderFormat
from windrow.datastream.formats.json import JsonBulkWriters, JsonReaderFormat
from windrow.datastream.formats.orc import OrcBulkWriters, OrcColumnarRowInputFormat
from windrow.datastream.formats.parquet import ParquetBulkWriters, ParquetColumnarRowInputFormat
from windrow.errors import ConfigurationError, JobExecutionError
from windrow.storage.file_systems import file_system_of

ROWS = [(f"key{number % 7}", number) for number in range(5_000)]
PAIR = Types.ROW_NAMED(["key", "n"], [Types.STRING(), Types.LONG()])
AVRO = AvroSchema.parse_string(
    '{"type": "record", "name": "Pair", "fields": [{"name": "key", "type": "string"}, {"name": "n", "type": "long"}]}'
)
TIMES = WatermarkStrategy.no_watermarks()
#: A writer, and a reader that begins with a builder's call.
FORMATS = {
    "csv": (CsvBulkWriters.for_schema(PAIR), CsvReaderFormat.for_schema(PAIR), True),
    "json": (JsonBulkWriters.for_row_type(PAIR), JsonReaderFormat.for_row_type(PAIR), True),
    "parquet": (ParquetBulkWriters.for_row_type(PAIR), ParquetColumnarRowInputFormat(PAIR), False),
    "orc": (OrcBulkWriters.for_row_type(PAIR), OrcColumnarRowInputFormat(PAIR), False),
    "avro": (AvroBulkWriters.for_generic_record(AVRO), AvroReaders.for_generic_record(AVRO), False),
}


def local():
    configuration = Configuration().set_string("windrow.runtime", "local")
    return StreamExecutionEnvironment.get_execution_environment(configuration).set_parallelism(2)


def source(file_format, by_record, place):
    make = FileSource.for_record_stream_format if by_record else FileSource.for_bulk_file_format
    return make(file_format, place).build()


def elements(stream):
    with stream.execute_and_collect() as found:
        return list(found)


@pytest.mark.parametrize("name", FORMATS)
def test_what_is_written_is_read(any_folder, name):
    """In every format, in regions, with the hidden folder of the sink left out."""
    writer, reader, by_record = FORMATS[name]
    env = local()
    stream = env.from_collection(ROWS)
    if name == "avro":
        stream = stream.map(lambda row: {"key": row[0], "n": row[1]})
    flat = BucketAssigner.base_path_bucket_assigner()
    stream.sink_to(FileSink.for_bulk_format(any_folder, writer).with_bucket_assigner(flat).build())
    env.execute()
    assert file_system_of(any_folder).names(f"{any_folder}/.inprogress") == [".part-0.names"]
    found = elements(local().from_source(source(reader, by_record, any_folder), TIMES, name))
    pairs = [(each["key"], each["n"]) if name == "avro" else (each.key, each.n) for each in found]
    assert sorted(pairs, key=lambda pair: pair[1]) == ROWS


def test_compressed_lines_are_read(any_folder):
    """Of a file whose name says so."""
    files = file_system_of(any_folder)
    files.write(f"{any_folder}/a.gz", gzip.compress(b"one\ntwo\n"))
    files.write(f"{any_folder}/_hidden/b", b"three\n")
    files.write(f"{any_folder}/below/c", b"four\n")
    lines = source(StreamFormat.text_line_format(), True, any_folder)
    assert sorted(elements(local().from_source(lines, TIMES, "lines"))) == ["four", "one", "two"]


def test_a_long_file_is_read_in_regions(any_folder):
    """Every line once, by two readers."""
    lines = [f"line {number:07}" for number in range(400_000)]
    file_system_of(any_folder).write(f"{any_folder}/a", "".join(f"{line}\n" for line in lines).encode())
    text = source(StreamFormat.text_line_format(), True, f"{any_folder}/a")
    assert len([split for part in text.plan(2) for split in part]) > 2
    assert sorted(elements(local().from_source(text, TIMES, "lines"))) == lines


def test_a_place_that_is_not_there_is_an_error(any_folder):
    """Not an empty source."""
    text = source(StreamFormat.text_line_format(), True, any_folder)
    with pytest.raises(ConfigurationError, match=f"there is no file or folder {any_folder}"):
        elements(local().from_source(text, TIMES, "lines"))


def test_a_folder_is_followed(any_folder):
    """Files that come are read, each once; on an object store there need not be one at the beginning."""
    files, shown = file_system_of(any_folder), Shown()
    if files.has_folders:
        files.write(f"{any_folder}/a", b"one\n")
    builder = FileSource.for_record_stream_format(StreamFormat.text_line_format(), any_folder)
    followed = builder.monitor_continuously(Duration.of_millis(50)).build()
    env = local()
    env.from_source(followed, TIMES, "lines").sink_to(shown)
    client = env.execute_async()
    if not files.has_folders:
        time.sleep(0.3)
        files.write(f"{any_folder}/a", b"one\n")
    wait_for(lambda: shown.values == ["one"])
    files.write(f"{any_folder}/below/b", b"two\n")
    wait_for(lambda: shown.values == ["one", "two"])
    client.cancel().result()


def test_what_cannot_be_written_names_the_sink_and_the_file():
    """Nobody listens there."""
    env = local()
    base = "webhdfs://127.0.0.1:9/out"
    env.from_collection([1]).sink_to(FileSink.for_row_format(base, Encoder.simple_string_encoder()).build())
    with pytest.raises(JobExecutionError, match=rf"FileSink: {base}/.inprogress.* cannot be written: .*; mend that"):
        env.execute()
