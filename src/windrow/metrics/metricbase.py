"""Metrics and the groups that name them. Get a group from ``RuntimeContext.get_metrics_group()``.

What functions report is in ``JobExecutionResult.get_metrics()`` and, while the job runs, in
``JobClient.get_metrics()``, by the operator's name, the groups' names and the metric's name with dots between them.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, TypeVar

from windrow.errors import ConfigurationTypeError, UsageError


@dataclass(frozen=True)
class DistributionSummary:
    """The spread of numbers; ``min`` and ``max`` are None if there are none.

    Example:
        >>> DistributionSummary(2, 5, 1, 4).merged(DistributionSummary(1, 7, 7, 7))
        DistributionSummary(count=3, sum=12, min=1, max=7)
    """

    count: int = 0
    sum: float = 0
    min: float | None = None
    max: float | None = None

    def merged(self, other: DistributionSummary) -> DistributionSummary:
        """The spread of the numbers of both."""
        least = [value for value in (self.min, other.min) if value is not None]
        greatest = [value for value in (self.max, other.max) if value is not None]
        return DistributionSummary(
            self.count + other.count, self.sum + other.sum, min(least, default=None), max(greatest, default=None)
        )


class Metric(ABC):
    """Base of all metrics. What is reported is handed over part by part."""

    @abstractmethod
    def part(self) -> Any:
        """Give what was reported since :meth:`settle`."""

    def settle(self) -> None:  # noqa: B027  (a gauge has nothing to remember)
        """The part was handed over: the next one begins."""

    def discard(self) -> None:  # noqa: B027
        """The run that reported the part has failed: take it back."""


class _Count(Metric):
    def __init__(self) -> None:
        self._count = 0
        self._settled = 0

    def get_count(self) -> int:
        return self._count

    def part(self) -> int:
        return self._count - self._settled

    def settle(self) -> None:
        self._settled = self._count

    def discard(self) -> None:
        self._count = self._settled


class Counter(_Count):
    """A number that is counted up and down; those of all subtasks are added up.

    ``get_count`` gives what this subtask has counted in this process.

    Example:
        >>> lines = Counter()
        >>> lines.inc(), lines.inc(2), lines.get_count()
        (None, None, 3)
    """

    def inc(self, n: int = 1) -> None:
        self._count += n

    def dec(self, n: int = 1) -> None:
        self._count -= n


class Meter(_Count):
    """Counts events that were marked, added up over all subtasks; whoever reads it twice knows the rate.

    Args:
        time_span_in_seconds: the span the rate is to be averaged over.
    """

    def __init__(self, time_span_in_seconds: int = 60) -> None:
        super().__init__()
        self.time_span_in_seconds = time_span_in_seconds

    def mark_event(self, value: int = 1) -> None:
        self._count += value


class Distribution(Metric):
    """Tells how reported numbers are spread, as a :class:`DistributionSummary` over all subtasks."""

    _min: float | None
    _max: float | None

    def __init__(self) -> None:
        self._settled = DistributionSummary()
        self.discard()

    def update(self, value: float) -> None:
        """Report one number."""
        self._count += 1
        self._sum += value
        self._min = value if self._min is None or value < self._min else self._min
        self._max = value if self._max is None or value > self._max else self._max

    def summary(self) -> DistributionSummary:
        """Sum up what this subtask has reported in this process."""
        return self._settled.merged(self.part())

    def part(self) -> DistributionSummary:
        return DistributionSummary(self._count, self._sum, self._min, self._max)

    def settle(self) -> None:
        self._settled = self.summary()
        self.discard()

    def discard(self) -> None:
        self._count, self._sum = 0, 0.0
        self._min = self._max = None


class Gauge(Metric):
    """A number that is computed when it is read; each subtask has its own, and the last one that was read counts."""

    def __init__(self, read: Callable[[], int]) -> None:
        self._read = read

    def get_value(self) -> int:
        return self._read()

    def part(self) -> int:
        return self._read()


M = TypeVar("M", bound=Metric)


class MetricGroup:
    """A named group of metrics and further groups.

    Asking for a metric or group that is there gives that one.

    Example:
        >>> group = MetricGroup()
        >>> group.add_group("parser").counter("bad_lines").inc()
        >>> [(name, metric.get_count()) for name, metric in group.metrics()]
        [('parser.bad_lines', 1)]
    """

    def __init__(self) -> None:
        self._groups: dict[tuple[str, ...], MetricGroup] = {}
        self._metrics: dict[str, Metric] = {}

    def add_group(self, name: str, extra: str | None = None) -> MetricGroup:
        """The group inside this one; with ``extra``, the group of the key ``name`` and the value ``extra``."""
        path = (name,) if extra is None else (name, extra)
        return self._groups.setdefault(path, MetricGroup())

    def counter(self, name: str) -> Counter:
        return self._add(name, Counter, Counter)

    def gauge(self, name: str, obj: Callable[[], int]) -> None:
        """Report what ``obj()`` returns whenever the metrics are read: behind each batch, and when a user asks."""
        if not callable(obj):
            msg = f"gauge {name!r} takes a function without parameters that returns an int; got {obj!r}"
            raise ConfigurationTypeError(msg)
        self._add(name, Gauge, lambda: Gauge(obj))

    def meter(self, name: str, time_span_in_seconds: int = 60) -> Meter:
        return self._add(name, Meter, lambda: Meter(time_span_in_seconds))

    def distribution(self, name: str) -> Distribution:
        return self._add(name, Distribution, Distribution)

    def metrics(self) -> Iterator[tuple[str, Metric]]:
        """Every metric in this group and the groups inside it, by its name with dots."""
        yield from list(self._metrics.items())
        for path, group in list(self._groups.items()):
            for name, metric in group.metrics():
                yield ".".join((*path, name)), metric

    def _add(self, name: str, kind: type[M], make: Callable[[], M]) -> M:
        metric: Any = self._metrics.get(name)
        if metric is None:
            metric = self._metrics[name] = make()
        if not isinstance(metric, kind):
            msg = f"metric {name!r} is a {type(metric).__name__} already; choose another name for the {kind.__name__}"
            raise UsageError(msg)
        return metric
