"""The one order in which an operator sees the chunks of its channels."""

import pytest

from windrow.common.limits import MAX_WATERMARK, MIN_WATERMARK
from windrow.elements.batch import Batch
from windrow.runtime.stage.chunk import PARTS_PER_EPOCH, Chunk, ChunkRow, ProcessingTime
from windrow.runtime.stage.input_gate import ChannelStatus, steps


def row(values, controls=(), epochs=None, *, first=0, part=0, producer=0, keys=None):
    """A chunk; ``epochs`` says for each element how many of its control events stand before it."""
    numbers = range(max([len(controls), *(epochs or ())]))
    cuts = None if epochs is None else [sum(epoch <= number for epoch in epochs) for number in numbers]
    chunk = Chunk(Batch(values, list(range(len(values))), keys), cuts, list(controls))
    return ChunkRow(1, 0, 0, first * PARTS_PER_EPOCH + part, 1, 0, producer, 0, chunk)


def order(*rows, statuses=None):
    """What comes out, as (channel, values, control)."""
    if statuses is None:
        statuses = [ChannelStatus(MIN_WATERMARK) for _ in range(1 + max(channel for channel, _ in rows))]
    arriving = sorted(rows, key=lambda pair: (pair[1].sequence, pair[0], pair[1].producer))
    return [(step.channel, list(step.batch.elements), step.control) for step in steps(arriving, statuses)]


def test_elements_come_before_the_control_event_behind_them():
    """A chunk falls into the elements up to each control event, and those behind the last one."""
    given = row("abcd", [1, 2], [0, 0, 1, 2])
    assert order((0, given)) == [(0, ["a", "b"], 1), (0, ["c"], 2), (0, ["d"], None)]


def test_control_events_without_elements_between_them_all_come():
    """No control event is lost where no element stands before it."""
    assert order((0, row("a", [1, "idle", "active", 5], [4]))) == [
        (0, [], 1),
        (0, [], "idle"),
        (0, [], "active"),
        (0, [], 5),
        (0, ["a"], None),
    ]


def test_a_chunk_without_cuts_stands_before_its_control_events():
    """Elements of which nothing is said come first."""
    assert order((0, row("ab", [1, 2]))) == [(0, ["a", "b"], 1), (0, [], 2)]


def test_keys_and_timestamps_stay_with_their_elements():
    """A step has the keys and timestamps of its own elements."""
    given = [(0, row("abc", [7], [0, 1, 1], keys=["ka", "kb", "kc"]))]
    found = list(steps(given, [ChannelStatus(MIN_WATERMARK)]))
    keyed = [(list(step.batch.keys), list(step.batch.timestamps)) for step in found]
    assert keyed == [(["ka"], [0]), (["kb", "kc"], [1, 2])]


def test_a_round_is_taken_when_its_channel_is_the_lowest():
    """A channel with several chunks gives them one after the other, between those of the others."""
    rows = [(0, row("a", [4])), (1, row("x", [2])), (1, row("y", [7], first=1))]
    assert order(*rows) == [(0, ["a"], 4), (1, ["x"], 2), (1, ["y"], 7)]


def test_chunks_are_read_as_they_are_needed():
    """What comes first is there before the input has been read to its end: large inputs are not held in memory."""
    read = []

    def arriving():
        for sequence in range(100):
            read.append(sequence)
            yield 0, row("ab", [sequence], first=sequence)

    first = next(iter(steps(arriving(), [ChannelStatus(MIN_WATERMARK)])))
    assert first.control == 0
    assert len(read) <= 2


def test_chunks_of_several_producers_share_the_elected_ones_control_events():
    """The elements of each producer, in the order of the producers, come before the control event they precede."""
    elected = row("a", [1], [1], producer=0)
    other = row("xy", (), [0, 1], producer=3)
    assert order((0, other), (0, elected)) == [(0, ["x"], 1), (0, ["a"], None), (0, ["y"], None)]


def test_producers_cut_where_they_want():
    """Each row says where it begins: what another producer has in a row of many epochs comes in its place."""
    elected = row("a", [1, 2, 3], [1])
    rows = [elected, row("vw", (), [0, 1], producer=1), row("xyz", (), [0, 0, 1], first=2, producer=1)]
    expected = [(0, ["v"], 1), (0, ["a"], None), (0, ["w"], 2), (0, ["x", "y"], 3), (0, ["z"], None)]
    assert order(*[(0, each) for each in rows]) == expected


def test_the_order_of_producers_is_that_of_rows_that_nobody_has_cut():
    """A row that begins in an epoch comes before one of a later producer that has begun in an earlier one."""
    rows = [row("a", [1], [0]), row("b", [2], [0], first=1), row("xy", (), [0, 1], producer=1)]
    expected = [(0, ["a"], None), (0, ["x"], 1), (0, ["b"], None), (0, ["y"], 2)]
    assert order(*[(0, each) for each in rows]) == expected


def test_further_parts_of_an_epoch_come_behind_the_first_ones_of_all():
    """What goes on from an earlier epoch is a first part; the control event comes behind all parts."""
    rows = [
        row("a", [1], [1]),
        row("b", [], part=1, first=1),
        row("c", [2], part=2, first=1),
        row("xy", (), [0, 1], producer=1),
        row("z", (), part=1, first=1, producer=1),
    ]
    expected = [(0, ["x"], 1), (0, ["a"], None), (0, ["y"], None), (0, ["b"], None), (0, ["z"], None), (0, ["c"], 2)]
    assert order(*[(0, each) for each in rows]) == expected


def test_rows_of_later_epochs_are_read_when_these_come():
    """Of a producer that has cut often only what is needed is in memory, however long another's row goes on."""
    read = []

    def arriving():
        yield 0, row("", range(100))
        for epoch in range(100):
            read.append(epoch)
            yield 0, row("a", first=epoch, producer=1)

    for number, step in enumerate(steps(arriving(), [ChannelStatus(MIN_WATERMARK)])):
        assert (step.control, len(step.batch)) == (number, 1)
        assert len(read) <= number + 2


def test_the_channel_with_the_lowest_watermark_is_next():
    """Of equal watermarks the lower channel is first; each gives its elements up to its next control event."""
    first = row("ab", [10, 20], [0, 1])
    second = row("xy", [5, 30], [0, 1])
    assert order((0, first), (1, second)) == [
        (0, ["a"], 10),
        (1, ["x"], 5),
        (1, ["y"], 30),
        (0, ["b"], 20),
    ]


def test_watermarks_of_earlier_batches_count():
    """Where a channel stands is kept between batches."""
    statuses = [ChannelStatus(8), ChannelStatus(3)]
    assert order((0, row("a", [9])), (1, row("x", [4])), statuses=statuses) == [(1, ["x"], 4), (0, ["a"], 9)]
    assert [status.watermark for status in statuses] == [9, 4]


def test_idle_channels_come_last():
    """An idle channel holds nothing up; once it is active again its watermark counts."""
    statuses = [ChannelStatus(1, idle=True), ChannelStatus(5)]
    idle, active = row("ab", ["active"], [0, 1]), row("x", [6])
    assert order((0, idle), (1, active), statuses=statuses) == [(1, ["x"], 6), (0, ["a"], "active"), (0, ["b"], None)]
    assert statuses[0].idle is False


def test_a_channel_that_has_ended_comes_behind_all_others():
    """The end counts as the last watermark."""
    statuses = [ChannelStatus(MIN_WATERMARK), ChannelStatus(5)]
    assert order((0, row("", ["end"])), (1, row("x", [6])), statuses=statuses) == [(0, [], "end"), (1, ["x"], 6)]
    assert statuses[0].watermark == MAX_WATERMARK


def test_processing_time_moves_no_channel():
    """A processing time among the control events changes neither watermark nor status."""
    statuses = [ChannelStatus(5)]
    assert order((0, row("", [ProcessingTime(99)])), statuses=statuses) == [(0, [], ProcessingTime(99))]
    assert statuses == [ChannelStatus(5)]


@pytest.mark.parametrize("subtask_of", [lambda value: value < "c", lambda value: value in "ax"])
def test_subtasks_that_share_control_events_agree_on_the_order(subtask_of):
    """What a subtask sees is what it would see of the whole: its order follows from control events only."""
    channels = [("abcd", [3, 9], [0, 0, 1, 2]), ("xyz", [4, 5], [0, 1, 2])]
    whole = order(
        *[(number, row(values, controls, epochs)) for number, (values, controls, epochs) in enumerate(channels)]
    )
    seen = []
    for number, (values, controls, epochs) in enumerate(channels):
        mine = [(value, epoch) for value, epoch in zip(values, epochs, strict=True) if subtask_of(value)]
        seen.append((number, row([value for value, _ in mine], controls, [epoch for _, epoch in mine])))
    expected = [(channel, value) for channel, values, _ in whole for value in values if subtask_of(value)]
    assert [(channel, value) for channel, values, _ in order(*seen) for value in values] == expected
    controls = [(channel, control) for channel, _, control in whole if control is not None]
    assert [(channel, control) for channel, _, control in order(*seen) if control is not None] == controls
