"""Metrics and the groups that name them. Get a group from ``RuntimeContext.get_metrics_group()``."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from windrow.errors import ConfigurationTypeError, UsageError


class Metric:
    """Base of all metrics."""


class Counter(Metric):
    """A number that is counted up and down.

    Example:
        >>> lines = Counter()
        >>> lines.inc(), lines.inc(2), lines.get_count()
        (None, None, 3)
    """

    def __init__(self) -> None:
        self._count = 0

    def inc(self, n: int = 1) -> None:
        self._count += n

    def dec(self, n: int = 1) -> None:
        self._count -= n

    def get_count(self) -> int:
        return self._count


class Meter(Metric):
    """How many events were marked; whoever reads it twice knows the rate.

    Args:
        time_span_in_seconds: the span the rate is to be averaged over.
    """

    def __init__(self, time_span_in_seconds: int = 60) -> None:
        self.time_span_in_seconds = time_span_in_seconds
        self._count = 0

    def mark_event(self, value: int = 1) -> None:
        self._count += value

    def get_count(self) -> int:
        return self._count


class Distribution(Metric):
    """How reported numbers are spread: their count, sum, minimum and maximum."""

    def __init__(self) -> None:
        self.count = 0
        self.sum: float = 0
        self.min: float | None = None
        self.max: float | None = None

    def update(self, value: float) -> None:
        """Report one number."""
        self.count += 1
        self.sum += value
        self.min = value if self.min is None else min(self.min, value)
        self.max = value if self.max is None else max(self.max, value)


class Gauge(Metric):
    """A number that is computed when it is read."""

    def __init__(self, read: Callable[[], int]) -> None:
        self._read = read

    def get_value(self) -> int:
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
        """Report what ``obj()`` returns whenever the metrics are read."""
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
        yield from self._metrics.items()
        for path, group in self._groups.items():
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
