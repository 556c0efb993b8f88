"""The enumerator of splits that are known from the start."""

import pytest

from tests.connectors.source_reader.numbers import Numbers
from windrow.connectors.source import Boundedness, Source
from windrow.connectors.source_reader import StaticSplitEnumerator
from windrow.errors import ConfigurationError
from windrow.testing import EnumeratorHarness


class NumbersSource(Source):
    def get_boundedness(self):
        return Boundedness.BOUNDED

    def create_enumerator(self, enum_context):
        return StaticSplitEnumerator(enum_context, [Numbers(name, 0, 1) for name in "abc"])

    def restore_enumerator(self, enum_context, checkpoint):
        return StaticSplitEnumerator(enum_context, checkpoint)

    def create_reader(self, reader_context):
        raise NotImplementedError


def started(readers=2, snapshot=None):
    harness = EnumeratorHarness(NumbersSource(), parallelism=2, snapshot=snapshot)
    for subtask in range(readers):
        harness.add_reader(subtask)
    return harness


def test_a_split_goes_to_each_reader_that_asks():
    """In the order in which they ask; who asks for more than there is hears that there is no more."""
    harness = started()
    assert harness.assignments == {}
    for subtask in (1, 0, 1, 0):
        harness.request_split(subtask)
    assert (harness.assigned_ids(0), harness.assigned_ids(1)) == (["b"], ["a", "c"])
    assert harness.no_more_splits == {0}


def test_its_checkpoint_is_what_is_left():
    """Assigned splits are the readers' business."""
    harness = started()
    harness.request_split(0)
    restored = started(snapshot=harness.snapshot())
    for _ in range(3):
        restored.request_split(1)
    assert restored.assigned_ids(1) == ["b", "c"]
    assert restored.no_more_splits == {1}


def test_splits_that_come_back_are_dealt_again():
    """They go to whoever asks next, behind the others."""
    harness = started()
    harness.request_split(0)
    harness.remove_reader(0, splits_back=harness.assignments[0])
    for _ in range(4):
        harness.request_split(1)
    assert harness.assigned_ids(1) == ["b", "c", "a"]


def test_a_reader_that_has_died_since_it_asked_gets_nothing():
    """The split would be lost."""
    harness = started(readers=1)
    harness.request_split(1)
    assert harness.assignments == {}
    assert harness.no_more_splits == set()


def test_a_request_can_be_answered_with_several_splits():
    """Up to so many as are left."""
    splits = [Numbers(name, 0, 1) for name in "abc"]
    harness = EnumeratorHarness(lambda context: StaticSplitEnumerator(context, splits, splits_per_request=2))
    harness.add_reader(0)
    assigned = []
    for _ in range(3):
        harness.request_split(0)
        assigned.append(harness.assigned_ids(0))
    assert assigned == [["a", "b"], ["a", "b", "c"], ["a", "b", "c"]]
    assert harness.no_more_splits == {0}


def test_a_request_is_answered_with_a_split_at_least():
    """Otherwise no reader would ever get one."""
    with pytest.raises(ConfigurationError, match="splits_per_request of StaticSplitEnumerator must be at least 1"):
        EnumeratorHarness(lambda context: StaticSplitEnumerator(context, [], splits_per_request=0))


def test_it_says_how_many_splits_no_reader_has():
    """Those that nobody has asked for."""
    harness = started()
    assert harness.enumerator.unassigned_splits() == 3
    harness.request_split(0)
    assert harness.enumerator.unassigned_splits() == 2
