"""The trace of an operator with windows, or of an interval join."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from windrow.common.checks import positive
from windrow.errors import ConfigurationError
from windrow.viz.drawing.frame import framed
from windrow.viz.drawing.picture import Picture
from windrow.viz.drawing.settings import Drawing, short
from windrow.viz.drawing.time_axis import duration
from windrow.viz.events import AnyEvent, OfKey
from windrow.viz.story import Story, stories
from windrow.viz.telling import told

#: So many keys are drawn where nobody says which.
_MOST_KEYS = 4


@dataclass(frozen=True)
class Trace:
    """The events of one operation in their order, subtask by subtask; plain data.

    ``str`` tells it in sentences; a notebook shows the picture.

    Attributes:
        name: The operation's name.
        events: What happened (:mod:`windrow.viz.events`).
        event_time: Whether windows are of event time; else they are of processing time.
        allowed_lateness: How long they wait for late elements, in milliseconds.
        interval: Of an interval join, its bounds in milliseconds; None: there are windows.
    """

    name: str
    events: tuple[AnyEvent, ...]
    event_time: bool = True
    allowed_lateness: int = 0
    interval: tuple[int, int] | None = None

    def keys(self) -> list[Any]:
        """The keys that elements came for, in the order in which they came first."""
        return [story.key for story in self.stories()]

    def stories(self) -> list[Story]:
        """The same by key: elements, the lives of windows, matches."""
        return stories(self.events)

    def of_key(self, key: Any) -> Trace:
        """Give the events of one key, and of the time that it saw.

        Raises:
            ConfigurationError: no element had it.
        """
        subtasks = {event.subtask for event in self.events if isinstance(event, OfKey) and event.key == key}
        if not subtasks:
            known = ", ".join(map(repr, self.keys()[:10])) or "none"
            msg = f"no element had the key {key!r}; there are: {known}"
            raise ConfigurationError(msg)
        mine = [
            event
            for event in self.events
            if event.subtask in subtasks and (not isinstance(event, OfKey) or event.key == key)
        ]
        return Trace(self.name, tuple(mine), self.event_time, self.allowed_lateness, self.interval)

    def draw(
        self,
        *keys: Any,
        title: str | None = None,
        label: Callable[[Any], str] = short,
        result: Callable[[Any], str] | None = None,
        arrival: Literal["order", "processing time"] = "order",
        width: int = 860,
    ) -> Picture:
        """Draw elements by their time and the order of their arrival, with what became of them.

        Args:
            keys: Which keys are drawn, below each other; without any, the first four.
            title: What stands above; None: the operation's name.
            label: What is written beside an element; an empty text writes nothing.
            result: What is written of a result where its window fires; None: as ``label`` has it for an element, if
                it can.
            arrival: What is shown upwards: the order of arrival, or processing time as well, where steps lie as far
                apart as it has moved in between.
            width: In pixels.

        Raises:
            ConfigurationError: ``arrival`` is something else; no element had one of the keys, or none came at all.
        """
        if arrival not in ("order", "processing time"):
            msg = f"arrival is 'order' or 'processing time'; got {arrival!r}"
            raise ConfigurationError(msg)
        by_name = {repr(story.key): story for story in self.stories()}
        for key in keys:
            if repr(key) not in by_name:
                self.of_key(key)  # says which there are
        if not by_name:
            msg = f"there is nothing to draw of {self.name!r}: no element has come"
            raise ConfigurationError(msg)
        chosen = [by_name[repr(key)] for key in keys] or list(by_name.values())[:_MOST_KEYS]
        more = "" if keys or len(by_name) <= _MOST_KEYS else f"the first {_MOST_KEYS} of {len(by_name)} keys"
        drawing = Drawing(
            self.name if title is None else title,
            ", ".join(filter(None, [self._what(), more])),
            self.event_time,
            self.allowed_lateness,
            self.interval,
            label,
            label if result is None else result,
            arrival == "processing time",
            float(positive(width, "width")),
        )
        return Picture(framed(chosen, drawing))

    def _what(self) -> str:
        if self.interval is not None:
            lower, upper = map(duration, self.interval)
            return f"a right element joins a left one that lies between {lower} and {upper} in front of it"
        return f"allowed lateness {duration(self.allowed_lateness)}" if self.allowed_lateness else ""

    def __str__(self) -> str:
        return told(self.events)

    def _repr_svg_(self) -> str:
        return self.draw().svg()
