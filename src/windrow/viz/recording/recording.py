"""Takes the trace of an operator: makes it one that is under observation."""

from __future__ import annotations

from itertools import count
from typing import Any, TypeAlias

from windrow.datastream.window import GlobalWindows
from windrow.errors import UsageError
from windrow.operators.base import Operator, TwoInputOperator
from windrow.operators.interval_join import Interval
from windrow.operators.window.spec import WindowSpec
from windrow.viz.events import Arrived
from windrow.viz.recording.join_twin import JoinTwin
from windrow.viz.recording.observed import ObservedOperator
from windrow.viz.recording.recorder import Recorder
from windrow.viz.recording.twin import Twin
from windrow.viz.recording.window_twin import WindowTwin
from windrow.viz.trace import Trace

#: What an operator does that can be recorded.
Recordable: TypeAlias = WindowSpec | Interval


class Recording:
    """The record of what happens to one operation, in all of its subtasks.

    Hand it to a harness, or let :func:`windrow.viz.trace` do all of it for a stream.

    Example:
        >>> from windrow.datastream.window import EventTimeSessionWindows
        >>> from windrow.testing import window_harness
        >>> recording = Recording()
        >>> sessions = EventTimeSessionWindows.with_gap(10)
        >>> harness = window_harness(sessions, key=lambda word: word[0], reduce=lambda a, b: a + b, recording=recording)
        >>> harness.process_elements([("ab", 0), ("ac", 15), ("ad", 8)])
        >>> harness.process_watermark(30)
        >>> print(recording.trace())
        0: 'ab' at 0 of 'a' comes
           window [0, 10) opens
        1: 'ac' at 15 of 'a' comes
           window [15, 25) opens
        2: 'ad' at 8 of 'a' comes
           [0, 10) and [15, 25) become [0, 25)
        3: the watermark is 30
           [0, 25) of 'a' fires, with 'ab', 'ac' and 'ad': 'abacad'
           [0, 25) is over
    """

    def __init__(self) -> None:
        self._numbers = count()
        self._recorders: list[Recorder] = []
        self._what: Recordable | None = None
        self._name = "operator"

    @staticmethod
    def of(what: Recordable, name: str) -> Recording:
        """The recording of an operation that may never begin: its trace is empty then."""
        recording = Recording()
        recording._what, recording._name = what, name
        return recording

    def observed(self, operator: Operator, what: Recordable, name: str) -> TwoInputOperator:
        """The operator, under observation; called once for each of its subtasks.

        Args:
            operator: It does ``what``, and has not been opened.
            what: The windows, or the interval of a join.
            name: The operation's name.

        Raises:
            UsageError: another operation is recorded here.
        """
        if self._what not in (None, what):
            msg = f"a recording is of one operation, and this one has {self._name!r}; make another for {name!r}"
            raise UsageError(msg)
        self._what, self._name = what, name
        recorder = Recorder(self._numbers)
        self._recorders.append(recorder)
        twin: Twin = WindowTwin(what, recorder) if isinstance(what, WindowSpec) else JoinTwin(what, recorder)
        return ObservedOperator(operator, twin, recorder)

    def trace(self) -> Trace:
        """Make a trace of what has happened by now.

        Raises:
            UsageError: no operator was recorded.
        """
        if self._what is None:
            msg = "nothing was recorded: give the recording to a harness, window_harness(..., recording=recording)"
            raise UsageError(msg)
        events: list[Any] = []
        for recorder in sorted(self._recorders, key=lambda recorder: recorder.subtask):
            events += recorder.events
        if isinstance(self._what, WindowSpec):
            # Global windows are of no time: where elements have timestamps these say where they are.
            has_timestamps = any(isinstance(event, Arrived) and event.timestamp is not None for event in events)
            event_time = self._what.assigner.is_event_time() or (
                isinstance(self._what.assigner, GlobalWindows) and has_timestamps
            )
            return Trace(self._name, tuple(events), event_time=event_time, allowed_lateness=self._what.allowed_lateness)
        return Trace(self._name, tuple(events), interval=(self._what.lower, self._what.upper))
