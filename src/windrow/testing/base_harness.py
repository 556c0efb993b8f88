"""The base of harnesses: time, what came out, what is stored."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable
from typing import Any, NamedTuple

from windrow.common.limits import NO_TIMESTAMP
from windrow.datastream.functions import KeySelector
from windrow.datastream.output_tag import OutputTag
from windrow.elements.batch import Batch
from windrow.elements.codec import dumps, loads
from windrow.operators.base import Operator, OperatorContext, Time
from windrow.operators.runtime_context import OperatorRuntimeContext
from windrow.state.keyed import KeyedState
from windrow.state.keys import comparable_key, key_of_user
from windrow.testing.outputs import OutputItem, Record, RecordingOutput


class StateEntry(NamedTuple):
    """One stored value: whose it is, what it is called, and the window it belongs to (None: to no window)."""

    key: Any
    name: str
    namespace: Hashable
    value: Any


class HarnessBase:
    """Holds one open operator; subclasses push elements and watermarks into it.

    Args:
        operator: the operator.
        name: its name in error messages.
        snapshot: state to begin with, from :meth:`snapshot` of another harness.
    """

    def __init__(self, operator: Operator, name: str, snapshot: bytes | None) -> None:
        self._operator = operator
        self._state = KeyedState()
        self._output = RecordingOutput()
        runtime_context = OperatorRuntimeContext(task_name=name)
        runtime_context.state = self._state
        self._context = OperatorContext(name, self._output, Time(), self._state, runtime_context)
        self._operator.open(self._context)
        if snapshot is not None:
            self._restore(snapshot)

    # Input

    def set_processing_time(self, now: int) -> None:
        """Move processing time to ``now`` (milliseconds) and run the timers that are due."""
        self._context.time.processing_time = now
        self._operator.advance_processing_time(now)

    def close(self) -> None:
        """Close the operator and its user functions."""
        self._operator.close()

    # Output

    @property
    def output(self) -> list[OutputItem]:
        """Records, watermarks and status of the main output, in the order in which they were emitted."""
        return self._output.items

    def take_output(self) -> list[OutputItem]:
        """The main output since the last call; it is forgotten here."""
        taken, self._output.items = self._output.items, []
        return taken

    def records(self) -> list[Record]:
        """The records of :attr:`output`."""
        return [item for item in self.output if isinstance(item, Record)]

    def values(self) -> list[Any]:
        """The values of :meth:`records`."""
        return [record.value for record in self.records()]

    def side_output(self, tag: OutputTag | str) -> list[Record]:
        """All records of a side output, by its tag or the tag's id."""
        return self._output.sides.get(tag.tag_id if isinstance(tag, OutputTag) else tag, [])

    @property
    def counters(self) -> Counter[str]:
        """The operator's counts, ``num_late_records_dropped`` for example."""
        return self._context.counters

    # State

    def state_entries(self) -> list[StateEntry]:
        """Everything that is stored, of all keys."""
        self._operator.store_state()
        return [
            StateEntry(key_of_user(key), name, namespace, value)
            for key, entry in self._state.entries()
            for (name, namespace), value in entry.items()
        ]

    def num_state_entries(self) -> int:
        """Count the values that are stored, of all keys."""
        return len(self.state_entries())

    def event_timers(self) -> list[tuple[int, Any, Hashable]]:
        """Pending event-time timers, as ``(time, key, namespace)`` in firing order."""
        self._operator.store_state()
        return [(time, key_of_user(key), namespace) for time, key, namespace in self._state.event_timers]

    def num_event_timers(self) -> int:
        """Count the event-time timers that are pending."""
        return len(self.event_timers())

    def processing_timers(self) -> list[tuple[int, Any, Hashable]]:
        """Pending processing-time timers, as ``(time, key, namespace)`` in firing order."""
        self._operator.store_state()
        return [(time, key_of_user(key), namespace) for time, key, namespace in self._state.processing_timers]

    def num_processing_timers(self) -> int:
        """Count the processing-time timers that are pending."""
        return len(self.processing_timers())

    def snapshot(self) -> bytes:
        """State and timers, for a new harness; what the operator does afterwards does not change them."""
        self._operator.store_state()
        state = self._state
        entries = [(key, entry) for key, entry in state.entries()]
        return dumps((entries, list(state.event_timers), list(state.processing_timers), self._operator.snapshot()))

    def _restore(self, snapshot: bytes) -> None:
        entries, event_timers, processing_timers, operator_snapshot = loads(snapshot)
        for key, entry in entries:
            self._state.set_current_key(key)
            self._state.entry.update(entry)
        for timer in event_timers:
            self._state.event_timers.register(*timer)
        for timer in processing_timers:
            self._state.processing_timers.register(*timer)
        if operator_snapshot is not None:
            self._operator.restore(operator_snapshot)

    def _advance_watermark(self, timestamp: int) -> None:
        """The operator's watermark becomes ``timestamp``; it goes out behind the results that it releases."""
        self._context.time.watermark = timestamp
        self._operator.process_watermark(timestamp)
        if self._operator.forwards_time:
            self._output.emit_watermark(timestamp)

    def _change_status(self, *, idle: bool) -> None:
        self._operator.process_status(idle=idle)
        if self._operator.forwards_time:
            self._output.emit_status(idle=idle)


def key_function(key_selector: KeySelector | Callable[[Any], Any] | None) -> Callable[[Any], Any] | None:
    """Find what gives an element's key; None if there are no keys."""
    return key_selector.get_key if isinstance(key_selector, KeySelector) else key_selector


def batch_of(elements: Iterable[tuple[Any, int | None]], key_of: Callable[[Any], Any] | None) -> Batch:
    """Pairs of ``(value, timestamp)`` as an operator takes them."""
    pairs = list(elements)
    values = [value for value, _ in pairs]
    timestamps = [NO_TIMESTAMP if timestamp is None else timestamp for _, timestamp in pairs]
    keys = None if key_of is None else [comparable_key(key_of(value)) for value in values]
    return Batch(values, timestamps, keys)
