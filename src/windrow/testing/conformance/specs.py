"""From the JSON of a case's operator to windrow's own objects. All of them can be pickled."""

from __future__ import annotations

from collections.abc import Callable
from operator import itemgetter
from typing import Any, TypeAlias, TypeVar

from windrow.datastream.window import (
    ContinuousEventTimeTrigger,
    ContinuousProcessingTimeTrigger,
    CountEvictor,
    CountTrigger,
    DeltaEvictor,
    DynamicEventTimeSessionWindows,
    DynamicProcessingTimeSessionWindows,
    EndOfStreamTrigger,
    EventTimeSessionWindows,
    EventTimeTrigger,
    Evictor,
    GlobalWindows,
    NeverTrigger,
    ProcessingTimeoutTrigger,
    ProcessingTimeSessionWindows,
    ProcessingTimeTrigger,
    PurgingTrigger,
    SlidingEventTimeWindows,
    SlidingProcessingTimeWindows,
    TimeEvictor,
    Trigger,
    TumblingEventTimeWindows,
    TumblingProcessingTimeWindows,
    WindowAssigner,
    WindowStagger,
)
from windrow.testing.conformance.custom_windows import (
    EventTimeTriggerAccumGC,
    FireEverytimeTrigger,
    NonEagerlyMergingWindows,
    PointSessionWindows,
    TableGap,
)

Spec: TypeAlias = dict[str, Any]
AnyAssigner: TypeAlias = WindowAssigner[Any, Any]
AnyTrigger: TypeAlias = Trigger[Any, Any]
AnyEvictor: TypeAlias = Evictor[Any, Any]
P = TypeVar("P")
"""Type of the part that is made."""


def make_assigner(spec: Spec) -> AnyAssigner:
    """The window assigner that ``spec`` describes."""
    return _make("assigner", _ASSIGNERS, spec)


def make_trigger(spec: Spec) -> AnyTrigger:
    """The trigger that ``spec`` describes."""
    return _make("trigger", _TRIGGERS, spec)


def make_evictor(spec: Spec | None) -> AnyEvictor | None:
    """The evictor that ``spec`` describes; None for null."""
    return None if spec is None else _make("evictor", _EVICTORS, spec)


def make_key_selector(spec: str) -> Callable[[Any], Any]:
    """The key selector that ``field 0`` or ``constant ...`` describes.

    Raises:
        ValueError: it is neither.
    """
    if spec.startswith("constant"):
        return constant_key
    if spec.startswith("field "):
        return itemgetter(int(spec.removeprefix("field ")))
    msg = f"key {spec!r} is not known; known are 'field N' and 'constant ...'"
    raise ValueError(msg)


def constant_key(_element: Any) -> str:
    """The same key for every element."""
    return "constant"


def signed_delta_of_field_1(element: Any, last: Any) -> int:
    """Field 1 of the last element minus field 1 of the inspected one."""
    delta: int = last[1] - element[1]
    return delta


def _make(part: str, makers: dict[str, Callable[[Spec], P]], spec: Spec) -> P:
    maker = makers.get(spec["type"])
    if maker is None:
        msg = f"{part} {spec['type']!r} is not known; known are {', '.join(makers)}"
        raise ValueError(msg)
    return maker(spec)


def _stagger(spec: Spec) -> WindowStagger:
    return WindowStagger[spec.get("stagger", "ALIGNED")]


def _global_windows(spec: Spec) -> GlobalWindows:
    default = spec.get("default_trigger", "NeverTrigger")
    if default == "EndOfStreamTrigger":
        return GlobalWindows.create_with_end_of_stream_trigger()
    if default == "NeverTrigger":
        return GlobalWindows.create()
    msg = f"default_trigger {default!r} is not known; known are NeverTrigger and EndOfStreamTrigger"
    raise ValueError(msg)


def _gap_table(spec: Spec) -> TableGap:
    return TableGap(spec["gap"]["rules"])


_ASSIGNERS: dict[str, Callable[[Spec], AnyAssigner]] = {
    "TumblingEventTimeWindows": lambda s: TumblingEventTimeWindows.of(s["size"], s.get("offset"), _stagger(s)),
    "TumblingProcessingTimeWindows": lambda s: TumblingProcessingTimeWindows.of(
        s["size"], s.get("offset"), _stagger(s)
    ),
    "SlidingEventTimeWindows": lambda s: SlidingEventTimeWindows.of(s["size"], s["slide"], s.get("offset")),
    "SlidingProcessingTimeWindows": lambda s: SlidingProcessingTimeWindows.of(s["size"], s["slide"], s.get("offset")),
    "EventTimeSessionWindows": lambda s: EventTimeSessionWindows.with_gap(s["gap"]),
    "ProcessingTimeSessionWindows": lambda s: ProcessingTimeSessionWindows.with_gap(s["gap"]),
    "DynamicEventTimeSessionWindows": lambda s: DynamicEventTimeSessionWindows.with_dynamic_gap(_gap_table(s)),
    "DynamicProcessingTimeSessionWindows": lambda s: DynamicProcessingTimeSessionWindows.with_dynamic_gap(
        _gap_table(s)
    ),
    "GlobalWindows": _global_windows,
    "PointSessionWindows": lambda s: PointSessionWindows.with_gap(s["gap"]),
    "NonEagerlyMergingWindows": lambda s: NonEagerlyMergingWindows.with_gap(s["gap"]),
}

_TRIGGERS: dict[str, Callable[[Spec], AnyTrigger]] = {
    "EventTimeTrigger": lambda _: EventTimeTrigger.create(),
    "ProcessingTimeTrigger": lambda _: ProcessingTimeTrigger.create(),
    "CountTrigger": lambda s: CountTrigger.of(s["count"]),
    "PurgingTrigger": lambda s: PurgingTrigger.of(make_trigger(s["inner"])),
    "ContinuousEventTimeTrigger": lambda s: ContinuousEventTimeTrigger.of(s["interval"]),
    "ContinuousProcessingTimeTrigger": lambda s: ContinuousProcessingTimeTrigger.of(s["interval"]),
    "ProcessingTimeoutTrigger": lambda s: ProcessingTimeoutTrigger.of(
        make_trigger(s["inner"]), s["timeout"], s["reset_timer_on_new_record"], s["clear_on_timeout"]
    ),
    "NeverTrigger": lambda _: NeverTrigger(),
    "EndOfStreamTrigger": lambda _: EndOfStreamTrigger(),
    "FireEverytimeTrigger": lambda _: FireEverytimeTrigger(),
    "EventTimeTriggerAccumGC": lambda s: EventTimeTriggerAccumGC(s["cleanup"]),
}

_EVICTORS: dict[str, Callable[[Spec], AnyEvictor]] = {
    "CountEvictor": lambda s: CountEvictor.of(s["count"], s.get("evict_after", False)),
    "TimeEvictor": lambda s: TimeEvictor.of(s["size"], s.get("evict_after", False)),
    "DeltaEvictor": lambda s: DeltaEvictor.of(s["threshold"], signed_delta_of_field_1, s.get("evict_after", False)),
}
