"""Timers in the order of their times, then of their registration."""

from windrow.state.keyed import KeyedState, TimerQueue


def test_a_timer_that_is_put_back_stands_where_it_stood():
    """Taking it out and putting it back with its number changes no order."""
    timers = TimerQueue()
    for key in "abc":
        timers.register(5, key, None)
    sequence = timers.take(5, "b", None)
    assert sequence is not None
    timers.register(5, "d", None)
    timers.put_back(5, "b", None, sequence)
    assert [timer[1] for timer in timers] == ["a", "b", "c", "d"]
    assert [timers.pop_due(5)[1] for _ in range(4)] == ["a", "b", "c", "d"]


def test_there_is_nothing_to_take_of_a_timer_that_is_not_there():
    """It says so by None."""
    assert TimerQueue().take(5, "a", None) is None


def test_a_timer_that_is_looked_at_stays():
    """The earliest one up to a limit, of any key."""
    state = KeyedState()
    state.event_timers.register(7, "b", "x")
    state.event_timers.register(5, "a", "y")
    assert state.due_event_timer(4) is None
    assert state.due_event_timer(6) == state.due_event_timer(6) == (5, "a", "y")
    assert len(state.event_timers) == 2


def test_timers_that_were_deleted_or_are_not_due_do_not_come_out():
    """Neither one by one nor all at once; one that was registered anew stands behind the others."""
    for pops in (True, False):
        timers = TimerQueue()
        for key in "abcd":
            timers.register(5, key, None)
        timers.register(6, "late", None)
        timers.delete(5, "a", None)
        timers.delete(5, "c", None)
        timers.register(5, "a", None)
        found = [timers.pop_due(5) for _ in range(4)] if pops else [*timers.take_due(5), None]
        assert found == [(5, "b", None), (5, "d", None), (5, "a", None), None]
        assert list(timers) == [(6, "late", None)]
