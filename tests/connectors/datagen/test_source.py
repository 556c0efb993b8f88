import pytest

from tests.connectors.source.reading import ScriptedEnumeratorContext
from windrow.common import Types, WatermarkStrategy
from windrow.connectors.source import Boundedness
from windrow.datastream.connectors.datagen import DataGeneratorSource, GeneratorFunction, RateLimiterStrategy
from windrow.errors import ConfigurationError, ConfigurationTypeError, UserFunctionError

NO_WATERMARKS = WatermarkStrategy.no_watermarks()


def test_each_reader_has_a_range():
    """All readers that there are numbers for get one range, and hear that there are no more."""
    context = ScriptedEnumeratorContext(3)
    enumerator = DataGeneratorSource(str, 2).create_enumerator(context)
    for subtask in range(3):
        enumerator.add_reader(subtask)
    assert [[(split.start, split.stop) for split in context.sent[reader][0]] for reader in (0, 1)] == [
        [(0, 1)],
        [(1, 2)],
    ]
    assert context.sent[2] == ["no more"]


def test_a_count_of_all_numbers_has_no_end():
    """2^63 - 1 elements are a source without end; any other number ends."""
    assert DataGeneratorSource(str).get_boundedness() is Boundedness.CONTINUOUS_UNBOUNDED
    assert DataGeneratorSource(str, 2**63 - 1).bounded is False
    assert DataGeneratorSource(str, 2**63 - 2).bounded


@pytest.mark.parametrize(
    ("arguments", "error", "said"),
    [
        ((7, 1), ConfigurationTypeError, "generator_function must be a GeneratorFunction or a function"),
        ((GeneratorFunction, 1), ConfigurationTypeError, "generator_function must be a GeneratorFunction"),
        ((str, "1"), ConfigurationTypeError, "count of a DataGeneratorSource must be an int; got '1'"),
        ((str, True), ConfigurationTypeError, "count of a DataGeneratorSource must be an int; got True"),
        ((str, 0), ConfigurationError, r"between 1 and 2\^63 - 1; got 0"),
        ((str, 2**63), ConfigurationError, r"between 1 and 2\^63 - 1"),
        ((str, 1, 100), ConfigurationTypeError, "rate_limiter_strategy must be a RateLimiterStrategy"),
    ],
)
def test_wrong_arguments_are_refused(arguments, error, said):
    """The mistake shows where the source is made."""
    with pytest.raises(error, match=said):
        DataGeneratorSource(*arguments)


def test_all_elements_come_once(env):
    """Two readers together give the element of every number."""
    source = DataGeneratorSource(lambda number: f"event {number}", 10_001, type_info=Types.STRING())
    events = env.from_source(source, NO_WATERMARKS, "events")
    assert events.get_type() == Types.STRING()
    assert sorted(events.execute_and_collect(limit=20_000)) == sorted(f"event {number}" for number in range(10_001))


@pytest.mark.parametrize("runtime", ["local"])
def test_with_one_reader_they_come_in_order(env):
    """The elements of one reader keep the order of the numbers, with and without a limit."""
    for limit in (RateLimiterStrategy.per_checkpoint(30), RateLimiterStrategy.per_second(10_000), None):
        source = DataGeneratorSource(lambda number: number, 100, limit)
        numbers = env.set_parallelism(1).from_source(source, NO_WATERMARKS, "numbers")
        assert numbers.execute_and_collect(limit=1000) == list(range(100))


@pytest.mark.parametrize("runtime", ["local"])
def test_a_function_that_raises_fails_the_job(env):
    """The error that the program gets is the function's."""
    source = DataGeneratorSource(lambda number: 1 // (number - 5), 10)
    env.from_source(source, NO_WATERMARKS, "numbers").print()
    with pytest.raises(UserFunctionError, match="on element 5"):
        env.execute()
