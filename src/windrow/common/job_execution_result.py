"""What is left of a job that has finished."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from windrow.common.job_id import JobID


@dataclass(frozen=True)
class JobExecutionResult:
    """What ``execute`` returns.

    Example:
        >>> JobExecutionResult(JobID("ab"), 1200, {"lines": 7}).get_accumulator_result("lines")
        7
    """

    job_id: JobID
    #: How long the job ran, in milliseconds.
    net_runtime: int
    accumulators: Mapping[str, Any] = field(default_factory=dict)

    def get_job_id(self) -> JobID:
        return self.job_id

    def get_net_runtime(self) -> int:
        """How long the job ran, in milliseconds."""
        return self.net_runtime

    def get_accumulator_result(self, accumulator_name: str) -> Any:
        """The final value of an accumulator; None if there is none of that name."""
        return self.accumulators.get(accumulator_name)

    def get_all_accumulator_results(self) -> dict[str, Any]:
        """The final values of all accumulators."""
        return dict(self.accumulators)

    def __str__(self) -> str:
        lines = [f"Job {self.job_id} finished after {self.net_runtime} ms."]
        lines += [f"- {name}: {value}" for name, value in sorted(self.accumulators.items())]
        return "\n".join(lines)
