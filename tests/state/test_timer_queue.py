"""Timers in the order of their times, then of their registration."""

from hypothesis import given, settings
from hypothesis import strategies as st

from windrow.state.keyed import KeyedState
from windrow.state.timer_queue import TimerQueue


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


def test_what_is_done_in_the_middle_of_firing_counts():
    """A timer that is registered anew stands behind all others, and one that is put back where it stood."""
    timers = TimerQueue()
    for key in "abcd":
        timers.register(5, key, None)
    sequence = timers.take(5, "c", None)
    assert timers.pop_due(5) == (5, "a", None)
    timers.delete(5, "b", None)
    timers.register(5, "e", None)
    timers.register(5, "b", None)
    timers.put_back(5, "c", None, sequence)
    assert [timers.pop_due(5)[1] for _ in range(2)] == ["c", "d"]
    timers.delete(5, "e", None)
    timers.register(5, "e", None)
    assert [timers.pop_due(5)[1] for _ in range(2)] == ["b", "e"]


class Model:
    """The same, as a list of all timers that is sorted whenever one is asked for."""

    def __init__(self):
        self.live = {}
        self.next = 0
        self.closed = False

    def register(self, *timer):
        if timer not in self.live and not self.closed:
            self.live[timer] = self.next
            self.next += 1

    def register_each(self, time, keys, namespace):
        for key in keys:
            self.register(time, key, namespace)

    def take(self, *timer):
        return self.live.pop(timer, None)

    def delete(self, *timer):
        self.live.pop(timer, None)

    def has(self, *timer):
        return timer in self.live

    def put_back(self, *timer_and_number):
        self.live[timer_and_number[:3]] = timer_and_number[3]

    def __iter__(self):
        return iter(sorted(self.live, key=lambda timer: (timer[0], self.live[timer])))

    def __len__(self):
        return len(self.live)

    def by_key(self):
        found = {}
        for time, key, namespace in self:
            found.setdefault(key, []).append((time, namespace))
        return found

    def next_time(self):
        return next(iter(self), [None])[0]

    def next_due(self, limit):
        return next((timer for timer in self if timer[0] <= limit), None)

    def pop_due(self, limit):
        timer = self.next_due(limit)
        self.live.pop(timer, None)
        return timer

    def take_due(self, limit):
        due = [timer for timer in self if timer[0] <= limit]
        for timer in due:
            del self.live[timer]
        return due

    def clear(self):
        self.live.clear()


times = st.integers(0, 1)
keys = st.sampled_from(["a", None, ("a", "x")])
timers_of = st.tuples(times, keys, st.sampled_from([None, "x"]))
calls = st.lists(
    st.one_of(
        st.tuples(st.just("register"), timers_of),
        st.tuples(st.sampled_from(["delete", "has", "take"]), timers_of),
        st.tuples(st.just("take_out"), timers_of),
        st.tuples(st.just("put_back"), st.just(())),
        st.tuples(st.just("register_each"), st.tuples(times, st.lists(keys, max_size=3), st.sampled_from([None, "x"]))),
        st.tuples(st.sampled_from(["pop_due", "pop_due", "next_due", "take_due"]), st.tuples(times)),
        st.tuples(st.just("next_time"), st.just(())),
        st.tuples(st.just("closed"), st.tuples(st.booleans())),
        st.tuples(st.just("clear"), st.just(())),
    ),
    max_size=40,
)


@settings(max_examples=600)
@given(calls)
def test_it_is_a_sorted_list(script):
    """Whatever is done to it, in the middle of firing as well, it gives what sorting all timers each time would."""
    queue, model = TimerQueue(), Model()
    out = []
    for name, arguments in script:
        if name == "closed":
            queue.closed = model.closed = arguments[0]
        elif name == "take_out":  # as an operator does that keeps timers of its own for a while
            number = queue.take(*arguments)
            assert number == model.take(*arguments)
            out += [] if number is None else [(*arguments, number)]
        elif name == "put_back":
            for numbered in out:
                queue.put_back(*numbered)
                model.put_back(*numbered)
            out.clear()
        else:
            assert getattr(queue, name)(*arguments) == getattr(model, name)(*arguments), (name, arguments)
        assert list(queue) == list(model)
        assert len(queue) == len(model)
        assert dict(queue.by_key()) == model.by_key()


changes = st.lists(
    st.one_of(
        st.tuples(st.sampled_from(["register", "register", "delete"]), timers_of),
        st.tuples(st.just("take_out"), timers_of),
        st.tuples(st.sampled_from(["put_back", "next_time"]), st.just(())),
    ),
    max_size=4,
)


@settings(max_examples=600)
@given(first=st.lists(timers_of, max_size=8), between=st.lists(changes, max_size=8))
def test_firing_gives_what_taking_out_the_earliest_each_time_would(first, between):
    """Whatever comes and goes between two timers."""
    queue, model = TimerQueue(), Model()
    for timer in first:
        queue.register(*timer)
        model.register(*timer)
    firing, out, script = queue.firing(1), [], iter(between)
    while (timer := model.pop_due(1)) is not None:
        assert next(firing)[:3] == timer
        for name, arguments in next(script, ()):
            if name == "take_out":
                number = queue.take(*arguments)
                assert number == model.take(*arguments)
                out += [] if number is None else [(*arguments, number)]
            elif name == "put_back":
                for numbered in out:
                    queue.put_back(*numbered)
                    model.put_back(*numbered)
                out.clear()
            else:
                assert getattr(queue, name)(*arguments) == getattr(model, name)(*arguments)
        assert list(queue) == list(model)
    assert next(firing, None) is None


def test_what_was_deleted_takes_no_room():
    """A timer that is moved on by each element leaves no bucket behind."""
    timers = TimerQueue()
    for time in range(1000):
        timers.register(time, "a", None)
        timers.delete(time, "a", None)
    timers.put_back(7, "a", None, 5)
    timers.register(7, "b", None)
    assert timers.pop_due(7) == (7, "a", None)
    timers.delete(7, "b", None)
    assert [len(held) for held in (timers.buckets, timers._order, timers._unordered)] == [0, 0, 0]
    assert timers.next_time() is None
