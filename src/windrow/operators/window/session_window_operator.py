"""Sessions of event time with the default trigger, many elements at a time.

The meaning is :class:`~windrow.operators.window.window_operator.WindowOperator`'s for an assigner that
:func:`is_session` accepts, the default trigger (purging or not) and no evictor. Then most elements make the session of
their key longer and do no more: no trigger has to be asked, no timer moved, and no set of windows written.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from heapq import heappop, heappush
from operator import attrgetter
from typing import Any, TypeAlias, TypeGuard

from windrow.common.copies import copied
from windrow.common.limits import LONG_MAX, NO_TIMESTAMP
from windrow.datastream.window import (
    DynamicEventTimeSessionWindows,
    EventTimeSessionWindows,
    EventTimeTrigger,
    TimeWindow,
)
from windrow.elements.batch import Batch
from windrow.errors import MissingTimestampError, WindrowError, user_function_error
from windrow.operators.base import OperatorContext
from windrow.operators.waiting import Waiting
from windrow.operators.window.contents import CONTENTS, IncrementalContents, WindowContents
from windrow.operators.window.merging_window_set import MERGING_WINDOWS
from windrow.operators.window.session import HeldSession, KeySessions, Session, SessionPart
from windrow.operators.window.skipped import LateTag, handle_skipped
from windrow.operators.window.window_functions import InternalWindowFunction
from windrow.operators.window.window_operator import WindowOperator

SessionAssigner: TypeAlias = EventTimeSessionWindows | DynamicEventTimeSessionWindows

#: No element's timestamp is as large and makes no session end below the end of time.
_NEVER = LONG_MAX
_END_OF = attrgetter("end")


def is_session(assigner: object) -> TypeGuard[SessionAssigner]:
    """Tell whether :class:`SessionWindowOperator` knows how windows of ``assigner`` merge.

    >>> is_session(EventTimeSessionWindows.with_gap(1000))
    True
    """
    return type(assigner) in (EventTimeSessionWindows, DynamicEventTimeSessionWindows)


class SessionWindowOperator(WindowOperator):
    """Sessions by key, in objects that grow.

    They are a cache over keyed state: a key's sessions are in its state entry until its first element comes or one of
    its timers is due, then in the cache until :meth:`store_state`, which leaves what the general operator would have
    left: either goes on where the other one stopped. A session in the cache has no timers but one place in a queue of
    the operator's own, for a time at most that of its next timer: where it has grown since, it goes back.

    Args:
        assigner: Sessions of event time.
        contents: How elements are kept until their session fires; its functions must not use keyed state.
        function: What is called with the contents of a session that fires; None emits the contents themselves.
        allowed_lateness: For how many milliseconds after its end a session is kept.
        late_tag: The side output of elements that are too late; None counts them instead.
        purging: Whether a session that fires is emptied, as by ``PurgingTrigger.of(EventTimeTrigger.create())``.
    """

    def __init__(
        self,
        assigner: SessionAssigner,
        contents: WindowContents,
        function: InternalWindowFunction | None = None,
        allowed_lateness: int = 0,
        late_tag: LateTag | None = None,
        *,
        purging: bool = False,
    ) -> None:
        super().__init__(assigner, EventTimeTrigger.create(), contents, function, allowed_lateness, late_tag)
        self._purging = purging
        self._sessions = assigner
        #: The gap behind every element, or the function that says it of an element.
        self._gap = assigner.session_gap if isinstance(assigner, EventTimeSessionWindows) else 0
        self._gap_after = None if isinstance(assigner, EventTimeSessionWindows) else assigner.gap_after
        # By key the session that was touched last; a key that is not here has all it has in keyed state.
        self._latest: dict[Any, Session] = {}
        self._queue: list[tuple[int, int, Session]] = []

    def open(self, context: OperatorContext) -> None:
        super().open(context)
        self._timers = context.state.event_timers

    def process_element(self, value: Any, timestamp: int) -> None:
        self.process_batch(Batch([value], [timestamp], [self.context.state.current_key]))

    def process_batch(self, batch: Batch) -> None:
        if batch.keys is None:
            super().process_batch(batch)
            return
        if len(batch) and type(batch.elements[0]) is SessionPart:  # then all are
            self._add_parts(batch.keys, batch)
            return
        gap, gap_after, add = self._gap, self._gap_after, self._add
        latest_of, next_sequence = self._latest.get, self._timers.next_sequence
        start, grow = self._contents.start, self._contents.grow
        value = None
        try:
            for key, value, timestamp in zip(batch.keys, batch.elements, batch.timestamp_list(), strict=True):
                if gap_after is not None:
                    if timestamp == NO_TIMESTAMP:
                        raise MissingTimestampError(self.context.name, value)
                    gap = gap_after(value)
                end = timestamp + gap
                session = latest_of(key)
                if session is None or end >= session.barrier or not session.opens <= timestamp <= session.end:
                    add(key, value, timestamp, end)
                    continue
                if end > session.end:
                    session.end = end
                    session.sequence = next_sequence()
                contents = session.contents
                session.contents = start(value) if contents is None else grow(contents, value)
        except WindrowError:
            raise
        except BaseException as error:
            raise user_function_error(self.context.name, value, error) from error

    def _add_parts(self, keys: Iterable[Any], batch: Batch) -> None:
        value, contents = None, self._contents
        if batch.elements[0].is_local and isinstance(contents, IncrementalContents):  # then all are
            self._contents = contents.of_local()
        try:
            for key, (value, reach, _), timestamp in zip(keys, batch.elements, batch.timestamp_list(), strict=True):
                self._add(key, value, timestamp, timestamp + reach + self._gap)
        except WindrowError:
            raise
        except BaseException as error:
            raise user_function_error(self.context.name, value, error) from error
        finally:
            self._contents = contents

    def next_due(self) -> int | None:
        """Give the time when the next session fires; None: there is none. Sessions must not wait for late elements."""
        ends = [session.end - 1 for session in self.held() if session.is_pending]
        timer = self.context.state.next_event_time()
        return min(ends if timer is None else [timer, *ends], default=None)

    def waiting(self) -> Waiting | None:
        pending = [session for session in self.held() if session.is_pending]
        first = min(pending, key=_END_OF, default=None)
        timer = self.context.state.next_event_time()
        if first is None or (timer is not None and timer < first.end - 1):
            return Waiting.at(timer)
        return Waiting(first.end - 1, first.start, first.end)

    def follows_sorted_time(self) -> bool:
        return self._function is None or not self._function.sees_watermark

    def process_watermark(self, timestamp: int) -> None:
        self.fetch_due(timestamp)
        queue = self._queue
        while queue and queue[0][0] <= timestamp:
            time, sequence, session = heappop(queue)
            if session.scheduled != time:
                continue
            session.scheduled = next_time = self._next_time(session)
            if next_time is None:
                continue
            if next_time != time or session.sequence != sequence:
                heappush(queue, (next_time, session.sequence, session))
                continue
            try:
                self._on_session_timer(session, time)
            except WindrowError:
                raise
            except BaseException as error:
                raise user_function_error(self.context.name, (session.key, session.window), error) from error

    def store_state(self) -> None:
        state, timers = self.context.state, self._timers
        for latest in self._latest.values():
            entry = state.entry_of(latest.key)
            windows: dict[TimeWindow, TimeWindow] = {}
            entry[(MERGING_WINDOWS, None)] = windows
            for session in latest.sessions:
                window = session.window
                windows[window] = session.state_window
                if session.contents is not None:
                    entry[(CONTENTS, session.state_window)] = session.contents
                if session.is_pending:
                    timers.put_back(session.end - 1, session.key, window, session.sequence)
                cleanup_time = self._cleanup_time(window)
                if cleanup_time < LONG_MAX and not (session.is_pending and cleanup_time == session.end - 1):
                    timers.put_back(cleanup_time, session.key, window, session.cleanup_sequence)
        self._latest.clear()
        self._queue.clear()

    @property
    def assigner(self) -> SessionAssigner:
        """The assigner, which says how far apart sessions are."""
        return self._sessions

    @property
    def function(self) -> InternalWindowFunction | None:
        """The function that is called with the contents of a session that fires; None: they are emitted themselves."""
        return self._function

    @property
    def allowed_lateness(self) -> int:
        """For how many milliseconds after its end a session is kept."""
        return self._cleanup_delay

    @property
    def wants_late(self) -> bool:
        """True if elements that are too late go to a side output; else they are counted."""
        return self._late_tag is not None

    def holds_any(self) -> bool:
        """Tell whether any session is in the cache."""
        return bool(self._latest)

    def held(self) -> Iterator[Session]:
        """The sessions in the cache, by key in the order in which keys came to be there."""
        for latest in self._latest.values():
            yield from latest.sessions

    def give_turn(self, session: Session, sequence: int) -> None:
        """Have a session fire at another turn among those that end together."""
        session.sequence, session.scheduled = sequence, None
        self._schedule(session)

    def touched_last(self, key: Any) -> Session | None:
        """The session of a key that was touched last; None if the cache has none."""
        return self._latest.get(key)

    def fetch(self, keys: Iterable[Any]) -> None:
        """Bring what keyed state has of these keys into the cache."""
        for key in keys:
            if key not in self._latest:
                self._load(key)

    def fetch_due(self, watermark: int) -> None:
        """Bring what keyed state has of keys with a timer up to ``watermark`` into the cache."""
        while (timer := self.context.state.due_event_timer(watermark)) is not None:
            self.fetch([timer[1]])
            # A timer that is still there belongs to no session: a trigger of another program has left it behind.
            self._timers.delete(*timer)

    def let_go(self) -> None:
        """Forget what is in the cache: somebody else holds it now."""
        self._latest.clear()
        self._queue.clear()

    def take_over(self, key: Any, held: Iterable[HeldSession]) -> None:
        """Hold sessions of a key of which the cache has none."""
        # Pages have keys in the order in which they were first asked for.
        self.context.state.entry_of(key)
        sessions = KeySessions(key)
        for window, sequence, is_pending, contents in held:
            self._hold(Session(sessions, window, window, sequence, is_pending=is_pending), contents)

    def skip(self, value: Any, timestamp: int) -> None:
        """Handle an element that is too late."""
        late = min(timestamp + self._cleanup_delay, LONG_MAX) <= self.context.time.watermark
        handle_skipped(self.context, self._late_tag, value, timestamp, late=late, in_no_window=False)

    def _hold(self, session: Session, contents: Any) -> None:
        session.contents = contents
        if not session.is_pending:
            session.opens = _NEVER
        session.sessions.add(session)
        self._latest[session.key] = session
        self._schedule(session)

    def _add(self, key: Any, value: Any, timestamp: int, end: int) -> None:
        """Add an element to a session of which more has to be known than that it grows."""
        if timestamp == NO_TIMESTAMP:
            raise MissingTimestampError(self.context.name, value)
        window = TimeWindow(timestamp, min(end, LONG_MAX))
        watermark = self.context.time.watermark
        latest = self._latest.get(key)
        sessions = self._load(key) if latest is None else latest.sessions
        # At the end of time every element is late, however long sessions wait for late ones.
        touched = [] if watermark == LONG_MAX else sessions.touched_by(window.start, window.end)
        if touched:
            session = self._extend(sessions, touched, window, watermark)
        elif self._cleanup_time(window) <= watermark:
            self.skip(value, timestamp)
            return
        else:
            is_pending = window.end - 1 > watermark
            session = Session(sessions, window, window, self._timers.next_sequence(), is_pending=is_pending)
            sessions.add(session)
        self._latest[key] = session
        contents = session.contents
        grown = self._contents.start(value) if contents is None else self._contents.grow(contents, value)
        session.contents = grown
        if not session.is_pending:
            session.opens = _NEVER
            self._fire_session(session, is_kept=True)
        self._schedule(session)

    def _extend(self, sessions: KeySessions, touched: list[Session], window: TimeWindow, watermark: int) -> Session:
        """The session that a window and the sessions that it touches are together."""
        session = touched[0]
        before = session.start, session.end
        if len(touched) > 1:
            session.contents = self._contents.merged(session.contents, [other.contents for other in touched[1:]])
        if len(touched) > 1 or window.start < session.start or window.end > session.end:
            sessions.unite(touched, window.start, window.end)
        is_open = session.end - 1 > watermark
        is_as_before = (session.start, session.end) == before
        if not is_as_before or is_open != session.is_pending:
            cleanup_sequence, session.sequence = session.cleanup_sequence, self._timers.next_sequence()
            # Of a window that stays only the timer at which it fires is new: the watermark has gone back.
            session.restored = (session.sequence, cleanup_sequence) if is_as_before else None
            session.is_pending = is_open
            session.opens = session.start
        return session

    def _load(self, key: Any) -> KeySessions:
        """Move what keyed state has of ``key`` into the cache."""
        state, timers = self.context.state, self._timers
        state.set_current_key(key)
        entry = state.entry
        sessions = KeySessions(key)
        for window, state_window in entry.pop((MERGING_WINDOWS, None), {}).items():
            fires = timers.take(window.end - 1, key, window)
            ends = timers.take(self._cleanup_time(window), key, window)
            sequence = fires if fires is not None else ends if ends is not None else timers.next_sequence()
            session = Session(sessions, window, state_window, sequence, is_pending=fires is not None)
            if fires is not None and ends is not None:
                session.restored = fires, ends
            self._hold(session, entry.pop((CONTENTS, state_window), None))
        return sessions

    def _next_time(self, session: Session) -> int | None:
        """Give the time when the session fires or is over; None if it stays until the end of time."""
        if session.is_pending:
            return session.end - 1
        cleanup_time = session.end - 1 + self._cleanup_delay
        return cleanup_time if cleanup_time < LONG_MAX else None

    def _schedule(self, session: Session) -> None:
        time = self._next_time(session)
        if time is not None and (session.scheduled is None or time < session.scheduled):
            session.scheduled = time
            heappush(self._queue, (time, session.sequence, session))

    def _on_session_timer(self, session: Session, time: int) -> None:
        is_over = time == session.end - 1 + self._cleanup_delay
        if session.is_pending:
            session.is_pending = False
            session.opens = _NEVER
            session.sequence = session.cleanup_sequence
            self._fire_session(session, is_kept=not is_over)
        session.scheduled = None
        if is_over:
            self._end(session)
        else:
            self._schedule(session)

    def _fire_session(self, session: Session, *, is_kept: bool) -> None:
        contents = self._contents.shown(session.contents)
        if self._purging:
            session.contents, is_kept = None, False
        if contents is None:
            return
        if self._function is not None:
            self.context.state.set_current_key(session.key)
        self._emit(session.window, copied(contents) if is_kept and not self.context.object_reuse else contents)

    def _end(self, session: Session) -> None:
        """Forget a session that is over."""
        sessions = session.sessions
        sessions.remove(session)
        if sessions:
            self._latest[session.key] = sessions.last()
        else:
            del self._latest[session.key]
        if self._function is not None:
            self.context.state.set_current_key(session.key)
            self._window_context.current = session.window
            self._function.clear(self._window_context)
