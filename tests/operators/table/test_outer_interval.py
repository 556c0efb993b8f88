"""Outer joins within an interval: each row that meets none is there once."""

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.datastream.streams.restarts import collect_with_restarts
from tests.property_examples import examples
from tests.table.test_interval_join import tables_of
from windrow.datastream import StreamExecutionEnvironment

TIMES = st.lists(st.integers(0, 40), max_size=12).map(sorted)
ON = "l.k = r.k AND r.ts BETWEEN l.ts - INTERVAL '0.003' SECOND AND l.ts + INTERVAL '0.007' SECOND"


def query(kind):
    return f"SELECT l.at AS of_left, r.at AS of_right FROM lefts AS l {kind} JOIN rights AS r ON {ON}"


def expected(kind, lefts, rights):
    pairs = [(left, right) for left in lefts for right in rights if -3 <= right - left <= 7]
    if kind in ("LEFT", "FULL"):
        pairs += [(left, None) for left in lefts if not any(-3 <= right - left <= 7 for right in rights)]
    if kind in ("RIGHT", "FULL"):
        pairs += [(None, right) for right in rights if not any(-3 <= right - left <= 7 for left in lefts)]
    return sorted(pairs, key=str)


@settings(max_examples=examples(30), deadline=None)
@given(kind=st.sampled_from(["LEFT", "RIGHT", "FULL"]), lefts=TIMES, rights=TIMES)
def test_each_row_meets_those_within_the_interval_or_stands_alone(kind, lefts, rights):
    """As a look at all pairs says, for rows that come in the order of their time."""
    env = StreamExecutionEnvironment.create_local_environment(parallelism=1)
    found = tables_of(env, lefts, rights).sql_query(query(kind)).execute().collect()
    assert sorted(map(tuple, found), key=str) == expected(kind, lefts, rights)


@settings(max_examples=examples(20), deadline=None)
@given(kind=st.sampled_from(["LEFT", "RIGHT", "FULL"]), lefts=TIMES, rights=TIMES, size=st.integers(1, 4))
def test_it_is_the_same_where_all_operators_are_made_anew(kind, lefts, rights, size):
    """Behind each batch: what is kept is state."""
    tables = tables_of(StreamExecutionEnvironment.create_local_environment(parallelism=1), lefts, rights)
    stream = tables.to_data_stream(tables.sql_query(query(kind)))
    assert sorted(map(tuple, collect_with_restarts(stream, size)), key=str) == expected(kind, lefts, rights)


def test_it_is_the_same_on_both_runtimes(env):
    """With parallelism 2."""
    lefts, rights = [1, 5, 20, 30], [2, 9, 33]
    found = tables_of(env, lefts, rights).sql_query(query("FULL")).execute().collect()
    assert sorted(map(tuple, found), key=str) == expected("FULL", lefts, rights)
