"""Playing many cases and reporting what came of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from windrow.testing.conformance.failure import ConformanceFailure
from windrow.testing.conformance.loader import Case
from windrow.testing.conformance.registry import play

#: The kinds that make sense through a Spark query.
SPARK_KINDS = frozenset({"window", "evicting_window", "interval_join"})


@dataclass
class Report:
    """Counts the cases that passed, that failed and why, and that could not run on this runtime."""

    passed: int = 0
    #: The id of each failed case and the reason, on one line.
    failures: list[tuple[str, str]] = field(default_factory=list)
    local_only: int = 0

    def lines(self, *, spark: bool) -> Iterator[str]:
        """One line for each failed case, ``local only: K`` on Spark, and last ``N passed, M failed``."""
        yield from (f"{case_id}: {reason}" for case_id, reason in self.failures)
        if spark:
            yield f"local only: {self.local_only}"
        yield f"{self.passed} passed, {len(self.failures)} failed"


def run_local(cases: Iterable[Case]) -> Report:
    """Play all cases in this process."""
    report = Report()
    for case in cases:
        _play(case, play, report)
    return report


def run_on_spark(cases: Iterable[Case]) -> Report:
    """Play window and join cases through streaming queries; count the kinds that only make sense in process."""
    from windrow.testing.conformance.spark_player import SparkPlayer

    report = Report()
    play_on_spark = SparkPlayer().play
    for case in cases:
        if case["operator"]["kind"] in SPARK_KINDS:
            _play(case, play_on_spark, report)
        else:
            report.local_only += 1
    return report


def _play(case: Case, player: Callable[[dict[str, Any]], None], report: Report) -> None:
    try:
        player(case)
    except Exception as error:  # any error of one case is that case's failure, the others still count
        reason = str(error) if isinstance(error, ConformanceFailure) else f"{type(error).__name__}: {error}"
        report.failures.append((case["id"], " ".join(reason.split())))
    else:
        report.passed += 1
