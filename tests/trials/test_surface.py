"""What a program written for PyFlink is told where it meets files, modules and names."""

import importlib

import pytest

from tests.trials.trial import Trial, play, rows
from windrow.common import Configuration, Row, Types, WatermarkStrategy
from windrow.connectors.rows.errors import MalformedRowError
from windrow.datastream import AsyncDataStream, AsyncFunction
from windrow.datastream.connectors.file_system import FileSource, StreamFormat
from windrow.datastream.formats.avro import AvroInputFormat, AvroRowDeserializationSchema, AvroSchema
from windrow.datastream.formats.orc import OrcBulkWriters
from windrow.datastream.formats.parquet import ParquetBulkWriters
from windrow.datastream.window import CountTrigger, EventTimeSessionWindows
from windrow.errors import ConfigurationError, JobExecutionError, TypeConversionError, UserFunctionError
from windrow.table import DataTypes

RECORD = '{"type": "record", "name": "R", "fields": [{"name": "n", "type": "int"}]}'


def _lines(env, folder, file_format, *, text=None):
    path = folder / "in.csv"
    source = FileSource.for_record_stream_format(file_format, str(path)).build()
    if text is not None:
        path.write_text(text)
    return list(env.from_source(source, WatermarkStrategy.no_watermarks(), "lines").execute_and_collect(limit=9))


def _avro(env, folder):
    (folder / "a.avro").write_bytes(b"no avro")
    file_format = AvroInputFormat(str(folder / "a.avro"), AvroSchema.parse_string(RECORD))
    return list(env.create_input(file_format).execute_and_collect(limit=9))


class _Nothing(AsyncFunction):
    async def async_invoke(self, value):
        return None

    def timeout(self, value):
        return None


def _wait(env, folder):
    stream = AsyncDataStream.unordered_wait(env.from_elements(1), _Nothing(), 10_000)
    return list(stream.execute_and_collect(limit=9))


def _unknown(write):
    row_type = DataTypes.ROW([DataTypes.FIELD("n", DataTypes.INT())])
    return lambda env, folder: write(row_type, Configuration().set_string("fs.key", "x"))


def _named(env, folder):
    return [
        repr(CountTrigger(window_size=2)),
        type(EventTimeSessionWindows.with_dynamic_gap(extractor=len)).__name__,
        env.get_checkpoint_config().get_externalized_checkpoint_retention().name,
    ]


TRIALS = [
    Trial(
        "a file source built before its path is there, which comes in time",
        lambda env, folder: _lines(env, folder, StreamFormat.text_line_format(), text="a\n"),
        gives=["a"],
        runtimes=("local",),
    ),
    Trial(
        "a file source whose path never comes",
        lambda env, folder: _lines(env, folder, StreamFormat.text_line_format()),
        error=ConfigurationError,
        says="FileSource: there is no file or folder {tmp}/in.csv",
    ),
    Trial(
        "a file that is not Avro",
        _avro,
        error=JobExecutionError,
        says="the source cannot read {tmp}/a.avro as Avro: ValueError: cannot read header - is it an avro file?",
        runtimes=("local",),
    ),
    Trial(
        "a message from a schema registry",
        lambda env, folder: AvroRowDeserializationSchema(None, RECORD).deserialize(b"\0\0\0\0\x07\2"),
        error=MalformedRowError,
        says=r"AvroRowDeserializationSchema cannot read b'\x00\x00\x00\x00\x07\x02': 5 bytes are left behind the "
        "record; Confluent's schema registry puts five in front, which are no part of it; mend the schema, or give the "
        "source a dead-letter side output",
        runtimes=("local",),
    ),
    Trial(
        "an AsyncFunction that gives None",
        _wait,
        error=UserFunctionError,
        says="TypeError: _Nothing: The result of AsyncFunction cannot be none: async_invoke returned None (NoneType); "
        "return a list of results, [] for none in operator 'async wait operator' on element 1",
        runtimes=("local",),
    ),
    Trial(
        "a setting of Hadoop for a Parquet writer",
        _unknown(ParquetBulkWriters.for_row_type),
        error=ConfigurationError,
        says="hadoop_config of ParquetBulkWriters.for_row_type has 'fs.key', which does nothing here: honoured are "
        "parquet.compression, parquet.enable.dictionary, parquet.page.size",
        runtimes=("local",),
    ),
    Trial(
        "a setting that ORC does not have",
        _unknown(OrcBulkWriters.for_row_type),
        error=ConfigurationError,
        says="writer_properties of OrcBulkWriters.for_row_type has 'fs.key', which does nothing here: honoured are "
        "orc.compress, orc.compress.size, orc.row.index.stride, orc.stripe.size",
        runtimes=("local",),
    ),
    Trial(
        "a function that gives a Row with other names than its type",
        lambda env, folder: list(
            env.from_elements(1)
            .map(lambda n: Row(a=n, b=2), Types.ROW([Types.INT(), Types.INT()]))
            .name("rows")
            .execute_and_collect(limit=9)
        ),
        error=TypeConversionError,
        says="operator 'rows' emitted an element of another type than declared: Types.ROW() takes a Row without names, "
        "or with the fields f0, f1; got Row(a=1, b=2) (Row)",
        runtimes=("local",),
    ),
    Trial(
        "a module that is left out",
        lambda env, folder: importlib.import_module("windrow.datastream.connectors.dynamic_kafka"),
        error=ImportError,
        says="windrow.datastream.connectors.dynamic_kafka is deliberately not here: a KafkaSource reads one cluster; "
        "union those of several",
        runtimes=("local",),
    ),
    Trial(
        "a program that names its arguments as PyFlink does",
        _named,
        gives=["CountTrigger(2)", "DynamicEventTimeSessionWindows", "NO_EXTERNALIZED_CHECKPOINTS"],
        runtimes=("local",),
    ),
]


@pytest.mark.parametrize(("runtime", "trial"), rows(TRIALS))
def test_programs_of_pyflinks_are_told_what_differs(trial, env, tmp_path):
    """What is like PyFlink's works; what is not is named, with what to do."""
    play(trial, env, tmp_path)
