"""The sessions of one key, in order."""

from windrow.common.limits import LONG_MAX
from windrow.datastream.window import TimeWindow
from windrow.operators.window.session import KeySessions, Session


def sessions_of(*windows):
    """Sessions of one key, put in one after the other."""
    sessions = KeySessions("key")
    for number, window in enumerate(windows):
        sessions.add(Session(sessions, TimeWindow(*window), TimeWindow(*window), number, is_pending=True))
    return sessions


def windows_of(sessions):
    return [tuple(session.window) for session in sessions]


def barriers_of(sessions):
    return [session.barrier for session in sessions]


def test_sessions_stand_in_the_order_of_their_starts():
    """However they come; each knows where the next one begins."""
    sessions = sessions_of((20, 30), (0, 10), (40, 50))
    assert windows_of(sessions) == [(0, 10), (20, 30), (40, 50)]
    assert barriers_of(sessions) == [20, 40, LONG_MAX]
    assert tuple(sessions.last().window) == (40, 50)


def test_a_window_touches_sessions_that_share_a_boundary_with_it():
    """As windows of Flink intersect."""
    sessions = sessions_of((0, 10), (20, 30), (40, 50))
    assert windows_of(sessions.touched_by(10, 20)) == [(0, 10), (20, 30)]
    assert windows_of(sessions.touched_by(11, 19)) == []
    assert windows_of(sessions.touched_by(-5, 100)) == [(0, 10), (20, 30), (40, 50)]


def test_sessions_that_become_one_are_the_first_of_them():
    """It covers all of them and the window that brought them together; its neighbours know."""
    sessions = sessions_of((-20, -10), (0, 10), (20, 30), (40, 50))
    united = sessions.unite(sessions.touched_by(-1, 20), -1, 20)
    assert windows_of(sessions) == [(-20, -10), (-1, 30), (40, 50)]
    assert barriers_of(sessions) == [-1, 40, LONG_MAX]
    assert (tuple(united.window), united.state_window, united.opens) == ((-1, 30), TimeWindow(0, 10), -1)


def test_a_session_that_is_over_goes():
    """The one before it ends at nothing then."""
    sessions = sessions_of((0, 10), (20, 30))
    sessions.remove(sessions.last())
    assert (windows_of(sessions), barriers_of(sessions), len(sessions)) == ([(0, 10)], [LONG_MAX], 1)
