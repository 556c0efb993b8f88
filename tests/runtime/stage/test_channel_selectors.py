"""Which subtasks elements go to where no key says it."""

import numpy as np
import pytest

from windrow.errors import ConfigurationError, UserFunctionError
from windrow.graph.job_graph import Edge
from windrow.graph.partitioners import (
    CustomPartitioner,
    ForwardPartitioner,
    GlobalPartitioner,
    RebalancePartitioner,
    RescalePartitioner,
    ShufflePartitioner,
)
from windrow.runtime.stage.channel_selectors import channel_selector, rescale_targets


def selector(partitioner, *, subtasks=4, producer=0, producers=1):
    return channel_selector(Edge(1, 1, 0, partitioner, subtasks, 1, producers), producer, "source")


def chosen(of, count):
    return of.select(list(range(count))).tolist()


def test_rebalance_takes_all_subtasks_in_turn():
    """Each subtask gets every fourth element, and the turn goes on where it stood."""
    of = selector(RebalancePartitioner())
    assert chosen(of, 6) == [0, 1, 2, 3, 0, 1]
    assert chosen(of, 3) == [2, 3, 0]


def test_producers_begin_at_different_subtasks():
    """A rebalance of few elements from many producers does not put all of them on the first subtask."""
    assert [chosen(selector(RebalancePartitioner(), producer=p, producers=3), 1) for p in range(3)] == [[0], [1], [2]]


@pytest.mark.parametrize(("producers", "subtasks"), [(1, 1), (1, 5), (2, 4), (2, 5), (4, 2), (5, 2), (3, 3), (7, 3)])
def test_rescale_is_pointwise(producers, subtasks):
    """Flink's rule: every subtask is served, neighbours by neighbours, and by as even a share as can be."""
    targets = [rescale_targets(producer, producers, subtasks) for producer in range(producers)]
    if producers >= subtasks:
        expected = [
            subtask
            for subtask in range(subtasks)
            for _ in range(subtask * producers // subtasks, (subtask + 1) * producers // subtasks)
        ]
        assert [list(target) for target in targets] == [[subtask] for subtask in expected]
    else:
        assert [subtask for target in targets for subtask in target] == list(range(subtasks))


def test_rescale_stays_among_its_own_subtasks():
    """The second of two producers never sends to the first one's subtasks, and begins at the first of its own."""
    assert chosen(selector(RescalePartitioner(), producer=1, producers=2), 5) == [2, 3, 2, 3, 2]


def test_forward_keeps_the_subtask():
    """An element stays in the subtask of its producer's number."""
    assert chosen(selector(ForwardPartitioner(), producer=2, producers=4), 3) == [2, 2, 2]


def test_global_takes_the_first():
    """All elements go to subtask 0, whoever sends them."""
    assert chosen(selector(GlobalPartitioner(), producer=2, producers=4), 3) == [0, 0, 0]


def test_shuffle_spreads_and_repeats_itself():
    """Lots are spread evenly, differ between producers, and are the same when they are drawn again."""
    drawn = chosen(selector(ShufflePartitioner()), 40_000)
    counts = np.bincount(drawn, minlength=4)
    assert counts.min() > 9_500
    assert counts.max() < 10_500
    assert drawn == chosen(selector(ShufflePartitioner()), 40_000)
    assert drawn != chosen(selector(ShufflePartitioner(), producer=1, producers=2), 40_000)
    assert drawn[:8] != sorted(drawn[:8])


@pytest.mark.parametrize("partitioner", [RebalancePartitioner(), ShufflePartitioner(), RescalePartitioner()])
def test_a_position_that_is_kept_continues(partitioner):
    """A selector that is given another one's position places elements as that one would have."""
    first, whole, second = selector(partitioner), selector(partitioner), selector(partitioner)
    expected = chosen(whole, 20)
    start = chosen(first, 7)
    second.position = first.position
    assert start + chosen(second, 13) == expected


def test_a_custom_partitioner_is_given_the_key_and_the_number_of_subtasks():
    """The user's function decides."""
    of = selector(CustomPartitioner(lambda key, count: key % count, lambda value: value * 2))
    assert chosen(of, 4) == [0, 2, 0, 2]


@pytest.mark.parametrize("returned", [4, -1, 1.5, None, "0"])
def test_a_custom_partitioner_that_names_no_subtask_is_refused(returned):
    """The error says what was returned, for which element, and what is expected."""
    with pytest.raises(ConfigurationError, match="from 0 to 3") as raised:
        chosen(selector(CustomPartitioner(lambda key, count: returned, lambda value: value)), 1)
    assert repr(returned) in str(raised.value)


def test_an_error_in_a_custom_partitioner_names_the_element():
    """What the user's function raises is shown with the element it was called for."""
    with pytest.raises(UserFunctionError, match="element 2"):
        chosen(selector(CustomPartitioner(lambda key, count: 1 // (2 - key), lambda value: value)), 4)
