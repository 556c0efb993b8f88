"""Compares what a run gave with what the oracle expects, between every two watermarks and key by key."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

from tests.simulator.oracle import Oracle
from tests.simulator.program import Element
from tests.simulator.translate import Shown, expected_of, key_of, shown_of, timestamp_of, value_of
from windrow.operators.base import LATE_RECORDS
from windrow.operators.window.skipped import RECORDS_IN_NO_WINDOW
from windrow.testing import Record


@dataclass
class Outcome:
    """What a run gave."""

    #: The firings between two watermarks; the last list is what came behind the last watermark.
    segments: list[list[Shown]] = field(default_factory=lambda: [[]])
    #: The late side output: values and timestamps.
    late: list[Record] = field(default_factory=list)
    counters: Counter[str] = field(default_factory=Counter)

    def record(self, value: Any, timestamp: int) -> None:
        self.segments[-1].append(shown_of(value, timestamp))

    def watermark(self) -> None:
        self.segments.append([])


def difference(oracle: Oracle, outcome: Outcome) -> str | None:
    """The first difference, in words; None if there is none."""
    if oracle.segments + 1 != len(outcome.segments):
        return f"{oracle.segments} watermarks were expected, {len(outcome.segments) - 1} came"
    for number, actual in enumerate(outcome.segments):
        expected = _expected(oracle, number)
        keys = {shown.key for _, shown in expected} | {shown.key for shown in actual}
        for key in sorted(keys, key=str):
            wanted = [(rank, shown) for rank, shown in expected if shown.key == key]
            got = [shown for shown in actual if shown.key == key]
            if not _agree(wanted, got, ordered=key is not None):
                listed = [shown for _, shown in wanted]
                return f"before watermark {number}, key {key!r}: expected {listed}, got {got}"
    return _late_difference(oracle.late, outcome.late) or _counter_difference(oracle, outcome)


def same(first: Outcome, second: Outcome) -> bool:
    """Whether two runs gave the same: multisets between watermarks, and the same order for each key."""
    return _by_key(first) == _by_key(second) and first.counters == second.counters


def _by_key(outcome: Outcome) -> Any:
    late = {key: [r for r in outcome.late if key_of(r.value) == key] for key in {key_of(r.value) for r in outcome.late}}
    segments = []
    for segment in outcome.segments:
        by_key: dict[Any, Any] = {}
        for shown in segment:
            by_key.setdefault(shown.key, []).append(shown)
        if None in by_key:
            by_key[None] = Counter(by_key[None])
        segments.append(by_key)
    return segments, late


def _expected(oracle: Oracle, segment: int) -> list[tuple[tuple[int, int], Shown]]:
    found = []
    for emission in oracle.emissions:
        shown = expected_of(oracle.program, emission) if emission.segment == segment else None
        if shown is not None:
            found.append((emission.rank, shown))
    return found


def _agree(wanted: Sequence[tuple[tuple[int, int], Shown]], got: Sequence[Shown], *, ordered: bool) -> bool:
    if len(wanted) != len(got):
        return False
    if not ordered:  # the aggregate's result does not show the key
        return Counter(shown for _, shown in wanted) == Counter(got)
    start = 0
    for _, group in groupby(wanted, key=lambda pair: pair[0]):
        of_rank = [shown for _, shown in group]
        if Counter(of_rank) != Counter(got[start : start + len(of_rank)]):
            return False
        start += len(of_rank)
    return True


def _late_difference(expected: Sequence[Element], actual: Sequence[Record]) -> str | None:
    for key in {element.key for element in expected} | {key_of(record.value) for record in actual}:
        wanted = [Record(value_of(element), timestamp_of(element)) for element in expected if element.key == key]
        got = [record for record in actual if key_of(record.value) == key]
        if wanted != got:
            return f"late side output of key {key!r}: expected {wanted}, got {got}"
    return None


def _counter_difference(oracle: Oracle, outcome: Outcome) -> str | None:
    for name, expected in ((LATE_RECORDS, oracle.dropped_late), (RECORDS_IN_NO_WINDOW, oracle.in_no_window)):
        if outcome.counters[name] != expected:
            return f"{name}: expected {expected}, got {outcome.counters[name]}"
    return None
