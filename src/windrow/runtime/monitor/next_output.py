"""Says for which window or watermark operators wait that have given nothing for a while, and who holds it back."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from windrow.runtime.monitor.finding import QUIET, Finding, listed, plural
from windrow.runtime.monitor.holding import Holding, order
from windrow.runtime.monitor.measures import ShownWatermark
from windrow.runtime.monitor.record import JobRecord
from windrow.runtime.monitor.shown_time import moment

#: So many sentences there are: those of the operators whose time comes first.
_TOLD = 5


class _Next(NamedTuple):
    """The reason why an operator waits; operators that have the same one share a sentence."""

    watermark: ShownWatermark
    start: int | None
    end: int | None
    stands_at: ShownWatermark
    #: The names of those that it stands at, and whether others are further.
    held_by: tuple[str, ...]
    others_ahead: bool


def next_output(record: JobRecord, holding: Holding, since: int, now: int) -> Iterator[Finding]:
    """A sentence for each window, or time, that operators wait for.

    Args:
        record: Of the job.
        holding: Who holds watermarks back in it.
        since: When the job began to run, in milliseconds.
        now: In milliseconds.
    """
    if record.observed is None:
        return
    found: dict[_Next, list[str]] = {}
    for vertex in holding.vertices():
        tag = vertex["id"]
        given = max(holding.measures(tag).get("last", {}).values(), default=since)
        # In the middle of a long batch it is not known what has come since the one before.
        if record.observed[0] - given >= QUIET:
            waits_for = _next_of(holding, tag)
            if waits_for is not None:
                found.setdefault(waits_for, []).append(tag)
    first = sorted(found.items(), key=lambda each: order(each[0].watermark))
    for waits_for, tags in first[:_TOLD]:
        names = [holding.name(tag) for tag in tags]
        yield Finding(
            "next",
            _sentence(waits_for, names, now),
            level="note",
            vertices=tuple(tags),
            place=waits_for.held_by[0] if waits_for.held_by else None,
            watermark=waits_for.stands_at,
        )


def what_it_waits_for(record: JobRecord, tag: str, now: int) -> str | None:
    """The sentence of one operator, whether it gives something meanwhile or not; None: it waits for no watermark.

    Args:
        record: Of the job.
        tag: The vertex' id.
        now: In milliseconds.
    """
    if record.state not in ("RUNNING", "RESTARTING"):
        return None
    holding = Holding(record)
    waits_for = _next_of(holding, tag)
    return None if waits_for is None else _sentence(waits_for, [holding.name(tag)], now)


def _next_of(holding: Holding, tag: str) -> _Next | None:
    measures = holding.measures(tag)
    stands_at = min(measures.get("input_watermark", {}).values(), key=order, default=None)
    # What the watermark has reached has been done: nobody has said so yet.
    waiting = [each for each in measures.get("waiting", {}).values() if order(each[0]) > order(stands_at)]
    if not waiting:
        return None
    watermark, start, end = min(waiting, key=lambda each: order(each[0]))
    holders = holding.holders_of(tag)
    lowest = max((order(place.watermark) for place in holders), default=None)
    places = [place for giver in holding.givers_of(tag) for place in holding.places(giver) if not place.idle]
    ahead = lowest is not None and any(order(place.watermark) > lowest for place in places)
    return _Next(watermark, start, end, stands_at, tuple(place.name for place in holders), ahead)


def _sentence(waits_for: _Next, names: list[str], now: int) -> str:
    reaches = moment(waits_for.watermark, now, exact=True)
    if waits_for.start is None:
        what = f"{listed(names)} {plural(names, 'wait')} for the watermark to reach {reaches}"
    else:
        window = f"window {moment(waits_for.start, now, exact=True)} to {moment(waits_for.end, now, exact=True)}"
        what = f"{window} of {listed(names)} fires when the watermark reaches {reaches}"
    if waits_for.stands_at is None:
        return f"{what}; there is none yet"
    stands = f"{what}; it stands at {moment(waits_for.stands_at, now, exact=True)}"
    if not waits_for.held_by:
        return stands
    holders = list(waits_for.held_by)
    if waits_for.others_ahead:
        return f"{stands}, held back by {listed(holders)}"
    return f"{stands}, where {listed(holders)} {plural(holders, 'stand')}"
