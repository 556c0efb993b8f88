"""Files as source and sink of whole jobs."""

import gzip

import pytest

from windrow.common import Encoder, WatermarkStrategy
from windrow.datastream.connectors.file_system import FileSink, FileSource, OutputFileConfig, StreamFormat
from windrow.errors import MalformedInputError, UserFunctionError


@pytest.fixture
def lines_in(tmp_path):
    """Two files, one of them compressed, with twenty lines in all."""
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "a.txt").write_text("".join(f"a{number}\n" for number in range(10)))
    (folder / "b.txt.gz").write_bytes(gzip.compress("".join(f"b{number}\n" for number in range(10)).encode()))
    return folder


def lines(env, path):
    source = FileSource.for_record_stream_format(StreamFormat.text_line_format(), str(path)).build()
    return env.from_source(source, WatermarkStrategy.no_watermarks(), "lines")


def sink_into(folder):
    names = OutputFileConfig.builder().with_part_prefix("copy").with_part_suffix(".txt").build()
    return FileSink.for_row_format(str(folder), Encoder.simple_string_encoder()).with_output_file_config(names).build()


def test_a_job_copies_files(env, lines_in, tmp_path):
    """Every line is in the results once, in files with the names and folders that Flink's defaults give."""
    for _ in range(2):  # a batch job that is run again replaces its results
        lines(env, lines_in).sink_to(sink_into(tmp_path / "out"))
        env.execute()
    files = list((tmp_path / "out").glob("????-??-??--??/copy-0-*.txt"))
    copied = [line for file in files for line in file.read_text().splitlines()]
    assert sorted(copied) == [f"{file}{number}" for file in "ab" for number in range(10)]
    assert len([file for file in (tmp_path / "out").rglob("*") if file.is_file()]) == len(files) + 1


def test_a_job_that_fails_leaves_no_results(env, lines_in, tmp_path):
    """What was written before the failure is not seen."""
    lines(env, lines_in).map(lambda line: 1 // (line != "b9")).sink_to(sink_into(tmp_path / "out"))
    with pytest.raises(UserFunctionError):
        env.execute()
    assert not list((tmp_path / "out").rglob("copy*"))


def test_bytes_that_are_no_text_end_the_job_with_file_and_line(env, lines_in):
    """The error is the source's own on every runtime."""
    (lines_in / "c.txt").write_bytes(b"fine\nno\xfft\n")
    lines(env, lines_in).print()
    with pytest.raises(MalformedInputError, match=r"line 2 of .*/in/c\.txt: 'no\\\\xfft' \(not UTF-8\)"):
        env.execute()


def test_read_text_file_reads_lines(env, lines_in):
    """The environment's short form."""
    with env.read_text_file(str(lines_in / "a.txt")).execute_and_collect() as result:
        assert list(result) == [f"a{number}" for number in range(10)]
