"""Counts for one operator in one subtask, with its functions."""

from __future__ import annotations

from collections import Counter

from windrow.errors import user_function_error
from windrow.graph.job_graph import Node
from windrow.metrics import Gauge, Metric
from windrow.operators.runtime_context import OperatorRuntimeContext
from windrow.operators.user_function import NoElement
from windrow.runtime.stage.totals import AccumulatorTotal, MetricTotal, Totals


class FunctionTotals:
    """Shows what was counted since it was last settled, as a part of the job's totals."""

    def __init__(self, node: Node, context: OperatorRuntimeContext, counters: Counter[str]) -> None:
        self._node = node
        self._context = context
        self._counters = counters

    def part(self, *, gauges: bool = True) -> Totals:
        """Give what was counted, in objects of its own."""
        name, tag = self._node.name, self._node.tag
        part = Totals()
        if self._counters:
            part.counters[tag] = self._counters.copy()
        for registered, accumulator in self._context.accumulators.parts().items():
            part.accumulators[registered] = AccumulatorTotal(accumulator, name)
        metrics = dict(self._context.metric_group.metrics())
        values = {
            metric_name: self._value(metric_name, metric)
            for metric_name, metric in metrics.items()
            if gauges or not isinstance(metric, Gauge)
        }
        if values:
            part.metrics[tag] = values
        return part

    def settle(self) -> None:
        """Forget what :meth:`part` gave: it was handed over."""
        self._counters.clear()
        self._context.accumulators.reset()
        for _, metric in self._context.metric_group.metrics():
            metric.settle()

    def discard(self) -> None:
        """Forget what was counted: it was never handed over, and never will be."""
        self._counters.clear()
        self._context.accumulators.reset()
        for _, metric in self._context.metric_group.metrics():
            metric.discard()

    def _value(self, name: str, metric: Metric) -> MetricTotal:
        if not isinstance(metric, Gauge):
            value: MetricTotal = metric.part()
            return value
        try:
            return {self._context.subtask_index: metric.get_value()}
        except BaseException as error:
            raise user_function_error(self._node.name, NoElement(f"gauge {name!r}"), error) from error
