"""What a run of the benchmark asks an engine's process for, line by line, and what the process answers."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Request:
    """Run the job once.

    Args:
        events: How many.
        checked: Whether results are digested; times of such a run do not count.
        object_reuse: Whether Flink hands objects on without copying them.
    """

    events: int
    checked: bool = False
    object_reuse: bool = False

    def line(self) -> str:
        """As it is written to a process.

        >>> Request(100, checked=True).line()
        'events=100 checked=true object_reuse=false'
        """
        return " ".join(f"{name}={str(value).lower()}" for name, value in vars(self).items())

    @staticmethod
    def of(line: str) -> Request:
        """As a process reads it.

        >>> Request.of("events=100 checked=true object_reuse=false")
        Request(events=100, checked=True, object_reuse=False)
        """
        values = dict(word.split("=") for word in line.split())
        return Request(int(values["events"]), values["checked"] == "true", values["object_reuse"] == "true")
