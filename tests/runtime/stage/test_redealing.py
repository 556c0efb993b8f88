"""Channels of tasks that go on from others'."""

from itertools import pairwise

from windrow.common.limits import MAX_WATERMARK, MIN_WATERMARK
from windrow.graph.job_graph import Entry, Node
from windrow.operators.base import Operator
from windrow.runtime.stage.input_gate import ChannelStatus
from windrow.runtime.stage.redealing import Before, Channel, EdgeBefore, Input, redealt_tasks
from windrow.runtime.stage.task import OperatorState, TaskState


def entry(*tags, subtasks=2):
    nodes = [Node(tag, tag, Operator, 1, subtasks, 1) for tag in tags]
    for head, behind in pairwise(nodes):
        head.takers.append((None, behind))
    return Entry(nodes[0], subtasks)


def before(statuses, last, operators=("op",), *, edges=None, ended=0):
    """A chain of one edge with channels of these watermarks; None: it is idle."""
    kept = [ChannelStatus(0 if each is None else each, idle=each is None) for each in statuses]
    valve = [(each.watermark, not each.idle, not each.idle) for each in kept], last, any(not each.idle for each in kept)
    states = [OperatorState(last, 7, {"of": tag}, "broadcast") for tag in operators]
    task = TaskState(kept, valve, ended, states, {"sink/0": ("drawn lots", 5)})
    return Before(1, edges or [EdgeBefore(0, "source", len(kept))], operators, {0: task})


def made(chain, was, *inputs):
    states = dict(zip(was.operators, was.tasks[0].operators, strict=True))
    tasks, wakes = redealt_tasks(chain, was, inputs, states)
    assert len({repr(task) for task in tasks.values()}) == 1
    return tasks[0], wakes


NEW = Channel(None, False)


def test_new_channels_begin_at_the_least_of_those_that_were_active():
    """One that was idle, or has ended, does not say where they are."""
    task, wakes = made(entry("op"), before([30, None, MAX_WATERMARK, 20], 20), Input(0, [NEW, NEW], False))
    assert task.statuses == [ChannelStatus(20), ChannelStatus(20)]
    assert task.valve == ([(20, True, True)] * 2, 20, True)
    assert (task.ended, wakes) == (0, False)


def test_new_channels_of_an_idle_edge_are_active_and_wake_what_is_behind():
    """What was told that nothing comes is told no more: the levels behind count the channel again."""
    task, wakes = made(entry("op"), before([None, None], 40), Input(0, [NEW], False))
    assert (task.statuses, task.valve, wakes) == ([ChannelStatus(40)], ([(40, True, True)], 40, True), True)
    task, wakes = made(entry("op"), before([None, 60], 60), Input(0, [Channel(0, False), Channel(1, False)], True))
    assert task.statuses == [ChannelStatus(0), ChannelStatus(60)]
    assert task.valve == ([(0, True, False), (60, True, True)], 60, True)
    assert not wakes


def test_channels_that_stay_are_as_they_were_and_those_that_have_ended_are_counted():
    """An edge of another source comes in between, with channels of its own."""
    stay = Input(0, [Channel(0, True), Channel(1, False)], False)
    task, _ = made(
        entry("op"), before([MAX_WATERMARK, 8], 8, ended=1), Input(None, [Channel(None, True), NEW], False), stay
    )
    assert [status.watermark for status in task.statuses] == [8, 8, MAX_WATERMARK, 8]
    assert task.valve[0][:2] == [(8, False, False), (8, True, True)]
    assert task.ended == 2


def test_channels_that_never_were_do_not_end_time():
    """When the others are idle, what has ended may say that time is over: so it was before, or not at all."""
    more = Channel(None, True)
    stay = Channel(0, False), Channel(1, False)
    task, _ = made(entry("op"), before([30, 20], 20), Input(0, [*stay, more], False))
    assert task.valve == ([(30, True, True), (20, True, True), (20, False, False)], 20, True)
    task, wakes = made(
        entry("op"), before([None, None], 20), Input(0, [Channel(0, False), Channel(1, False), more], False)
    )
    assert (task.valve[2], wakes) == (False, False)
    task, _ = made(entry("op"), before([MAX_WATERMARK, 20], 20, ended=1), Input(0, [more, NEW], False))
    assert task.valve[0] == [(MAX_WATERMARK, True, True), (20, True, True)]


def test_a_new_receiver_does_not_wait_for_a_channel_that_is_idle():
    """It has said so to others, and says it once."""
    task, _ = made(entry("op"), before([5], 5), Input(None, [Channel(0, False, idle=True), NEW], False))
    assert task.valve == ([(5, False, False), (5, True, True)], 5, True)
    assert task.statuses == [ChannelStatus(5, idle=True), ChannelStatus(5)]


def test_operators_are_found_by_their_tags_and_new_ones_begin_at_the_time_in_front_of_them():
    """What they keep is theirs, in whatever place; a new one has nothing."""
    was = before([8], 8, ("op", "gone", "moved"))
    task, _ = made(entry("op", "new", "moved"), was, Input(0, [NEW], False))
    assert [(each.watermark, each.snapshot) for each in task.operators] == [
        (8, {"of": "op"}),
        (8, None),
        (8, {"of": "moved"}),
    ]
    assert task.positions == {"sink/0": ("drawn lots", 5)}


def test_a_chain_that_nobody_knows_begins_as_in_a_new_job():
    """Unless one of its channels has ended before, which it would not hear of, or its head stood elsewhere."""
    assert redealt_tasks(entry("op"), None, [Input(None, [NEW], False)], {}) == ({}, False)
    tasks, _ = redealt_tasks(entry("op"), None, [Input(None, [NEW, Channel(None, True)], False)], {})
    assert (tasks[1].ended, tasks[1].statuses) == (
        1,
        [ChannelStatus(MIN_WATERMARK), ChannelStatus(MIN_WATERMARK, True)],
    )
    elsewhere = OperatorState(33, 0, None, "broadcast")
    tasks, _ = redealt_tasks(entry("op"), None, [Input(None, [NEW], False)], {"op": elsewhere})
    assert tasks[0].valve == ([(33, True, True)], 33, True)
    assert [each.watermark for each in tasks[0].operators] == [33]
