"""Finds who holds back the watermark of an operator, over all levels: a split, or the channel of a source."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from windrow.runtime.monitor.described_job import Vertex
from windrow.runtime.monitor.measures import Measures, ShownWatermark
from windrow.runtime.monitor.record import JobRecord

#: So many of those that hold a watermark together are named.
_NAMED = 3


@dataclass(frozen=True)
class Place:
    """A split of a source, or one of its channels where nothing is known of splits; or an operator's subtask."""

    #: What a person calls it.
    name: str
    #: The id of the source, or of the operator that makes watermarks, and which of its subtasks it belongs to.
    source: str
    subtask: str
    watermark: ShownWatermark
    idle: bool = False
    paused: bool = False
    #: When it had records last, in milliseconds; None: it had none while it was looked at.
    last: int | None = None
    #: It is no split but a reader that has none, and so no watermark.
    without_splits: bool = False


class Holding:
    """Looks through a record for what holds watermarks back.

    Args:
        record: Of the job.
    """

    def __init__(self, record: JobRecord) -> None:
        self._measures = record.vertices
        self._vertices: dict[str, Vertex] = {each["id"]: each for each in record.job.get("vertices", [])}
        self._chained: dict[str, list[str]] = {}
        #: Who sends to a vertex, and whether over an exchange.
        self._senders: dict[str, list[tuple[str, bool]]] = {}
        #: What was found already: paths through a job may be very many.
        self._givers: dict[str, dict[str, bool]] = {}
        self._holders: dict[str, list[Place]] = {}
        for link in record.job.get("links", []):
            self._senders.setdefault(link["target"], []).append((link["source"], link["exchange"]))
            if not link["exchange"]:
                self._chained.setdefault(link["source"], []).append(link["target"])

    def vertices(self) -> Iterator[Vertex]:
        """Give the job's sources, operators and sinks, in the order of its record."""
        return iter(self._vertices.values())

    def name(self, tag: str) -> str:
        """The name of a vertex."""
        return self._vertices[tag]["name"]

    def measures(self, tag: str) -> Measures:
        """Give the measures of a vertex, as they stand behind the last batch; empty: there are none yet."""
        return self._measures.get(tag, {})

    def time_of(self, source: str) -> Vertex | None:
        """Find the vertex that gives time to what a source reads: itself, or one chained behind it; None: no vertex."""
        waiting = [source]
        while waiting:
            vertex = self._vertices[waiting.pop()]
            if vertex["makes_watermarks"]:
                return vertex
            waiting += self._chained.get(vertex["id"], [])
        return None

    def givers_of(self, tag: str) -> Mapping[str, bool]:
        """Find the vertices that give time to what comes to this one, over all exchanges; False: they give none.

        That is a source, or an operator that makes watermarks behind an exchange. A source that gives elements alone,
        and no operator on their way makes watermarks, gives no time.
        """
        known = self._givers.get(tag)
        if known is None:
            known = self._givers[tag] = self._find_givers(tag)
        return known

    def _find_givers(self, tag: str) -> dict[str, bool]:
        found: dict[str, bool] = {}
        waiting, seen = [tag], {tag}
        while waiting:
            for sender, _ in self._senders.get(waiting.pop(), []):
                if sender in seen:
                    continue
                seen.add(sender)
                vertex = self._vertices[sender]
                if vertex["makes_watermarks"]:
                    for head in self._heads(sender):
                        found[head if self._vertices[head]["kind"] == "source" else sender] = True
                elif vertex["kind"] == "source":
                    found.setdefault(sender, False)
                else:
                    waiting.append(sender)
        return found

    def _heads(self, tag: str) -> set[str]:
        """The heads of the chains in which a vertex stands."""
        found, waiting = set(), [tag]
        while waiting:
            vertex = waiting.pop()
            before = [sender for sender, exchange in self._senders.get(vertex, []) if not exchange]
            waiting += before
            if not before:
                found.add(vertex)
        return found

    def places(self, source: str) -> list[Place]:
        """The splits of a source, or its channels where nothing is known of splits; of an operator its subtasks."""
        subtasks = range(self._vertices[source]["parallelism"])
        found = [place for subtask in subtasks for place in self._places(source, str(subtask), None)]
        return [place for place in found if not place.without_splits]

    def holders(self, tag: str) -> list[Place]:
        """Those that hold back the head of a chain: of what is not idle, the ones furthest behind, three at most.

        Where all is idle, or has ended, nobody is.
        """
        known = self._holders.get(tag)
        if known is None:
            known = self._holders[tag] = self._find_holders(tag)
        return known

    def holders_of(self, tag: str) -> list[Place]:
        """The same of any vertex: those of the chains in which it stands."""
        found = [place for head in sorted(self._heads(tag)) for place in self.holders(head)]
        return list(dict.fromkeys(found))[:_NAMED]

    def _find_holders(self, tag: str) -> list[Place]:
        measures = self.measures(tag)
        channels = measures.get("channels", {})
        counting = {number: at for number, (at, active, aligned) in channels.items() if active and aligned}
        if not counting:
            return []
        lowest = min(counting.values(), key=order)
        if lowest == "end":
            return []
        found: list[Place] = []
        for number, watermark in counting.items():
            if watermark == lowest and len(found) < _NAMED:
                found += self._behind(tag, int(number), watermark)
        return list(dict.fromkeys(found))[:_NAMED]

    def _behind(self, tag: str, channel: int, watermark: ShownWatermark) -> list[Place]:
        """Find the splits, channels or subtasks that an input channel waits for: the furthest behind; none is idle."""
        for each in self._vertices[tag]["inputs"]:
            if channel >= each["channels"]:
                channel -= each["channels"]
                continue
            if self._vertices[each["head"]]["kind"] == "source":
                places = self._places(each["head"], str(channel), watermark)
            else:
                makers = [giver for giver in self.givers_of(tag) if each["head"] in self._heads(giver)]
                if not makers:
                    return self.holders(each["head"])
                places = [place for maker in makers for place in self.places(maker)]
            places = [place for place in places if not place.idle]
            lowest = min((order(place.watermark) for place in places), default=None)
            return [place for place in places if order(place.watermark) == lowest]
        return []

    def _places(self, source: str, subtask: str, watermark: ShownWatermark) -> list[Place]:
        measures = self.measures(source)
        if "splits" in measures:
            splits = measures["splits"].get(subtask)
            if not splits:
                return [Place(f"{self.name(source)}, subtask {subtask}", source, subtask, None, without_splits=True)]
            last = measures.get("last_by_split", {})
            return [
                Place(split, source, subtask, at, idle, paused, last.get(split))
                for split, (at, idle, paused) in splits.items()
            ]
        several = self._vertices[source]["parallelism"] > 1
        part = "channel" if self._vertices[source]["kind"] == "source" else "subtask"
        name = f"{self.name(source)}, {part} {subtask}" if several else self.name(source)
        if watermark is None:
            time = self.time_of(source)
            outputs = {} if time is None else self.measures(time["id"]).get("output_watermark", {})
            watermark = outputs.get(subtask)
        return [Place(name, source, subtask, watermark, last=measures.get("last", {}).get(subtask))]


def order(watermark: ShownWatermark) -> tuple[int, int]:
    """Make a key to sort watermarks by: none yet is the lowest, the last one the highest.

    Example:
        >>> sorted(["end", 7, None, 5], key=order)
        [None, 5, 7, 'end']
    """
    if watermark is None:
        return (0, 0)
    return (1, watermark) if isinstance(watermark, int) else (2, 0)
