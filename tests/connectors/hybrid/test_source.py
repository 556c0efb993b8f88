import pytest

from tests.connectors.hybrid.sources import AskingSource
from windrow.common import Time, Types, WatermarkStrategy
from windrow.connectors.number_sequence import NumberSequenceSource
from windrow.connectors.source import Boundedness
from windrow.datastream import OutputTag
from windrow.datastream.connectors.datagen import DataGeneratorSource
from windrow.datastream.connectors.file_system import FileSource, StreamFormat
from windrow.datastream.connectors.hybrid_source import HybridSource
from windrow.datastream.window import TumblingEventTimeWindows
from windrow.errors import ConfigurationError, ConfigurationTypeError, UserFunctionError

NO_WATERMARKS = WatermarkStrategy.no_watermarks()
NUMBERS = NumberSequenceSource(1, 3)


def test_it_ends_if_the_last_source_does():
    """Its type is that of its sources, if they have one in common."""
    assert HybridSource.builder(NUMBERS).add_source(NumberSequenceSource(4, 5)).build().produced_type == Types.LONG()
    endless = HybridSource.builder(NUMBERS).add_source(DataGeneratorSource(str)).build()
    assert endless.get_boundedness() is Boundedness.CONTINUOUS_UNBOUNDED
    assert endless.produced_type is None


@pytest.mark.parametrize(
    ("more", "error", "said"),
    [
        ([(7,)], ConfigurationTypeError, r"takes sources .* got 7 \(int\)"),
        ([(NumberSequenceSource,)], ConfigurationTypeError, "got <class"),
        ([(lambda context: NUMBERS,)], ConfigurationError, "add_source takes the boundedness .* got None"),
        ([(NUMBERS, Boundedness.CONTINUOUS_UNBOUNDED)], ConfigurationError, "leave it out"),
        ([(DataGeneratorSource(str),), (NUMBERS,)], ConfigurationError, "all sources .* but the last must end"),
    ],
)
def test_wrong_sources_are_refused(more, error, said):
    """The mistake shows where the source is added."""
    builder = HybridSource.builder(NUMBERS)
    *right, wrong = more
    for arguments in right:
        builder.add_source(*arguments)
    with pytest.raises(error, match=said):
        builder.add_source(*wrong)


def test_files_and_then_generated_elements(env, tmp_path):
    """A bounded source of another kind comes first; of two readers none is ahead of the switch."""
    for name in "abc":
        (tmp_path / name).write_text("".join(f"{name}{number}\n" for number in range(100)))
    files = FileSource.for_record_stream_format(StreamFormat.text_line_format(), str(tmp_path)).build()
    source = HybridSource.builder(files).add_source(DataGeneratorSource(lambda number: f"new {number}", 200)).build()
    lines = env.from_source(source, NO_WATERMARKS, "lines").execute_and_collect(limit=1000)
    assert sorted(lines[:300]) == sorted(f"{name}{number}" for name in "abc" for number in range(100))
    assert sorted(lines[300:]) == sorted(f"new {number}" for number in range(200))


def test_the_watermark_goes_on_from_source_to_source(env):
    """Nothing of a later source is late because a reader or split of the earlier one was ahead, and windows close."""
    first = AskingSource(range(0, 40_000, 1000), range(0, 40_000, 2000), own_outputs=True)
    second = AskingSource(range(40_000, 60_000, 1000), range(40_000, 60_000, 500), own_outputs=False)
    source = HybridSource.builder(first).add_source(second).build()
    late = OutputTag("late")
    counts = (
        env.from_source(source, WatermarkStrategy.for_monotonous_timestamps(), "numbers")
        .map(lambda number: (0, 1))
        .key_by(lambda pair: pair[0])
        .window(TumblingEventTimeWindows.of(Time.seconds(20)))
        .side_output_late_data(late)
        .reduce(lambda a, b: (0, a[1] + b[1]))
    )
    late_ones = counts.get_side_output(late).map(lambda pair: ("late", pair[1]))
    assert counts.union(late_ones).execute_and_collect(limit=100) == [(0, 30), (0, 30), (0, 60)]


@pytest.mark.parametrize("runtime", ["local"])
def test_a_factory_that_makes_something_else_fails_the_job(env):
    """What it returns must be a source, and end if it was said to."""
    source = HybridSource.builder(NUMBERS).add_source(lambda context: 7, Boundedness.BOUNDED).build()
    env.from_source(source, NO_WATERMARKS, "numbers").print()
    with pytest.raises(Exception, match=r"source factory .* must return a source .* got 7"):
        env.execute()


@pytest.mark.parametrize("runtime", ["local"])
def test_an_error_of_a_factory_is_the_users(env):
    """It is raised in the program with the line that raised it."""
    source = HybridSource.builder(NUMBERS).add_source(lambda context: 1 // 0, Boundedness.BOUNDED).build()
    env.from_source(source, NO_WATERMARKS, "numbers").print()
    with pytest.raises(UserFunctionError, match="ZeroDivisionError"):
        env.execute()
