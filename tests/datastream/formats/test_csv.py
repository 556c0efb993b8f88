"""CSV files of a job."""

import pytest

from windrow.common import Types, WatermarkStrategy
from windrow.datastream import OutputTag
from windrow.datastream.connectors.file_system import BucketAssigner, FileSink, FileSource, OutputFileConfig
from windrow.datastream.formats.csv import CsvBulkWriters, CsvReaderFormat, CsvSchema
from windrow.errors import ConfigurationError, ConfigurationTypeError
from windrow.table import DataTypes

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


def test_a_job_reads_and_writes_as_a_schema_says(env, tmp_path):
    """PyFlink's schema and its builder, on both ends of a job."""
    (tmp_path / "in.csv").write_text("# prices\nword|n|tags\na|1.25|x,y\n'b|c'|2|\n")
    schema = (
        CsvSchema.builder()
        .add_string_column("word")
        .add_number_column("n", DataTypes.DECIMAL(4, 1))
        .add_array_column("tags", ",")
        .set_column_separator("|")
        .set_quote_char("'")
        .set_use_header()
        .set_strict_headers()
        .set_allow_comments()
        .build()
    )
    source = FileSource.for_record_stream_format(CsvReaderFormat.for_schema(schema), str(tmp_path / "in.csv")).build()
    sink = FileSink.for_bulk_format(tmp_path / "out", CsvBulkWriters.for_schema(schema)).with_bucket_assigner(
        BucketAssigner.base_path_bucket_assigner()
    )
    env.set_parallelism(1).from_source(source, WatermarkStrategy.no_watermarks(), "words").sink_to(sink.build())
    env.execute()
    (file,) = (tmp_path / "out").glob("part-*")
    assert file.read_text() == "'word'|'n'|'tags'\n'a'|1.3|'x,y'\n'b|c'|2.0|\n"


def test_a_schema_stands_alone():
    """What it says itself cannot be said beside it."""
    schema = CsvSchema.builder().add_string_column("s").build()
    with pytest.raises(ConfigurationError, match=r"CsvReaderFormat\.for_schema: a CsvSchema says itself"):
        CsvReaderFormat.for_schema(schema, header=True)
    with pytest.raises(ConfigurationError, match=r"CsvBulkWriters\.for_schema: a CsvSchema says itself"):
        CsvBulkWriters.for_schema(schema, delimiter=";")
