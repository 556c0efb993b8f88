"""The result of a job that has finished."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from windrow.common.html import html_table
from windrow.common.job_id import JobID


@dataclass(frozen=True)
class JobExecutionResult:
    """The result of ``execute``.

    Example:
        >>> JobExecutionResult(JobID("ab"), 1200, {"lines": 7}).get_accumulator_result("lines")
        7
    """

    job_id: JobID
    #: How long the job ran, in milliseconds.
    net_runtime: int
    accumulators: Mapping[str, Any] = field(default_factory=dict)
    #: What operators counted: ``num_late_records_dropped`` and the like, by the operator's name.
    counters: Mapping[str, Mapping[str, int]] = field(default_factory=dict)

    #: What functions reported to their metrics groups, by ``operator.group.metric``.
    metrics: Mapping[str, Any] = field(default_factory=dict)

    def get_job_id(self) -> JobID:
        return self.job_id

    def get_net_runtime(self) -> int:
        """Give the milliseconds that the job ran."""
        return self.net_runtime

    def get_accumulator_result(self, accumulator_name: str) -> Any:
        """The final value of an accumulator; None if there is none of that name."""
        return self.accumulators.get(accumulator_name)

    def get_all_accumulator_results(self) -> dict[str, Any]:
        """The final values of all accumulators."""
        return dict(self.accumulators)

    def get_metrics(self) -> dict[str, Any]:
        """Give what functions reported to ``RuntimeContext.get_metrics_group()``, merged over all subtasks.

        Keys are the operator's name, the groups' names and the metric's name with dots between them. Of a counter or
        a meter the value is the sum, of a distribution a ``windrow.metrics.DistributionSummary``, of a gauge a
        dictionary from the subtask's index to the last value that was read there.

        Example:
            >>> JobExecutionResult(JobID("ab"), 1200, metrics={"parse.bad lines": 7}).get_metrics()
            {'parse.bad lines': 7}
        """
        return dict(self.metrics)

    def get_dropped(self) -> dict[str, int]:
        """Count the elements that each operator dropped, because they were late or in no window.

        Example:
            >>> counters = {"TumblingEventTimeWindows": {"num_late_records_dropped": 3}}
            >>> JobExecutionResult(JobID("ab"), 1200, counters=counters).get_dropped()
            {'TumblingEventTimeWindows': 3}
        """
        return {name: sum(counted.values()) for name, counted in self.counters.items()}

    def _repr_html_(self) -> str:
        """Show a notebook what became of the job."""
        fields = {
            "job": str(self.job_id),
            "run time": f"{self.net_runtime} ms",
            "accumulators": self.accumulators,
            "dropped": self.get_dropped(),
            "metrics": self.metrics,
        }
        return html_table("Job finished", fields)

    def __str__(self) -> str:
        lines = [f"Job {self.job_id} finished after {self.net_runtime} ms."]
        lines += [f"- {name}: {value}" for name, value in sorted(self.accumulators.items())]
        return "\n".join(lines)
