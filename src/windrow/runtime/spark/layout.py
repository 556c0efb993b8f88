"""Compares a program with the one that wrote a checkpoint, operator by operator, and says what to do."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from windrow.graph.job_graph import JobGraph
from windrow.runtime.checkpoint_files import BOOTSTRAPPED, RECOVERY

#: The version of what a checkpoint holds, and those that are read.
VERSION = 12
READABLE = frozenset({5, 6, 7, 8, 9, 10, 11, VERSION})
#: The tag of an operator without a uid: its number among the program's calls.
_NUMBERED = re.compile(r"\d+-\w+Transformation")
_BEGIN_ANEW = "or begin anew with another checkpoint directory"
_START_FROM = "or start from it (execution.state-recovery.path), or begin anew, with another checkpoint directory"


class _Place(NamedTuple):
    """The place of an operator."""

    level: int
    #: Which chain of that level, and the tag of its head.
    number: int
    head: str
    #: Its place in the chain; 0: it is the head.
    behind: int


def layout_of(job: JobGraph, partitions: int) -> dict[str, Any]:
    """Describe a job as a checkpoint remembers it."""
    names = {node.tag: node.name for node in job.nodes()}
    return {**job.layout(), "names": names, "partitions": partitions, "version": VERSION}


def differences(stored: dict[str, Any], layout: dict[str, Any]) -> list[str]:
    """Say what keeps a program with this layout from going on where one with the stored layout was; empty: nothing."""
    if stored.get("version") not in READABLE:
        readable = " and ".join(map(str, sorted(READABLE)))
        return [
            f"it has format {stored.get('version')!r}, of another version of Windrow, and this one reads "
            f"{readable}: let the job end with the version that it began with, {_BEGIN_ANEW}"
        ]
    if BOOTSTRAPPED in stored:
        return [f"a SavepointWriter has written it: a job begins with it by {RECOVERY}"]
    return list(_differences(stored, layout))


def is_same_program(stored: dict[str, Any], layout: dict[str, Any]) -> bool:
    """Tell whether the operators are the same, and stand where they stood; their parallelism may be another."""
    before, now = _chains(stored), _chains(layout)
    if list(_operators(_places(stored), _places(layout), {})) or list(_sources(stored, layout, {})):
        return False
    return all(_inputs(before[tag]) == _inputs(now[tag]) and _is_fed_alike(before[tag], now[tag]) for tag in now)


def first_channel(layout: dict[str, Any], source: str) -> int:
    """The number of a source's first channel: those of all sources are numbered through, in their order.

    Raises:
        ValueError: there is no source with this tag.
    """
    sources = layout["levels"][0]
    before = list(sources)[: list(sources).index(source)]
    return sum(int(sources[each]["subtasks"]) for each in before)


def changed_kinds(stored: dict[str, Any], layout: dict[str, Any]) -> Iterator[str]:
    """Say which operators that are in both layouts keep another kind of thing."""
    both = _places(stored).keys() & _places(layout).keys()
    before, now = ({tag: kind for tag, kind in of["state"].items() if tag in both} for of in (stored, layout))
    names = {**stored.get("names", {}), **layout["names"]}
    yield from _kinds(before, now, names)
    yield from _sources_kinds(stored, layout, names)


def _differences(stored: dict[str, Any], layout: dict[str, Any]) -> Iterator[str]:
    before, now = stored["max_parallelism"], layout["max_parallelism"]
    if before != now:
        yield f"max parallelism was {before} and is {now}: set_max_parallelism({before}), {_BEGIN_ANEW}"
    names = {**stored.get("names", {}), **layout["names"]}
    yield from _operators(_places(stored), _places(layout), names)
    yield from _sources(stored, layout, names)
    yield from _numbers(_chains(stored), _chains(layout), names)
    yield from _kinds(stored.get("state", {}), layout["state"], names)
    yield from _sources_kinds(stored, layout, names)


def _operators(stored: dict[str, _Place], places: dict[str, _Place], names: dict[str, str]) -> Iterator[str]:
    gone = {tag: place for tag, place in stored.items() if tag not in places}
    new = {tag: place for tag, place in places.items() if tag not in stored}
    by_place = {(place.level, place.number, place.behind): tag for tag, place in new.items()}
    for tag, place in gone.items():
        other = by_place.get((place.level, place.number, place.behind))
        if other is None:
            yield f"{operator_named(tag, names)} is gone, and its state would be lost: put it back, {_START_FROM}"
            continue
        del new[other]
        why = " (an operator without a uid is known by the number of its call)" if _NUMBERED.fullmatch(tag) else ""
        named = operator_named(other, names)
        yield f"{named} is not in it, and in its place is {tag!r}{why}: .uid({tag!r}), {_START_FROM}"
    for tag, place in new.items():
        chain = "" if tag == place.head else f", in the chain behind {place.head!r}"
        yield f"{operator_named(tag, names)} is new{chain}, and there is no place for it: leave it out, {_START_FROM}"
    if gone or new:
        return
    for tag, place in stored.items():
        if (place.level, place.head, place.behind) != (places[tag].level, places[tag].head, places[tag].behind):
            yield (
                f"{operator_named(tag, names)} stood {_stood(place, tag)}, and now stands "
                f"{_stood(places[tag], tag)}: a key_by, another partitioner or another parallelism has come or gone; "
                f"undo it, {_START_FROM}"
            )
            return  # those behind it have moved as well


def _sources(stored: dict[str, Any], layout: dict[str, Any], names: dict[str, str]) -> Iterator[str]:
    """Of sources, channels are known by their numbers."""
    before, now = (list(of["levels"][0]) for of in (stored, layout))
    if before != now and sorted(before) == sorted(now):
        were, are = (", ".join(operator_named(tag, names) for tag in tags) for tags in (before, now))
        yield f"its sources were {were}, and are {are}: let them come in that order, {_START_FROM}"


def _numbers(stored: dict[str, Any], chains: dict[str, Any], names: dict[str, str]) -> Iterator[str]:
    for tag in stored.keys() & chains.keys():
        before, now = stored[tag]["subtasks"], chains[tag]["subtasks"]
        if before != now:
            yield (
                f"{operator_named(tag, names)} had parallelism {before} and has {now}: set_parallelism({before}) on "
                f"it or on the environment, {_START_FROM}"
            )
        elif stored[tag]["channels"] != chains[tag]["channels"]:
            yield (
                f"{operator_named(tag, names)} had {_channels(stored[tag])}, and has {_channels(chains[tag])}: let it "
                f"have the same inputs in the same order, {_START_FROM}"
            )
        elif not _is_fed_alike(stored[tag], chains[tag]):
            yield (
                f"{operator_named(tag, names)} was fed by {stored[tag]['from']}, and is by {chains[tag]['from']}: let "
                f"it have the same inputs in the same order, {_START_FROM}"
            )


def _kinds(stored: dict[str, str], kinds: dict[str, str], names: dict[str, str]) -> Iterator[str]:
    for tag in {**stored, **kinds}:
        if stored.get(tag) != kinds.get(tag):
            before, now = (of.get(tag, "no windows") for of in (stored, kinds))
            yield (
                f"{operator_named(tag, names)} has kept {before}, and in this program it keeps {now}; what is in the "
                f"checkpoint cannot become that: let the operator keep what it kept, {_BEGIN_ANEW}"
            )


def _sources_kinds(stored: dict[str, Any], layout: dict[str, Any], names: dict[str, str]) -> Iterator[str]:
    """Of sources that are in both; checkpoints of formats before 9 do not say it."""
    before, now = stored.get("sources", {}), layout["sources"]
    for tag in before.keys() & now.keys():
        if before[tag] != now[tag]:
            yield (
                f"source {names.get(tag, tag)!r} has read {before[tag]}, and in this program it reads {now[tag]}: give "
                f"it another uid, {_BEGIN_ANEW}"
            )


def _is_fed_alike(before: dict[str, Any], now: dict[str, Any]) -> bool:
    """Tell whether the same chains feed a chain; checkpoints of formats before 9 do not say it, and pass."""
    return bool(before.get("from", now["from"]) == now["from"])


def _places(layout: dict[str, Any]) -> dict[str, _Place]:
    places = {}
    for level, entries in enumerate(layout["levels"]):
        for number, (head, entry) in enumerate(entries.items()):
            for behind, tag in enumerate([head, *entry["chain"]]):
                places[tag] = _Place(level, number, head, behind)
    return places


def _chains(layout: dict[str, Any]) -> dict[str, Any]:
    return {tag: entry for entries in layout["levels"] for tag, entry in entries.items()}


def operator_named(tag: str, names: dict[str, str]) -> str:
    """An operator as errors call it: by its uid, or, without one, by its name."""
    return f"operator {names.get(tag, tag)!r} (without a uid)" if _NUMBERED.fullmatch(tag) else f"operator {tag!r}"


def _stood(place: _Place, tag: str) -> str:
    if place.head == tag:
        return f"behind exchange {place.level}" if place.level else "at a source"
    return f"in the chain behind {place.head!r}"


def _inputs(entry: dict[str, Any]) -> list[int]:
    return [which for which, _ in entry["channels"]]


def _channels(entry: dict[str, Any]) -> str:
    return f"inputs of {' and '.join(str(channels) for _, channels in entry['channels'])} channels"
