"""Finds what a person should know of a job, in sentences: above all why there is no result yet."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from windrow.runtime.monitor.finding import QUIET, Finding, listed, plural
from windrow.runtime.monitor.holding import Holding, Place
from windrow.runtime.monitor.next_output import next_output
from windrow.runtime.monitor.record import JobRecord
from windrow.runtime.monitor.shown_time import moment, span

#: A split whose watermark is so many milliseconds behind that of another one is said to be behind.
BEHIND = 10_000


def findings(record: JobRecord, now: int) -> list[Finding]:
    """Find what there is to say of a job that runs, or is to start again; of one that is over there is nothing.

    Args:
        record: Of the job.
        now: In milliseconds.

    Returns:
        What has to be done first, then what is good to know.
    """
    if record.state not in ("RUNNING", "RESTARTING"):
        return []
    looking = _Looking(record, now)
    found = [
        *looking.restarting(),
        *looking.waiting(),
        *looking.next(),
        *looking.late(),
        *looking.quiet(),
        *looking.batch_query(),
    ]
    return sorted(found, key=lambda finding: finding.level != "warning")


class _Looking:
    def __init__(self, record: JobRecord, now: int) -> None:
        self._record = record
        self._holding = Holding(record)
        self._now = now
        running = [entry["at"] for entry in record.states if entry["state"] == "RUNNING"]
        self._since = running[-1] if running else record.job.get("started", now)
        # In the middle of a long batch it is not known what has come since the one before.
        ended = now if record.observed is None else record.observed[1]
        self._until = now if now - ended < QUIET else ended

    def restarting(self) -> Iterator[Finding]:
        """The job has failed, and is to begin again."""
        if self._record.state == "RESTARTING" and self._record.failures:
            failure = self._record.failures[-1]
            times = len(self._record.failures)
            said = f"the job has failed ({failure['name']}: {failure['message']})"
            often = "" if times == 1 else f", {times} times so far"
            yield Finding("restarting", f"{said}{often}, and waits for its next start")

    def waiting(self) -> Iterator[Finding]:
        """Name the operators that wait for event time, and the splits or channels that hold them back."""
        held: dict[Place, list[str]] = {}
        without_time: dict[str, list[str]] = {}
        for vertex in self._holding.vertices():
            tag = vertex["id"]
            if not vertex["inputs"] or vertex["makes_watermarks"]:
                continue
            timeless = sorted(giver for giver, timed in self._holding.givers_of(tag).items() if not timed)
            if timeless:
                if vertex.get("waits_for_time") and self._holding.measures(tag).get("records_in"):
                    for source in timeless:
                        without_time.setdefault(source, []).append(tag)
                continue
            for place in self._holding.holders(tag):
                held.setdefault(place, []).append(tag)
        for source, tags in without_time.items():
            yield Finding(
                "no-time",
                f"{self._names(tags)} {plural(tags, 'wait')} for event time, and `{self._holding.name(source)}` has no "
                "watermarks: give it a WatermarkStrategy, in from_source or by assign_timestamps_and_watermarks",
                vertices=tuple(tags),
                place=self._holding.name(source),
            )
        for place, tags in held.items():
            yield from self._held(place, tags)

    def next(self) -> Iterator[Finding]:
        """Say for which windows or watermarks operators wait that give nothing."""
        return next_output(self._record, self._holding, self._since, self._now)

    def _held(self, place: Place, tags: list[str]) -> Iterator[Finding]:
        time = self._holding.time_of(place.source)
        timeout = None if time is None else time["idle_timeout"]
        quiet = self._is_quiet(place)
        silent = self._until - (self._since if place.last is None else place.last)
        names = self._names(tags)
        others = self._others(tags, place)
        # Where all are equally quiet, idleness lets nobody go on.
        going = any(not self._is_quiet(each) or (each.last or 0) > (place.last or 0) for each in others)
        ahead = max((each.watermark for each in others if isinstance(each.watermark, int)), default=None)
        about = partial(Finding, vertices=tuple(tags), place=place.name, watermark=place.watermark)
        if place.paused:
            return
        if place.without_splits:
            if quiet:
                yield about(
                    "no-splits",
                    f"`{place.name}` has no split and so no watermark, and {names} {plural(tags, 'wait')}: "
                    "with_idleness would let the others go on, and so would a parallelism no larger than the number of "
                    "splits",
                )
            return
        if quiet:
            never = "since the job started, " if place.last is None else "for "
            had = f"`{place.name}` has had no records {never}{span(silent)}{' ago' if place.last is None else ''}"
            if place.watermark is None:
                what = f"so there is no watermark yet and {names} {plural(tags, 'wait')}"
                yield about("no-watermark", f"{had}, {what}: {_advice(timeout, going)}")
            elif others or timeout is None:
                holds = f"{had} and holds the watermark at {moment(place.watermark, self._now)}"
                waiting = tuple(self._holding.name(tag) for tag in tags)
                yield about("held", f"{holds}: {_advice(timeout, going)}", waiting=waiting)
        elif isinstance(place.watermark, int) and ahead is not None and ahead - place.watermark >= BEHIND:
            behind = f"`{place.name}` is {span(ahead - place.watermark)} of event time behind"
            yield about(
                "behind",
                f"{behind} and holds the watermark at {moment(place.watermark, self._now)}: {names} "
                f"{plural(tags, 'wait')} for the slowest; with_watermark_alignment keeps the others from running ahead",
                level="note",
            )

    def _is_quiet(self, place: Place) -> bool:
        """Tell whether the place gave no records for ``QUIET`` milliseconds before the last batch that is over began.

        What comes in a batch that runs nobody knows, however long it takes.
        """
        if self._record.observed is None:
            return False
        since = self._since if place.last is None else place.last
        return self._record.observed[0] - since >= QUIET

    def _others(self, tags: list[str], place: Place) -> list[Place]:
        """Find the other places that give time to these vertices, and are not idle."""
        givers = dict.fromkeys(giver for tag in tags for giver in self._holding.givers_of(tag))
        places = [each for giver in givers for each in self._holding.places(giver)]
        return [each for each in places if (each.source, each.name) != (place.source, place.name) and not each.idle]

    def quiet(self) -> Iterator[Finding]:
        """Splits that hold nothing back: because they are idle, or because others have to catch up."""
        for vertex in self._holding.vertices():
            if vertex["kind"] != "source":
                continue
            places = self._holding.places(vertex["id"])
            idle = [place for place in places if place.idle]
            paused = [place for place in places if place.paused]
            if idle and len(idle) == len(places):
                last = max((place.last for place in idle if place.last is not None), default=None)
                came = "none came yet" if last is None else f"the last ones came {span(self._now - last)} ago"
                text = (
                    f"all splits of `{vertex['name']}` are idle: {came}, and event time stands still until records come"
                )
                yield Finding("all-idle", text, level="note", vertices=(vertex["id"],))
            elif idle:
                are = "is idle and holds" if len(idle) == 1 else "are idle and hold"
                yield Finding("idle", f"{_named(idle)} {are} nothing back", level="note", vertices=(vertex["id"],))
            if paused:
                wait = "waits" if len(paused) == 1 else "wait"
                text = f"{_named(paused)} {wait} until the slowest split of the alignment group has caught up"
                yield Finding("paused", text, level="note", vertices=(vertex["id"],))

    def late(self) -> Iterator[Finding]:
        """Elements that came too late."""
        for vertex in self._holding.vertices():
            measures = self._holding.measures(vertex["id"])
            dropped = measures.get("dropped", {}).get("num_late_records_dropped", 0)
            if dropped:
                came = sum(measures.get("records_in", {}).values())
                share = f", {dropped / came:.1%} of what came" if came >= dropped else ""
                text = (
                    f"`{vertex['name']}` has dropped {dropped:,} late records{share}: the watermark was past their "
                    "windows; a larger out-of-orderness, allowed_lateness or side_output_late_data keeps them"
                )
                yield Finding("late", text, level="note", vertices=(vertex["id"],))

    def batch_query(self) -> Iterator[Finding]:
        """A batch query tells what it has counted when it is over."""
        if self._record.job.get("runtime") == "spark" and not self._record.vertices:
            progress = self._record.progress
            if progress.get("tasks"):
                done = f"{progress['tasks_finished']} of {progress['tasks']} tasks"
                stages = f"stage {min(progress['stages_finished'] + 1, progress['stages'])} of {progress['stages']}"
                text = f"{done} are over, in {stages}; what operators count is known when the batch is over"
                yield Finding("batch-query", text, level="note")

    def _names(self, tags: list[str]) -> str:
        return listed([self._holding.name(tag) for tag in tags])


def _advice(timeout: int | None, going: bool) -> str:
    if timeout is not None:
        return f"it counts as idle after {span(timeout)} without records"
    return "with_idleness would let the others go on" if going else "event time goes on with its next record"


def _named(places: list[Place]) -> str:
    return listed([place.name for place in places])
