"""Subtasks of keys: one by one, of columns, and remembered."""

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from windrow.elements.columns import Columns
from windrow.elements.shape import LONG, TupleShape
from windrow.state import key_groups
from windrow.state.key_groups import SubtaskCache, hashes_and_groups, key_group, operator_index, subtasks_of
from windrow.state.page import place, places
from windrow.state.stable_hash import stable_hash


def subtask_of(key, parallelism=3, max_parallelism=128):
    return operator_index(key_group(key, max_parallelism), parallelism, max_parallelism)


@given(st.lists(st.integers(-(2**63), 2**63 - 1)), st.integers(1, 300), st.integers(1, 300))
def test_a_column_of_keys_goes_where_each_of_them_goes(keys, parallelism, more):
    """The subtasks of a column are those of its keys."""
    max_parallelism = parallelism + more
    found = subtasks_of(np.array(keys, np.int64), parallelism, max_parallelism)
    assert found.dtype == np.int32
    assert found.tolist() == [subtask_of(key, parallelism, max_parallelism) for key in keys]


@given(st.lists(st.integers(-(2**63), 2**63 - 1), min_size=1) | st.lists(st.text(), min_size=1), st.integers(1, 300))
def test_keys_that_are_hashed_together_are_where_each_of_them_is(keys, max_parallelism):
    """Their hashes, their key groups, and their places among the pages of these."""
    found = hashes_and_groups(keys, max_parallelism)
    assert found is not None
    codes, groups = found
    assert codes.tolist() == [stable_hash(key) for key in keys]
    assert groups.tolist() == [key_group(key, max_parallelism) for key in keys]
    assert places(codes).tolist() == [place(stable_hash(key)) for key in keys]


@pytest.mark.parametrize("keys", [[1, "a"], [True, False], [2**64], [b"a"], [(1, None)]])
def test_keys_of_other_types_are_left_to_be_hashed_one_by_one(keys):
    assert hashes_and_groups(keys, 128) is None


def test_a_column_of_another_type_is_left_to_be_hashed_one_by_one():
    """There is no array of subtasks where keys have no hash as a column."""
    assert subtasks_of(pa.array([b"a"]), 2, 128) is None


CHUNKS = st.lists(
    st.lists(st.integers(0, 60), max_size=40)
    | st.lists(st.sampled_from("abcdefgh").map(lambda c: c * 3), max_size=40)
    | st.lists(st.tuples(st.integers(0, 5), st.sampled_from(["x", "y"])), max_size=40)
    | st.lists(st.sampled_from([1, 1.0, True, "a", None, ("a", None)]), max_size=10),
    max_size=8,
)


@given(CHUNKS, st.integers(1, 50))
def test_the_cache_gives_the_subtasks_of_its_keys_whatever_it_has_learned(chunks, max_keys):
    """However many keys it keeps, and whether it was told of them before or not."""
    cache = SubtaskCache(3, 128, max_keys)
    for number, keys in enumerate(chunks):
        if number % 3:
            cache.learn(keys)
        assert [cache[key] for key in keys] == [subtask_of(key) for key in keys]


@pytest.mark.parametrize("spans", [(10, 5_000, 400_000), (300_000, 3), (1,)])
def test_columns_of_small_numbers_go_where_their_keys_go(spans):
    """They are looked up in a table that grows with them, and hashed where it would be too large."""
    cache = SubtaskCache(3, 128)
    generator = np.random.default_rng(7)
    for span in spans:
        for least in (0, -span):
            keys = generator.integers(least, span, 3_000)
            found = cache.of_columns(Columns.of(LONG, [keys]))
            assert found.tolist() == [subtask_of(key) for key in keys.tolist()]
    pairs = TupleShape((pa.int64(),))
    assert cache.of_columns(Columns.of(pairs, [np.array([5])])).tolist() == [subtask_of((5,))]
    assert cache.of_columns(Columns.of(LONG, [np.zeros(0, np.int64)])).tolist() == []


def test_the_cache_is_bounded():
    """It never holds more keys than it may, asked for one by one."""
    cache = SubtaskCache(3, 128, max_keys=10)
    for number in range(100):
        assert cache[f"key-{number % 25}"] == subtask_of(f"key-{number % 25}")
        assert len(cache) <= 10


def test_keys_that_come_often_are_hashed_once_beside_many_that_come_once(monkeypatch):
    """A key that was asked for since the cache was last full is not hashed again."""
    hashed = []
    monkeypatch.setattr(key_groups, "stable_hash", lambda key: hashed.append(key) or 1)
    cache = SubtaskCache(3, 128, max_keys=10)
    for number in range(100):
        assert cache["often"] == cache[number]
    assert hashed.count("often") == 1


def test_many_new_keys_are_hashed_as_a_column(monkeypatch):
    """What the cache learns at once is not hashed key by key; where few are new, nothing is learned."""
    monkeypatch.setattr(key_groups, "stable_hash", lambda key: pytest.fail(f"{key} was hashed by itself"))
    cache = SubtaskCache(3, 128)
    keys = [f"key-{number}" for number in range(1000)]
    cache.learn(keys)
    assert len([cache[key] for key in keys]) == 1000
    cache.learn(keys)  # all are known
    cache.learn(["new", *keys])
    assert "new" not in cache


def test_keys_that_cannot_be_hashed_as_a_column_are_not_learned():
    """Their own methods are called when they are asked for, where an error names the key."""

    class Broken:
        def __hash__(self):
            msg = "asked for its hash"
            raise AssertionError(msg)

    for keys in ([Broken()], [(Broken(),)], [[1]], [2**70], ["\ud800"], [("a", 1), ("a",)], [1, "a"]):
        cache = SubtaskCache(3, 128)
        cache.learn(keys)
        assert not cache


def test_groups_are_spread_over_subtasks_in_ranges():
    """Every subtask has groups, in order, and all groups have a subtask."""
    indexes = [operator_index(group, 5, 128) for group in range(128)]
    assert indexes == sorted(indexes)
    assert set(indexes) == set(range(5))
