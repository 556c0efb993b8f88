"""Numbers that user functions report about themselves."""

from windrow.metrics.metricbase import Counter, Distribution, DistributionSummary, Gauge, Meter, Metric, MetricGroup

__all__ = ["Counter", "Distribution", "DistributionSummary", "Gauge", "Meter", "Metric", "MetricGroup"]
