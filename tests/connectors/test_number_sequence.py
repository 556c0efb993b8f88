import pickle

import pytest

from windrow.connectors.number_sequence import NUMBERS_PER_BATCH, NUMBERS_PER_SPLIT, NumberSequenceSource
from windrow.errors import ConfigurationError, ConfigurationTypeError


def read(channel):
    return [number for split in channel for batch in split.read() for number in batch.values]


@pytest.mark.parametrize(
    ("parallelism", "channels"),
    [(1, [[1, 2, 3, 4, 5]]), (2, [[1, 2, 3], [4, 5]]), (3, [[1, 2], [3, 4], [5]]), (9, [[1], [2], [3], [4], [5]])],
)
def test_channels_are_ranges_of_consecutive_numbers(parallelism, channels):
    """As in Flink the first channels have one number more; there are no channels without numbers."""
    source = NumberSequenceSource(1, 5)
    assert source.channels(parallelism) == len(channels)
    assert [read(channel) for channel in source.plan(parallelism)] == channels


def test_numbers_travel_as_columns():
    """Millions of numbers cost nothing to plan or to send: splits are small, batches are range objects."""
    (channel,) = NumberSequenceSource(0, 3 * NUMBERS_PER_SPLIT).plan(1)
    assert len(channel) == 4
    assert all(len(pickle.dumps(split)) < 200 for split in channel)
    batches = [batch.values for batch in channel[0].read()]
    assert batches[0] == list(range(NUMBERS_PER_BATCH))
    assert batches[0].are_true
    assert sum(map(len, batches)) == NUMBERS_PER_SPLIT


def test_the_largest_numbers():
    """Both ends of 64 bits are numbers like others."""
    assert read(NumberSequenceSource(2**63 - 2, 2**63 - 1).plan(1)[0]) == [2**63 - 2, 2**63 - 1]


@pytest.mark.parametrize(
    ("start", "end", "error", "said"),
    [
        (2, 1, ConfigurationError, "start <= end; got start 2 and end 1"),
        (0, 2**63, ConfigurationError, "end of a NumberSequenceSource must fit 64 bits"),
        ("0", 1, ConfigurationTypeError, "start of a NumberSequenceSource must be an int; got '0'"),
        (0, True, ConfigurationTypeError, "end of a NumberSequenceSource must be an int; got True"),
    ],
)
def test_wrong_bounds_are_refused(start, end, error, said):
    """What is no range of 64-bit numbers is refused when the source is made."""
    with pytest.raises(error, match=said):
        NumberSequenceSource(start, end)
