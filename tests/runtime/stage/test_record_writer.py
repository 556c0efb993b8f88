"""What an operator emits towards an exchange, cut into chunks for the subtasks behind it."""

import pytest

from windrow.common.limits import MIN_WATERMARK
from windrow.errors import UnhashableKeyError, UserFunctionError
from windrow.graph.job_graph import Edge
from windrow.graph.partitioners import GlobalPartitioner, KeyGroupPartitioner, SingleKeyPartitioner
from windrow.runtime.stage.input_gate import ChannelStatus, steps
from windrow.runtime.stage.record_writer import RecordWriter
from windrow.state.key_groups import key_group, operator_index

MAX_PARALLELISM = 16
BY_SELF = KeyGroupPartitioner(lambda value: value)


def writer(partitioner=BY_SELF, subtasks=4):
    return RecordWriter(Edge(9, 3, 1, partitioner, subtasks, 1), MAX_PARALLELISM, "map")


def finish(of, *, producer=0):
    return list(of.finish(123, 2, producer, 7))


def subtask_of(key, subtasks=4):
    return operator_index(key_group(key, MAX_PARALLELISM), subtasks, MAX_PARALLELISM)


def seen(row):
    """What the receiving gate makes of a row."""
    return [(list(step.values), step.control) for step in steps([(0, row)], [ChannelStatus(MIN_WATERMARK)])]


def test_an_element_goes_to_the_subtask_of_its_key():
    """Each subtask gets the elements of its key groups, in order, with their keys and timestamps."""
    given = writer(KeyGroupPartitioner(lambda value: value % 10))
    values = list(range(100))
    given.batch(values[:40], values[:40])
    given.batch(values[40:], values[40:])
    rows = finish(given)
    for row in rows:
        expected = [value for value in values if subtask_of(value % 10) == row.subtask]
        assert list(row.chunk.values) == list(row.chunk.timestamps) == expected
        assert list(row.chunk.keys) == [value % 10 for value in expected]
    assert sorted(value for row in rows for value in row.chunk.values) == values


def test_a_row_says_where_it_goes_and_where_it_comes_from():
    """Level, entry, edge, channel, producer, sequence number and time are on every row."""
    given = writer()
    given.batch(["a"], [1])
    (row,) = finish(given, producer=3)
    assert (row.level, row.entry, row.edge) == (3, 1, 9)
    assert (row.channel, row.producer, row.sequence, row.now) == (2, 3, 7, 123)


def test_control_events_keep_their_places_among_the_elements_of_every_subtask():
    """What a subtask sees between two control events is what was emitted between them and is for it."""
    given = writer()
    emitted = [(list(range(9)), 5), ([], "idle"), (list(range(9, 30)), 8)]
    for values, control in emitted:
        given.batch(values, values)
        given.control(control)
    given.batch([30], [30])
    rows = finish(given)
    assert [row.subtask for row in rows] == [0, 1, 2, 3]
    for row in rows:
        expected = [([v for v in values if subtask_of(v) == row.subtask], control) for values, control in emitted]
        rest = [v for v in [30] if subtask_of(v) == row.subtask]
        assert seen(row) == expected + [(rest, None)] * bool(rest)


def test_control_events_reach_subtasks_without_elements():
    """A watermark goes to every subtask."""
    given = writer()
    given.control(5)
    assert [(row.subtask, seen(row)) for row in finish(given)] == [(number, [([], 5)]) for number in range(4)]


def test_only_the_first_subtask_sends_control_events():
    """All subtasks have the same ones; of the others only elements go out, and where these stand between them."""
    given = writer(GlobalPartitioner(), subtasks=1)
    given.batch(["a"], [1])
    given.control(5)
    given.batch(["b"], [2])
    (row,) = finish(given, producer=1)
    assert row.chunk.controls == []
    assert row.chunk.epochs.tolist() == [0, 1]
    given.control(6)
    assert finish(given, producer=1) == []


def test_a_writer_is_empty_after_it_has_finished():
    """What went out goes out once."""
    given = writer()
    given.batch(["a"], [1])
    given.control(5)
    assert len(finish(given)) == 4
    assert finish(given) == []


@pytest.mark.parametrize(
    ("partitioner", "keys"), [(GlobalPartitioner(), None), (SingleKeyPartitioner("k"), ["k", "k"])]
)
def test_one_subtask_gets_all_where_there_are_no_keys(partitioner, keys):
    """Without keys, or with one key for all, everything goes to the first subtask."""
    given = writer(partitioner, subtasks=1)
    given.batch(["a", "b"], [1, 2])
    (row,) = finish(given)
    assert (row.subtask, list(row.chunk.values), row.chunk.keys) == (0, ["a", "b"], keys)


@pytest.mark.parametrize("subtasks", [1, 4])
def test_a_key_that_cannot_be_hashed_is_named(subtasks):
    """The error says which operator's key_by it was, and the key."""
    given = writer(KeyGroupPartitioner(lambda value: [value] if value == 3 else value), subtasks)
    given.batch([1, 2, 3, 4], [0, 0, 0, 0])
    with pytest.raises(UnhashableKeyError, match=r"key_by after map.*\[3\]"):
        finish(given)


def test_an_error_in_the_key_selector_names_the_element():
    """The user's own error is behind one that names the exchange and the element."""
    given = writer(KeyGroupPartitioner(lambda value: 1 // value))
    given.batch([1, 0], [0, 0])
    with pytest.raises(UserFunctionError, match="key_by after map") as caught:
        finish(given)
    assert isinstance(caught.value.__cause__, ZeroDivisionError)
