"""Compares a program with the one that wrote a checkpoint, operator by operator, and says what to do."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from windrow.errors import CheckpointError
from windrow.graph.job_graph import JobGraph

#: The version of what a checkpoint holds, and those that are read.
VERSION = 9
READABLE = frozenset({5, 6, 7, 8, VERSION})
#: Checkpoints that a version before this one has begun have parts of keys in other key groups than the keys.
_KEY_GROUPS = 9
#: The tag of an operator without a uid: its number among the program's calls.
_NUMBERED = re.compile(r"\d+-\w+Transformation")
_BEGIN_ANEW = "or begin anew with another checkpoint directory"


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
    return list(_differences(stored, layout))


def rescales(stored: dict[str, Any], layout: dict[str, Any]) -> bool:
    """Tell whether nothing but its parallelism keeps a program with this layout from going on."""
    if stored.get("version") not in READABLE or stored["max_parallelism"] != layout["max_parallelism"]:
        return False
    before, now = _chains(stored), _chains(layout)
    if before == now or list(_differences(stored, layout, parallelism=False)):
        return False
    return all(_inputs(before[tag]) == _inputs(now[tag]) for tag in now)


def check_begun(stored: dict[str, Any], location: str) -> None:
    """Refuse to deal out what an earlier version has laid out.

    Raises:
        CheckpointError: it has begun the checkpoint at ``location``.
    """
    if stored.get("begun", 0) < _KEY_GROUPS:
        msg = (
            f"{location} was begun by a version of Windrow that did not keep all of a key in its key group, so it "
            f"keeps its parallelism: let the job go on with that, {_BEGIN_ANEW}"
        )
        raise CheckpointError(msg)


def _differences(stored: dict[str, Any], layout: dict[str, Any], *, parallelism: bool = True) -> Iterator[str]:
    before, now = stored["max_parallelism"], layout["max_parallelism"]
    if before != now:
        yield f"max parallelism was {before} and is {now}: set_max_parallelism({before}), {_BEGIN_ANEW}"
    names = {**stored.get("names", {}), **layout["names"]}
    yield from _operators(_places(stored), _places(layout), names)
    if parallelism:
        yield from _numbers(_chains(stored), _chains(layout), names)
    yield from _kinds(stored.get("state", {}), layout["state"], names)


def _operators(stored: dict[str, _Place], places: dict[str, _Place], names: dict[str, str]) -> Iterator[str]:
    gone = {tag: place for tag, place in stored.items() if tag not in places}
    new = {tag: place for tag, place in places.items() if tag not in stored}
    by_place = {(place.level, place.number, place.behind): tag for tag, place in new.items()}
    for tag, place in gone.items():
        other = by_place.get((place.level, place.number, place.behind))
        if other is None:
            yield f"{_operator(tag, names)} is gone, and its state would be lost: put it back, {_BEGIN_ANEW}"
            continue
        del new[other]
        why = " (an operator without a uid is known by the number of its call)" if _NUMBERED.fullmatch(tag) else ""
        yield f"{_operator(other, names)} is not in it, and in its place is {tag!r}{why}: .uid({tag!r}), {_BEGIN_ANEW}"
    for tag, place in new.items():
        chain = "" if tag == place.head else f", in the chain behind {place.head!r}"
        yield f"{_operator(tag, names)} is new{chain}, and there is no place for it: leave it out, {_BEGIN_ANEW}"
    if gone or new:
        return
    for tag, place in stored.items():
        if (place.level, place.head, place.behind) != (places[tag].level, places[tag].head, places[tag].behind):
            yield (
                f"{_operator(tag, names)} stood {_stood(place, tag)}, and now stands {_stood(places[tag], tag)}: a "
                f"key_by, another partitioner or another parallelism has come or gone; undo it, {_BEGIN_ANEW}"
            )
            return  # those behind it have moved as well


def _numbers(stored: dict[str, Any], chains: dict[str, Any], names: dict[str, str]) -> Iterator[str]:
    for tag in stored.keys() & chains.keys():
        before, now = stored[tag]["subtasks"], chains[tag]["subtasks"]
        if before != now:
            yield (
                f"{_operator(tag, names)} had parallelism {before} and has {now}: set_parallelism({before}) on it or "
                f"on the environment, let the job start from this checkpoint (execution.state-recovery.path) with "
                f"another checkpoint directory, {_BEGIN_ANEW}"
            )
        elif stored[tag]["channels"] != chains[tag]["channels"]:
            yield (
                f"{_operator(tag, names)} had {_channels(stored[tag])}, and has {_channels(chains[tag])}: let it have "
                f"the same inputs in the same order, {_BEGIN_ANEW}"
            )


def _kinds(stored: dict[str, str], kinds: dict[str, str], names: dict[str, str]) -> Iterator[str]:
    for tag in {**stored, **kinds}:
        if stored.get(tag) != kinds.get(tag):
            before, now = (of.get(tag, "no windows") for of in (stored, kinds))
            yield (
                f"{_operator(tag, names)} has kept {before}, and in this program it keeps {now}; what is in the "
                f"checkpoint cannot become that: let the operator keep what it kept, {_BEGIN_ANEW}"
            )


def _places(layout: dict[str, Any]) -> dict[str, _Place]:
    places = {}
    for level, entries in enumerate(layout["levels"]):
        for number, (head, entry) in enumerate(entries.items()):
            for behind, tag in enumerate([head, *entry["chain"]]):
                places[tag] = _Place(level, number, head, behind)
    return places


def _chains(layout: dict[str, Any]) -> dict[str, Any]:
    return {tag: entry for entries in layout["levels"] for tag, entry in entries.items()}


def _operator(tag: str, names: dict[str, str]) -> str:
    return f"operator {names.get(tag, tag)!r} (without a uid)" if _NUMBERED.fullmatch(tag) else f"operator {tag!r}"


def _stood(place: _Place, tag: str) -> str:
    if place.head == tag:
        return f"behind exchange {place.level}" if place.level else "at a source"
    return f"in the chain behind {place.head!r}"


def _inputs(entry: dict[str, Any]) -> list[int]:
    return [which for which, _ in entry["channels"]]


def _channels(entry: dict[str, Any]) -> str:
    return f"inputs of {' and '.join(str(channels) for _, channels in entry['channels'])} channels"
