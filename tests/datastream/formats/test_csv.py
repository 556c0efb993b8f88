"""CSV files of a job."""

import pytest

from windrow.common import Types, WatermarkStrategy
from windrow.datastream import OutputTag
from windrow.datastream.connectors.file_system import BucketAssigner, FileSink, FileSource, OutputFileConfig
from windrow.datastream.formats.csv import CsvBulkWriters, CsvReaderFormat
from windrow.errors import ConfigurationError, ConfigurationTypeError

ROW = Types.ROW_NAMED(["word", "n"], [Types.STRING(), Types.INT()])


def test_a_job_writes_csv(env, tmp_path):
    """With a line of names in each file, if it is asked for."""
    sink = (
        FileSink.for_bulk_format(tmp_path, CsvBulkWriters.for_schema(ROW, header=True, delimiter=";"))
        .with_bucket_assigner(BucketAssigner.base_path_bucket_assigner())
        .with_output_file_config(OutputFileConfig.builder().with_part_suffix(".csv").build())
        .build()
    )
    env.from_collection([("a", 1)]).sink_to(sink)
    env.execute()
    (file,) = tmp_path.glob("part-*.csv")
    assert file.read_text() == '"word";"n"\n"a";1\n'


def test_wrong_arguments_are_refused():
    """The error names the call."""
    with pytest.raises(ConfigurationError, match=r"delimiter of CsvBulkWriters\.for_schema takes one ASCII character"):
        CsvBulkWriters.for_schema(ROW, delimiter="||")
    with pytest.raises(ConfigurationError, match="CSV has only single values"):
        CsvBulkWriters.for_schema(Types.ROW_NAMED(["a"], [Types.LIST(Types.INT())]))


def test_a_job_reads_csv(env, tmp_path):
    """Rows go on with the schema's types; malformed lines go to their side output."""
    (tmp_path / "in.csv").write_text("word;n\na;1\nb;two\nc;3\n")
    bad = OutputTag("bad lines")
    csv_format = CsvReaderFormat.for_schema(ROW, header=True, delimiter=";", dead_letter=bad)
    source = FileSource.for_record_stream_format(csv_format, str(tmp_path)).build()
    rows = env.from_source(source, WatermarkStrategy.no_watermarks(), "words")
    lines = rows.map(lambda row: f"{row.word} {row.n + 1}")
    dead = rows.get_side_output(bad).map(lambda pair: pair[1])
    assert sorted(lines.union(dead).execute_and_collect()) == ["a 2", "b;two", "c 4"]


def test_wrong_arguments_of_the_reader_are_refused():
    """At the call, which the error names."""
    with pytest.raises(ConfigurationError, match=r"delimiter of CsvReaderFormat\.for_schema takes one ASCII character"):
        CsvReaderFormat.for_schema(ROW, delimiter='"')
    with pytest.raises(ConfigurationTypeError, match="takes a row type"):
        CsvReaderFormat.for_schema("word string")
    with pytest.raises(ConfigurationTypeError, match=r"dead_letter of .* takes an OutputTag"):
        CsvReaderFormat.for_schema(ROW, dead_letter="bad")
    with pytest.raises(ConfigurationError, match="CSV has only single values"):
        CsvReaderFormat.for_schema(Types.ROW_NAMED(["l"], [Types.LIST(Types.INT())]))
