"""Files as source and sink of whole jobs."""

import gzip

import pytest

from windrow.common import Configuration, Encoder, WatermarkStrategy
from windrow.datastream import StreamExecutionEnvironment
from windrow.datastream.connectors.file_system import FileSink, FileSource, OutputFileConfig, StreamFormat
from windrow.errors import MalformedInputError, UserFunctionError

BOTH_RUNTIMES = pytest.mark.parametrize(
    "runtime", ["local", pytest.param("spark", marks=pytest.mark.spark)], indirect=True
)


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


@BOTH_RUNTIMES
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


@BOTH_RUNTIMES
def test_bytes_that_are_no_text_end_the_job_with_file_and_line(env, lines_in):
    """The error is the source's own on every runtime."""
    (lines_in / "c.txt").write_bytes(b"fine\nno\xfft\n")
    lines(env, lines_in).print()
    with pytest.raises(MalformedInputError, match=r"line 2 of .*/in/c\.txt: 'no\\\\xfft' \(not UTF-8\)"):
        env.execute()


@pytest.mark.spark
@pytest.mark.slow
def test_a_job_that_fails_and_starts_again_from_its_checkpoint_writes_every_line_once(spark_session, tmp_path):
    """The batch that failed left nothing; those before it are not written again."""
    (tmp_path / "in.txt").write_text("".join(f"{number}\n" for number in range(40)))
    mended = tmp_path / "mended"

    def work(line: str) -> str:
        if line == "25" and not mended.exists():
            msg = "the machine burns"
            raise ValueError(msg)
        return line

    def run() -> None:
        settings = {
            "execution.runtime-mode": "STREAMING",
            "execution.checkpointing.dir": str(tmp_path / "checkpoint"),
            "windrow.source.elements-per-split": "10",
            "windrow.source.splits-per-batch": "1",
        }
        configuration = Configuration.from_dict({"windrow.runtime": "spark", **settings})
        env = StreamExecutionEnvironment.get_execution_environment(configuration, spark_session).set_parallelism(2)
        lines(env, tmp_path / "in.txt").map(work).sink_to(sink_into(tmp_path / "out"))
        env.execute()

    def written() -> list[int]:
        return sorted(int(line) for file in (tmp_path / "out").rglob("copy-*.txt") for line in file.read_text().split())

    with pytest.raises(UserFunctionError, match="the machine burns"):
        run()
    assert written() == list(range(20))
    mended.touch()
    run()
    assert written() == list(range(40))


def test_read_text_file_reads_lines(env, lines_in):
    """The environment's short form."""
    with env.read_text_file(str(lines_in / "a.txt")).execute_and_collect() as result:
        assert list(result) == [f"a{number}" for number in range(10)]
