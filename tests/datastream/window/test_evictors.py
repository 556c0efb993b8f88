import pytest

from windrow.common.limits import NO_TIMESTAMP
from windrow.common.time import Time
from windrow.datastream.window import CountEvictor, DeltaEvictor, DeltaFunction, TimeEvictor, TimestampedValue
from windrow.errors import ConfigurationError


def kept(evictor, *pairs):
    """The values that are left after each side; an evictor for one side leaves the other alone."""
    lists = []
    for evict in (evictor.evict_before, evictor.evict_after):
        elements = [TimestampedValue(*pair) for pair in pairs]
        evict(elements, len(elements), None, None)
        lists.append([element.value for element in elements])
    before, after = lists
    everything = [pair[0] for pair in pairs]
    assert (before if evictor.do_evict_after else after) == everything
    return after if evictor.do_evict_after else before


def test_timestamped_value():
    """The marker -2^63 is no timestamp; 0 is one."""
    assert TimestampedValue("a", 0).has_timestamp()
    assert not TimestampedValue("a", NO_TIMESTAMP).has_timestamp()
    assert not TimestampedValue("a").has_timestamp()


@pytest.mark.parametrize("after", [False, True])
def test_count_drops_the_oldest(after):
    """The elements that were inserted first go, whatever their timestamps are."""
    evictor = CountEvictor.of(2, after)
    assert kept(evictor, ("a", 30), ("b", 20), ("c", 10)) == ["b", "c"]
    assert kept(evictor, ("a", 30), ("b", 20)) == ["a", "b"]
    assert kept(CountEvictor.of(0, after), ("a", 1)) == []


@pytest.mark.parametrize("after", [False, True])
def test_time_removes_the_cut_off_itself(after):
    """An element exactly the size older than the newest in the buffer is removed, one a millisecond newer stays."""
    evictor = TimeEvictor.of(Time.milliseconds(10), after)
    assert kept(evictor, ("edge", 90), ("stays", 91), ("newest", 100), ("old", 5)) == ["stays", "newest"]


def test_time_needs_a_timestamp_on_the_first_element():
    """If the first element has no timestamp nothing is removed; later ones without go as infinitely old."""
    evictor = TimeEvictor.of(10)
    assert kept(evictor, ("a", NO_TIMESTAMP), ("b", 0), ("c", 100)) == ["a", "b", "c"]
    assert kept(evictor, ("a", 95), ("b", NO_TIMESTAMP), ("c", 100)) == ["a", "c"]
    assert kept(evictor) == []


class Ahead(DeltaFunction):
    def get_delta(self, old_data_point, new_data_point):
        return new_data_point - old_data_point


@pytest.mark.parametrize("after", [False, True])
@pytest.mark.parametrize("delta_function", [Ahead(), Ahead().get_delta])
def test_delta_is_signed(delta_function, after):
    """Elements at least the threshold behind the last one go; elements ahead of it stay, however far."""
    evictor = DeltaEvictor.of(2, delta_function, after)
    assert kept(evictor, (3, 0), (4, 0), (99, 0), (5, 0)) == [4, 99, 5]
    assert kept(evictor) == []


def test_count_must_not_be_negative():
    """A negative number of elements is refused."""
    with pytest.raises(ConfigurationError, match="max_count >= 0, but got -1"):
        CountEvictor.of(-1)
