import pytest

from tests.connectors.source.reading import polled, reader_context, values
from windrow.connectors.datagen.generator_function import GeneratorFunction
from windrow.connectors.datagen.rate_limiter import GatedRateLimiter, TimedRateLimiter, UnlimitedRateLimiter
from windrow.connectors.datagen.reader import ELEMENTS_PER_POLL, GeneratorReader, NumberRange
from windrow.connectors.source import InputStatus
from windrow.errors import UserFunctionError
from windrow.runtime.sources.buffered_reader_output import BufferedReaderOutput


def reader_of(function, *ranges, limiter=None, more=False):
    reader = GeneratorReader(function, limiter or UnlimitedRateLimiter(), reader_context())
    reader.add_splits(ranges)
    reader.start()
    if not more:
        reader.notify_no_more_splits()
    return reader


@pytest.mark.parametrize(
    ("numbers", "parts", "expected"),
    [
        (10, 4, [(0, 3), (3, 6), (6, 8), (8, 10)]),
        (2, 4, [(0, 1), (1, 2)]),
        (2**63 - 1, 2, [(0, 2**62), (2**62, 2**63 - 1)]),
    ],
)
def test_a_range_is_divided_as_flinks_number_sequence(numbers, parts, expected):
    """Consecutive parts, the first ones with one number more, none of them empty, and each with its own name."""
    divided = NumberRange(0, numbers).divided(parts)
    assert [(part.start, part.stop) for part in divided] == expected
    assert len({part.split_id() for part in divided}) == len(expected)


def test_elements_are_made_of_the_numbers_in_order():
    """One range after the other, each in an output of its own, which is released at the range's end."""
    reader = reader_of(lambda number: -number, NumberRange(3, 6), NumberRange(10, 12))
    output = BufferedReaderOutput()
    assert polled(reader, output) is InputStatus.END_OF_INPUT
    items = [(split, item if item == "release" else list(item.values)) for split, item in output.take()]
    assert items == [("3", [-3, -4, -5]), ("3", "release"), ("10", [-10, -11]), ("10", "release")]


@pytest.mark.parametrize("polls", range(5))
def test_the_position_is_exact_after_every_poll(polls):
    """A new reader goes on behind the last element that was given, in a range of the same name."""
    numbers = NumberRange(5, 5 + 3 * ELEMENTS_PER_POLL, "five")
    first, second = BufferedReaderOutput(), BufferedReaderOutput()
    reader = reader_of(lambda number: number, numbers)
    polled(reader, first, polls)
    splits = reader.snapshot_state(1)
    assert {split.split_id() for split in splits} <= {"five"}
    assert polled(reader_of(lambda number: number, *splits), second) is InputStatus.END_OF_INPUT
    assert [*values(first), *values(second)] == list(range(numbers.start, numbers.stop))


def test_it_knows_how_many_are_left():
    """By range; of one that is as good as without an end it says nothing."""
    numbers = NumberRange(0, 2 * ELEMENTS_PER_POLL, "few")
    reader = reader_of(lambda number: number, numbers, NumberRange(0, 2**63 - 1, "endless"), NumberRange(5, 7))
    assert reader.pending_records() == {"few": 2 * ELEMENTS_PER_POLL, "5": 2}
    polled(reader, BufferedReaderOutput(), 1)
    assert reader.pending_records() == {"few": ELEMENTS_PER_POLL, "5": 2}


def test_the_limiter_says_how_many():
    """Between two checkpoints there are so many and no more; the reader is available again after the next one."""
    reader = reader_of(lambda number: number, NumberRange(0, 5), limiter=GatedRateLimiter(2))
    output = BufferedReaderOutput()
    assert polled(reader, output) is InputStatus.NOTHING_AVAILABLE
    assert values(output) == [0, 1]
    waiting = reader.is_available()
    assert not waiting.done()
    reader.notify_checkpoint_complete(1)
    assert waiting.done()
    assert polled(reader, output) is InputStatus.NOTHING_AVAILABLE
    assert values(output) == [2, 3]


def test_the_rate_is_kept_when_the_reader_moves():
    """The limiter in the other process knows up to when leave was given: no time is lost, and none counts twice."""
    now = [50.0]

    def moved(*ranges):
        limiter = TimedRateLimiter(10, lambda: now[0])
        return reader_of(lambda number: number, *ranges, limiter=limiter)

    output = BufferedReaderOutput()
    reader = moved(NumberRange(0, 1000))
    for batch in range(5):
        now[0] += 0.55
        polled(reader, output)
        assert len(values(output)) == (5 if batch % 2 == 0 else 6)
        reader = moved(*reader.snapshot_state(1))


def test_a_reader_waits_for_its_first_range():
    """Nothing is there before a split is, and the future tells when one has come."""
    reader = reader_of(lambda number: number, more=True)
    output = BufferedReaderOutput()
    assert reader.poll_next(output) is InputStatus.NOTHING_AVAILABLE
    waiting = reader.is_available()
    assert not waiting.done()
    reader.add_splits([NumberRange(0, 1)])
    assert waiting.done()
    polled(reader, output)
    assert values(output) == [0]


class Numbered(GeneratorFunction):
    def __init__(self):
        self.opened = []

    def open(self, reader_context):
        self.opened.append(reader_context.get_index_of_subtask())

    def map(self, value):
        return value, list(self.opened)

    def close(self):
        self.opened.append("closed")


def test_a_generator_function_is_opened_in_each_reader():
    """Every reader has an object of its own, opened once and closed at the end."""
    function = Numbered()
    for _ in range(2):
        output = BufferedReaderOutput()
        reader = reader_of(function, NumberRange(7, 8))
        polled(reader, output)
        assert values(output) == [(7, [0])]
        reader.close()
        assert reader._function.opened == [0, "closed"]
    assert function.opened == []


def test_an_error_names_the_number():
    """What the function raises is a user's error, on the number that it was called with."""
    reader = reader_of(lambda number: 1 // (number - 3), NumberRange(0, 9))
    with pytest.raises(UserFunctionError, match=r"(?s)ZeroDivisionError.*'source' on element 3"):
        reader.poll_next(BufferedReaderOutput())
