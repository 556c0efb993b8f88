"""Time, Duration and Instant."""

import datetime
import pickle

import pytest

from windrow.common.time import Duration, Instant, Time, to_millis
from windrow.errors import ConfigurationError, ConfigurationTypeError


@pytest.mark.parametrize(
    ("span", "millis"),
    [
        (Time.milliseconds(7), 7),
        (Time.seconds(7), 7_000),
        (Time.minutes(7), 420_000),
        (Time.hours(-8), -28_800_000),
        (Time.days(1), 86_400_000),
        (Duration.of_days(1), 86_400_000),
        (Duration.of_hours(2), 7_200_000),
        (Duration.of_minutes(2), 120_000),
        (Duration.of_seconds(2), 2_000),
        (Duration.of_millis(2), 2),
        (Duration.of_nanos(2_999_999), 2),
        (datetime.timedelta(seconds=1, microseconds=1500), 1_001),
        (5, 5),
    ],
)
def test_to_millis_takes_every_span(span, millis):
    """Time, Duration, timedelta and plain milliseconds are interchangeable."""
    assert to_millis(span, "size") == millis
    if isinstance(span, Time | Duration):
        assert span.to_millis() == span.to_milliseconds() == millis


@pytest.mark.parametrize("value", [None, "5 min", 1.5, True])
def test_to_millis_refuses_other_things(value):
    """The error names the parameter and what came."""
    with pytest.raises(ConfigurationTypeError, match=r"^size takes a Time, .*got "):
        to_millis(value, "size")


def test_to_millis_refuses_what_does_not_fit_64_bits():
    """A span beyond Flink's long is an error, not an overflow."""
    assert to_millis(2**63 - 1, "size") == 2**63 - 1
    with pytest.raises(ConfigurationError, match="size must fit 64 bits"):
        to_millis(Time.days(2**60), "size")


def test_fractions_are_refused():
    """A fraction of a unit is refused with the way out, instead of being rounded."""
    with pytest.raises(ConfigurationTypeError, match=r"seconds takes a whole number; got 0.5"):
        Time.seconds(0.5)
    with pytest.raises(ConfigurationTypeError, match="minutes"):
        Duration.of_minutes(0.5)


def test_spans_are_values():
    """Equal spans are equal, hash alike and survive pickling; a Time is no Duration."""
    for one, same, other in (
        (Time.seconds(1), Time(1000), Time(1)),
        (Duration.of_seconds(1), Duration.of_millis(1000), Duration.of_nanos(1)),
        (Instant(1, 5), Instant(1, 5), Instant(5, 1)),
    ):
        assert one == same != other
        assert hash(one) == hash(same)
        assert pickle.loads(pickle.dumps(one)) == one
    assert Time(1000) != Duration.of_millis(1000)


def test_time_prints_milliseconds():
    """A Time prints as PyFlink's does."""
    assert str(Time.seconds(2)) == "2000 ms"


@pytest.mark.parametrize("millis", [0, 1, -1, -500, 1_700_000_000_123, -62_135_596_800_001])
def test_instant_keeps_milliseconds(millis):
    """Milliseconds come back as they were, also before 1970."""
    assert Instant.of_epoch_milli(millis).to_epoch_milli() == millis


def test_instant_before_1970_counts_nanos_forward():
    """Half a second before the epoch is -500 ms."""
    assert Instant(-1, 500_000_000).to_epoch_milli() == -500


def test_instant_refuses_nanos_beyond_a_second():
    """Nanoseconds lie within the second."""
    with pytest.raises(ConfigurationError, match="nanos"):
        Instant(0, 1_000_000_000)
