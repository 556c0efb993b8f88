"""A program and its input as plain data: what the oracle reads, and what is built for the operators and runtimes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

LONG_MIN = -(2**63)
LONG_MAX = 2**63 - 1

T = TypeVar("T")
#: Chooses a number between two bounds, both included: hypothesis, or a random generator with a seed.
Choose = Callable[[int, int], int]


class Element(NamedTuple):
    """An element of the input; ``timestamp`` None means that it has none."""

    key: int | str
    id: int
    x: int
    timestamp: int | None


class Watermark(NamedTuple):
    time: int


class Status(NamedTuple):
    """A channel becomes idle or active."""

    idle: bool


class Restart(NamedTuple):
    """The operator is thrown away and made anew from its state, at watermark -2^63, as Flink's harness does it."""


Event = Element | Watermark | Status | Restart


class Sliding(NamedTuple):
    """Windows of ``size`` of which one begins every ``slide``; tumbling ones if the two are equal."""

    size: int
    slide: int
    offset: int


class Session(NamedTuple):
    """Sessions; ``gap`` None means that each element has its own, :func:`gap_of`."""

    gap: int | None


class Global(NamedTuple):
    """The one window of all elements."""


class Trigger(NamedTuple):
    """``event_time``, ``count`` or ``continuous``; ``number`` is the count or the interval."""

    kind: str
    number: int = 0
    purging: bool = False


class Evictor(NamedTuple):
    """``count``, ``time`` or ``delta`` with its number, before or after the window function."""

    kind: str
    number: int
    after: bool


_EVENT_TIME = Trigger("event_time")


@dataclass(frozen=True)
class Program:
    """One window operation on a keyed stream."""

    windows: Sliding | Session | Global
    trigger: Trigger = _EVENT_TIME
    evictor: Evictor | None = None
    #: See ``FUNCTIONS``.
    function: str = "process"
    lateness: int = 0
    side_output: bool = False


#: What is done with a window's elements. ``numbered`` counts, in the window's own state, how often it fired.
FUNCTIONS = ("reduce", "aggregate", "process", "apply", "reduce+process", "aggregate+process", "numbered")
INCREMENTAL = ("reduce", "aggregate", "reduce+process", "aggregate+process")


def gap_of(x: int) -> int:
    """The session gap of an element, where each has its own."""
    return 1 + 3 * abs(x)


def pick(choose: Choose, options: Sequence[T]) -> T:
    """One of the options."""
    return options[choose(0, len(options) - 1)]


def make_program(choose: Choose) -> Program:
    """Any program; two in seven are such that the operator for aligned windows takes them."""
    kind = pick(choose, ("tumbling", "sliding", "session", "dynamic", "global", "aligned", "aligned"))
    if kind == "aligned":
        return Program(
            _sliding(choose, tumbling=choose(0, 1) == 0),
            Trigger("event_time", purging=choose(0, 3) == 3),
            function=pick(choose, INCREMENTAL),
            lateness=pick(choose, (0, 0, 3, 8, 20, LONG_MAX)),
            side_output=choose(0, 1) == 1,
        )
    windows: Sliding | Session | Global
    if kind == "global":
        windows = Global()
    elif kind == "session":
        windows = Session(choose(1, 12))
    elif kind == "dynamic":
        windows = Session(None)
    else:
        windows = _sliding(choose, tumbling=kind == "tumbling")
    # A continuous trigger on the global window would fire until the end of time.
    triggers = ("count",) if kind == "global" else ("event_time", "event_time", "count", "continuous")
    trigger = Trigger(pick(choose, triggers), choose(1, 6), purging=choose(0, 3) == 3)
    evictor = None
    if choose(0, 2) == 2:
        evictor = Evictor(pick(choose, ("count", "time", "delta")), choose(0, 6), after=choose(0, 1) == 1)
    functions = FUNCTIONS[:-1] if isinstance(windows, Session) else FUNCTIONS
    lateness = pick(choose, (0, 0, 3, 8, 20, LONG_MAX))
    return Program(windows, trigger, evictor, pick(choose, functions), lateness, choose(0, 1) == 1)


def _sliding(choose: Choose, *, tumbling: bool) -> Sliding:
    size = choose(1, 12)
    slide = size if tumbling else choose(1, 12)
    return Sliding(size, slide, choose(1 - slide, slide - 1))


def make_events(
    choose: Choose, program: Program, length: int, *, restarts: bool = False, statuses: bool = False, first_id: int = 0
) -> list[Event]:
    """A stream out of order around its watermark, which only rises (a restart takes it back)."""
    base = pick(choose, (0, 0, -30, LONG_MAX - 70))
    watermark = base - 10
    events: list[Event] = []
    for number in range(choose(0, length)):
        what = choose(0, 11)
        if what >= 4:
            timestamp: int | None = min(max(watermark, base) + choose(-15, 15), LONG_MAX - 1)
            if isinstance(program.windows, Global) and choose(0, 5) == 5:
                timestamp = None
            events.append(Element(pick(choose, (1, "b", 3)), first_id + number, choose(-3, 3), timestamp))
        elif what == 3 and restarts:
            events.append(Restart())
        elif what == 2 and statuses:
            events.append(Status(idle=choose(0, 1) == 1))
        else:
            # The very last watermark ends a stream: it comes behind these events.
            watermark = min(watermark + choose(0, 9), LONG_MAX - 1)
            events.append(Watermark(watermark))
    return events
