"""When values expire, and what is dropped without being read."""

import pytest

from windrow.common.limits import LONG_MAX, LONG_MIN
from windrow.datastream.state import StateTtlConfig
from windrow.state.ttl import Expiry, WithTtl

CONFIG = StateTtlConfig.new_builder(100).build()


def at(now, config=CONFIG):
    """An expiry at a processing time, with one state."""
    expiry = Expiry()
    expiry.clock.processing_time = now
    return expiry, expiry.register("s", config)


@pytest.mark.parametrize(
    ("last_access", "now", "expired"),
    [(0, 99, False), (0, 100, True), (0, 101, True), (-50, 49, False), (-50, 50, True), (50, 100, False)],
)
def test_a_value_lives_for_its_time_and_not_a_millisecond_longer(last_access, now, expired):
    """Expired is what was last accessed a time to live ago, or longer."""
    assert at(now)[1].expired(last_access) is expired


def test_the_end_does_not_overflow():
    """What would end after the last millisecond ends there; accesses before 1970 are like others."""
    _, ttl = at(0, StateTtlConfig.new_builder(LONG_MAX).build())
    assert (ttl.end(1), ttl.end(LONG_MAX), ttl.end(LONG_MIN)) == (LONG_MAX, LONG_MAX, -1)


def test_clean_drops_what_has_expired_and_nothing_else():
    """Elements and entries go one by one, a state that is empty then goes too; other states stay."""
    expiry, _ = at(200)
    entry = {
        ("s", "old"): (WithTtl, "v", 100),
        ("s", "new"): (WithTtl, "v", 101),
        ("s", "list"): (WithTtl, [("a", 100), ("b", 150), ("c", 0)]),
        ("s", "map"): (WithTtl, {"a": (1, 200), "b": (2, 1)}),
        ("s", "nothing"): (WithTtl, {"b": (2, 1)}),
        ("s", "empty"): (WithTtl, [("a", 0)]),
        ("s", "without"): "v",
        ("unknown", None): (WithTtl, "v", 0),
    }
    assert expiry.clean(entry) == (201, 300)
    assert entry == {
        ("s", "new"): (WithTtl, "v", 101),
        ("s", "list"): (WithTtl, [("b", 150)]),
        ("s", "map"): (WithTtl, {"a": (1, 200)}),
        ("s", "without"): "v",
        ("unknown", None): (WithTtl, "v", 0),
    }


def test_nothing_is_cleaned_where_cleanup_is_disabled():
    """Without cleanup in the background only reading removes; a chosen kind of cleanup switches it on again."""
    builder = StateTtlConfig.new_builder(100).disable_cleanup_in_background()
    expiry, _ = at(200, builder.build())
    entry = {("s", None): (WithTtl, "v", 0)}
    assert expiry.clean(entry) is None
    assert entry
    assert not expiry.is_needed()
    expiry.register("s", builder.cleanup_full_snapshot().build())
    assert expiry.clean(entry) is None
    assert not entry


def test_the_time_to_live_of_the_last_descriptor_counts():
    """A state asked for with another time to live has that one from then on."""
    expiry, ttl = at(200)
    assert expiry.register("s", CONFIG) is ttl
    assert expiry.register("s", StateTtlConfig.new_builder(1000).build()).end(0) == 1000
    assert expiry.clean({("s", None): (WithTtl, "v", 0)}) == (1000, 1000)
