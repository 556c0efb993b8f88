"""The rows that a lookup join remembers."""

from hypothesis import given
from hypothesis import strategies as st

from windrow.operators.table.lookup_cache import CacheOptions, LookupCache


class Asked:
    """Gives each key's number of questions so far as its row; keys below zero have none."""

    def __init__(self):
        self.keys = []

    def __call__(self, keys):
        rows = []
        for key in keys:
            self.keys.append(key[0])
            rows.append([] if key[0] < 0 else [(self.keys.count(key[0]),)])
        return rows


def found(cache, ask, keys, now):
    return [rows[0][0] if rows else None for rows in cache.found([(key,) for key in keys], now, ask)]


def test_what_is_known_is_not_asked_for_again():
    """Rows stay as they were found; only other keys are asked for, together."""
    cache, ask = LookupCache(CacheOptions()), Asked()
    assert found(cache, ask, [1, 2], 0) == [1, 1]
    assert found(cache, ask, [2, 3, 1], 10**9) == [1, 1, 1]
    assert ask.keys == [1, 2, 3]


def test_rows_expire_after_they_were_written():
    """So long after they were found, however often they were asked for since."""
    cache, ask = LookupCache(CacheOptions(expire_after_write=10)), Asked()
    assert [found(cache, ask, [1], now) for now in (0, 6, 9, 10, 19, 20)] == [[1], [1], [1], [2], [2], [3]]


def test_rows_expire_after_they_were_asked_for():
    """So long after the last question."""
    cache, ask = LookupCache(CacheOptions(expire_after_access=10)), Asked()
    assert [found(cache, ask, [1], now) for now in (0, 9, 18, 28)] == [[1], [1], [1], [2]]


def test_a_key_without_rows_is_remembered_unless_it_is_not_wanted():
    """``lookup.partial-cache.cache-missing-key``."""
    for wanted, asked in ((True, [-1]), (False, [-1, -1])):
        cache, ask = LookupCache(CacheOptions(missing_keys=wanted)), Asked()
        assert [found(cache, ask, [-1], now) for now in (0, 1)] == [[None], [None]]
        assert ask.keys == asked


def test_more_keys_than_are_kept_have_their_rows_once():
    """Keys of one question that do not all fit are all answered."""
    cache, ask = LookupCache(CacheOptions(max_rows=1)), Asked()
    assert found(cache, ask, [1, 2, 3], 0) == [1, 1, 1]
    assert found(cache, ask, [3, 2], 0) == [1, 2]


@given(st.lists(st.lists(st.integers(0, 5), unique=True, max_size=4)), st.integers(1, 5))
def test_the_keys_asked_for_last_are_kept(questions, most):
    """Of all questions in a row: a key is asked for unless it is one of the last ones that differ."""
    cache, ask = LookupCache(CacheOptions(max_rows=most)), Asked()
    order = []
    expected = []
    for keys in questions:
        known = [key for key in keys if key in order]
        missing = [key for key in keys if key not in order]
        expected += missing
        order = [key for key in order if key not in keys] + known + missing
        order = order[-most:]
        found(cache, ask, keys, 0)
    assert ask.keys == expected
