"""The story of each key, from the events of a trace: its elements, the lives of its windows, its matches."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from windrow.datastream.window import Window
from windrow.viz.events import (
    Added,
    AnyEvent,
    Arrived,
    CleanedUp,
    Evicted,
    Expired,
    Fired,
    Matched,
    Merged,
    OfKey,
    OfWindow,
    Opened,
    ProcessingTimeAdvanced,
    Purged,
    Skipped,
    WatermarkAdvanced,
)


@dataclass
class Phase:
    """A part of a window's life in which its bounds were the same; the last one of a window that lives has no end."""

    window: Window
    begin: int
    end: int | None = None


@dataclass
class Life:
    """The life of a window: of a session all that it was before it grew, and the first of those that it was made of."""

    number: int
    phases: list[Phase]
    firings: list[Fired] = field(default_factory=list)
    #: Elements that an evictor removed, with the step in which it did.
    evicted: list[Evicted] = field(default_factory=list)
    purged: list[int] = field(default_factory=list)
    #: The step in which it was cleaned up.
    cleaned_up: int | None = None
    #: The session that it became a part of.
    merged_into: Life | None = None

    @property
    def window(self) -> Window:
        """The window with the bounds that it had in the end."""
        return self.phases[-1].window

    @property
    def begin(self) -> int:
        return self.phases[0].begin

    def end(self, step: int) -> None:
        """Let the life be over in this step."""
        self.phases[-1].end = step


@dataclass
class ElementLife:
    """An element, and what became of it."""

    arrived: Arrived
    lives: list[Life] = field(default_factory=list)
    #: Whether it was dropped, or sent to the side output, for being late.
    late: bool = False
    #: Whether no window took it, for another reason.
    in_no_window: bool = False
    #: The step in which a join has forgotten it.
    expired: int | None = None

    @property
    def behind(self) -> bool:
        """True if the watermark had passed the element when it came."""
        timestamp = self.arrived.timestamp
        return timestamp is not None and timestamp <= self.arrived.watermark


@dataclass
class Story:
    """All of one key."""

    key: Any
    subtask: int
    elements: dict[int, ElementLife] = field(default_factory=dict)
    lives: list[Life] = field(default_factory=list)
    matches: list[Matched] = field(default_factory=list)
    #: The watermarks, or the moments of processing time, that its subtask has seen, with their steps.
    watermarks: list[tuple[int, int]] = field(default_factory=list)
    processing_times: list[tuple[int, int]] = field(default_factory=list)
    #: The steps in which something happened to the key.
    steps: set[int] = field(default_factory=set)


def stories(events: Iterable[AnyEvent]) -> list[Story]:
    """The stories of all keys, in the order in which their first elements came.

    Example:
        >>> stories([Arrived(0, 0, "a", 0, "word", 5, -1, 0), WatermarkAdvanced(0, 1, 9)])[0].watermarks
        [(1, 9)]
    """
    events = list(events)
    found: dict[Any, _Teller] = {}
    for event in events:
        if isinstance(event, OfKey):
            name = repr(event.key)  # a key that a selector has given may be a list
            if name not in found:
                found[name] = _Teller(Story(event.key, event.subtask))
            found[name].tell(event)
    for event in events:
        if isinstance(event, WatermarkAdvanced | ProcessingTimeAdvanced):
            for teller in found.values():
                if teller.story.subtask == event.subtask:
                    teller.tell_time(event)
    return [teller.story for teller in found.values()]


class _Teller:
    """Puts together the story of a key."""

    def __init__(self, story: Story) -> None:
        self.story = story
        self._open: dict[Window, Life] = {}

    def tell(self, event: OfKey) -> None:
        story = self.story
        story.steps.add(event.step)
        match event:
            case Arrived():
                story.elements[event.element] = ElementLife(event)
            case Skipped():
                element = story.elements[event.element]
                element.late, element.in_no_window = event.late, not event.late
            case Matched():
                story.matches.append(event)
            case Expired():
                story.elements[event.element].expired = event.step
            case OfWindow():
                self._tell_of_window(event)

    def tell_time(self, event: WatermarkAdvanced | ProcessingTimeAdvanced) -> None:
        if isinstance(event, WatermarkAdvanced):
            self.story.watermarks.append((event.step, event.watermark))
        else:
            self.story.processing_times.append((event.step, event.processing_time))

    def _tell_of_window(self, event: OfWindow) -> None:
        match event:
            case Opened():
                life = Life(len(self.story.lives), [Phase(event.window, event.step)])
                self.story.lives.append(life)
                self._open[event.window] = life
            case Merged():
                self._merge(event)
            case Added():
                self.story.elements[event.element].lives.append(self._open[event.window])
            case Fired():
                self._open[event.window].firings.append(event)
            case Evicted():
                self._open[event.window].evicted.append(event)
            case Purged():
                self._open[event.window].purged.append(event.step)
            case CleanedUp():
                life = self._open.pop(event.window)
                life.cleaned_up = event.step
                life.end(event.step)

    def _merge(self, event: Merged) -> None:
        """The first of the windows goes on as what they have become."""
        first, *others = [self._open.pop(source) for source in event.sources]
        first.end(event.step)
        first.phases.append(Phase(event.window, event.step))
        self._open[event.window] = first
        for other in others:
            other.end(event.step)
            other.merged_into = first
