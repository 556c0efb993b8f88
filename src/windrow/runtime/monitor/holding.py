"""Who holds back the watermark of an operator: a split, or the channel of a source, found over all levels."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from windrow.runtime.monitor.described_job import Vertex
from windrow.runtime.monitor.measures import Measures, ShownWatermark
from windrow.runtime.monitor.record import JobRecord

#: So many of those that hold a watermark together are named.
_NAMED = 3


@dataclass(frozen=True)
class Place:
    """A split of a source, or one of its channels where nothing is known of splits."""

    #: What a person calls it.
    name: str
    #: The source's id, and which of its subtasks it belongs to.
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
        for link in record.job.get("links", []):
            if not link["exchange"]:
                self._chained.setdefault(link["source"], []).append(link["target"])

    def vertices(self) -> Iterator[Vertex]:
        """All of the job."""
        return iter(self._vertices.values())

    def name(self, tag: str) -> str:
        """The name of a vertex."""
        return self._vertices[tag]["name"]

    def measures(self, tag: str) -> Measures:
        """What was measured of a vertex."""
        return self._measures.get(tag, {})

    def time_of(self, source: str) -> Vertex | None:
        """Who gives the time to what a source reads: itself, or an operator that is chained behind it."""
        waiting = [source]
        while waiting:
            vertex = self._vertices[waiting.pop()]
            if vertex["makes_watermarks"]:
                return vertex
            waiting += self._chained.get(vertex["id"], [])
        return None

    def sources_of(self, tag: str) -> set[str]:
        """The sources from which elements come to the head of a chain."""
        vertex = self._vertices[tag]
        if not vertex["inputs"]:
            return {tag} if vertex["kind"] == "source" else set()
        return {source for each in vertex["inputs"] for source in self.sources_of(each["head"])}

    def places(self, source: str) -> list[Place]:
        """The splits of a source, or its channels where nothing is known of splits."""
        subtasks = range(self._vertices[source]["parallelism"])
        found = [place for subtask in subtasks for place in self._places(source, str(subtask), None)]
        return [place for place in found if not place.without_splits]

    def holders(self, tag: str) -> list[Place]:
        """Those that hold back the head of a chain: of what is not idle, the ones furthest behind, three at most.

        Where all is idle, or has ended, nobody is.
        """
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
        """Who stands behind an input channel."""
        for each in self._vertices[tag]["inputs"]:
            if channel >= each["channels"]:
                channel -= each["channels"]
                continue
            if self._vertices[each["head"]]["kind"] != "source":
                return self.holders(each["head"])
            places = [place for place in self._places(each["head"], str(channel), watermark) if not place.idle]
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
        name = f"{self.name(source)}, channel {subtask}" if several else self.name(source)
        if watermark is None:
            time = self.time_of(source)
            outputs = {} if time is None else self.measures(time["id"]).get("output_watermark", {})
            watermark = outputs.get(subtask)
        return [Place(name, source, subtask, watermark, last=measures.get("last", {}).get(subtask))]


def order(watermark: ShownWatermark) -> tuple[int, int]:
    """What sorts watermarks: none yet is the lowest, the last one the highest.

    Example:
        >>> sorted(["end", 7, None, 5], key=order)
        [None, 5, 7, 'end']
    """
    if watermark is None:
        return (0, 0)
    return (1, watermark) if isinstance(watermark, int) else (2, 0)
