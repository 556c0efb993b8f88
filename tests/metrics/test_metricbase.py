"""Metrics and their groups."""

import pytest

from windrow.errors import ConfigurationTypeError, UsageError
from windrow.metrics import DistributionSummary, MetricGroup


def test_metrics_are_made_once():
    """Asking for a metric or group again gives the same one."""
    group = MetricGroup()
    assert group.counter("n") is group.counter("n")
    assert group.add_group("a") is group.add_group("a")
    assert group.add_group("a", "b") is not group.add_group("a")


def test_counters_and_meters_count():
    """A counter goes up and down, a meter up."""
    group = MetricGroup()
    counter, meter = group.counter("n"), group.meter("m", 30)
    counter.inc()
    counter.inc(4)
    counter.dec(2)
    meter.mark_event()
    meter.mark_event(2)
    assert (counter.get_count(), meter.get_count(), meter.time_span_in_seconds) == (3, 3, 30)


def test_distributions_know_their_spread():
    """Count, sum, minimum and maximum of what was reported."""
    distribution = MetricGroup().distribution("d")
    assert distribution.summary() == DistributionSummary(0, 0, None, None)
    for value in (3, -1, 2):
        distribution.update(value)
    assert distribution.summary() == DistributionSummary(3, 4, -1, 3)


def test_metrics_are_handed_over_in_parts():
    """A part is what was reported since the last one; the metric itself goes on. A gauge's part is its value."""
    group = MetricGroup()
    counter, meter, distribution = group.counter("n"), group.meter("m"), group.distribution("d")
    group.gauge("g", counter.get_count)
    parts = []
    for value in (5, 7):
        counter.inc(value)
        meter.mark_event()
        distribution.update(value)
        parts.append({name: metric.part() for name, metric in group.metrics()})
        for _, metric in group.metrics():
            metric.settle()
    assert parts == [
        {"n": 5, "m": 1, "d": DistributionSummary(1, 5, 5, 5), "g": 5},
        {"n": 7, "m": 1, "d": DistributionSummary(1, 7, 7, 7), "g": 12},
    ]
    assert (counter.get_count(), meter.get_count(), distribution.summary().sum) == (12, 2, 12)


def test_a_part_can_be_taken_back():
    """What a failed run has reported is gone, what was handed over before stays."""
    group = MetricGroup()
    counter, distribution = group.counter("n"), group.distribution("d")
    for value in (5, 7):
        counter.inc(value)
        distribution.update(value)
        if value == 5:
            counter.settle()
            distribution.settle()
    counter.discard()
    distribution.discard()
    assert (counter.get_count(), counter.part()) == (5, 0)
    assert distribution.summary() == DistributionSummary(1, 5, 5, 5)
    assert distribution.part() == DistributionSummary()


def test_all_metrics_by_name():
    """Metrics of inner groups are listed with the groups' names before theirs."""
    group = MetricGroup()
    values = [5]
    group.gauge("size", lambda: len(values))
    group.add_group("key", "value").counter("n").inc()
    metrics = dict(group.metrics())
    assert set(metrics) == {"size", "key.value.n"}
    values.append(6)
    assert metrics["size"].get_value() == 2


def test_one_name_one_kind():
    """A name that is taken by another kind of metric is an error, and a gauge needs a function."""
    group = MetricGroup()
    group.counter("n")
    with pytest.raises(UsageError, match="'n' is a Counter already"):
        group.meter("n")
    with pytest.raises(ConfigurationTypeError, match="gauge 'g'"):
        group.gauge("g", 5)
