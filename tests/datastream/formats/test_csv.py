"""CSV files of a job."""

import pytest

from windrow.common import Types
from windrow.datastream.connectors.file_system import BucketAssigner, FileSink, OutputFileConfig
from windrow.datastream.formats.csv import CsvBulkWriters
from windrow.errors import ConfigurationError

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
