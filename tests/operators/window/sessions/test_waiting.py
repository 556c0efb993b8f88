"""Elements of sessions that wait to be added together."""

import numpy as np

from windrow.elements.batch import Batch
from windrow.elements.columns import Columns
from windrow.elements.shape import LONG
from windrow.operators.window.sessions.parts import PartShape, are_parts
from windrow.operators.window.sessions.waiting import WaitingElements


def batch(*times):
    numbers = Columns.of(LONG, [np.array(times)])
    return Batch(numbers, [*times], numbers)


def parts(*times):
    numbers = np.array(times)
    return Batch(Columns.of(PartShape.of(LONG), [numbers, numbers * 0]), [*times], Columns.of(LONG, [numbers]))


def test_a_watermark_touches_what_begins_where_its_sessions_end():
    """The earliest of all counts, until they are taken; nothing touches none."""
    waiting = WaitingElements()
    assert not waiting.are_touched_by(2**62)
    waiting.extend(batch(30, 20), 0)
    waiting.extend(batch(40), 0)
    assert not waiting.are_touched_by(18)
    assert waiting.are_touched_by(19)
    assert waiting.take().timestamp_list() == [30, 20, 40]
    assert not waiting.are_touched_by(19)


def test_much_of_what_waits_is_behind_an_early_watermark():
    """More than a quarter of the time from the first to the last element."""
    waiting = WaitingElements()
    waiting.extend(batch(0, 100), 0)
    assert waiting.are_mostly_behind(74)
    assert not waiting.are_mostly_behind(75)


def test_elements_wait_since_the_last_watermark_that_was_not_put_off():
    """Those that come behind one that was put off see the one before it."""
    waiting = WaitingElements()
    waiting.extend(batch(20), 5)
    waiting.put_off.append(9)
    waiting.extend(batch(21), 9)
    assert waiting.came_at == 5
    waiting.put_off.clear()
    waiting.extend(batch(22), 9)
    assert waiting.came_at == 9


def test_all_that_wait_are_of_one_shape():
    """Elements and what stands for several of them: the former become parts that reach no further."""
    waiting = WaitingElements()
    assert not are_parts(waiting.in_one_shape(batch(1)))
    waiting.extend(batch(1), 0)
    assert are_parts(waiting.in_one_shape(parts(2)))
    waiting.extend(parts(2), 0)
    assert are_parts(waiting.in_one_shape(batch(3)))
    assert are_parts(waiting.take())
    assert not are_parts(waiting.in_one_shape(batch(4)))
