"""Counts of a job's operators and functions: one value, from a single subtask's part to the whole job's."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Union

from windrow.common.accumulators import Accumulator
from windrow.errors import UsageError, user_function_error
from windrow.metrics import DistributionSummary
from windrow.operators.user_function import NoElement

#: Of a counter or meter its sum, of a distribution its summary, of a gauge the last value of each subtask. What is
#: counted by subtask is a ``Counter``: its parts add up. A tuple is a whole: the last one counts.
MetricTotal = Union[int, DistributionSummary, dict[Any, Any], tuple[Any, ...], "SplitCounts"]


@dataclass(frozen=True)
class SplitCounts:
    """The numbers of elements that splits have given, by subtask; splits that their subtask no longer has are left out.

    A source may have as many splits as there are files in a folder, one after the other.
    """

    counted: Mapping[int, Counter[str]]
    #: By subtask, the splits that it has behind a batch; a subtask whose batch goes on is not in it.
    there: Mapping[int, frozenset[str]] = field(default_factory=dict)

    def merged(self, later: SplitCounts) -> SplitCounts:
        """With those of a later part."""
        counted = dict(self.counted)
        for subtask, counts in later.counted.items():
            both = counted.get(subtask, Counter()) + counts
            there = later.there.get(subtask)
            if there is not None:
                both = Counter({split: count for split, count in both.items() if split in there or split in counts})
            counted[subtask] = both
        return SplitCounts(counted, {**self.there, **later.there})

    def by_split(self) -> Counter[str]:
        """Those of all subtasks together."""
        total: Counter[str] = Counter()
        for counts in self.counted.values():
            total.update(counts)
        return total


@dataclass
class AccumulatorTotal:
    """An accumulator, and the operator that is named if it does not fit another one."""

    accumulator: Accumulator[Any, Any]
    operator: str


@dataclass
class Totals:
    """Merging takes a part in; parts may come in any order."""

    #: What was dropped and why, by the operator's tag: ``num_late_records_dropped`` and the like.
    counters: dict[str, Counter[str]] = field(default_factory=dict)
    #: By name, over the whole job.
    accumulators: dict[str, AccumulatorTotal] = field(default_factory=dict)
    #: By the operator's tag, then by the metric's name.
    metrics: dict[str, dict[str, MetricTotal]] = field(default_factory=dict)
    #: What the runtime measures, by the operator's tag and the metric's name. It is no result: totals are equal if all
    #: else is.
    measured: dict[str, dict[str, MetricTotal]] = field(default_factory=dict, compare=False)

    def __bool__(self) -> bool:
        return bool(self.counters or self.accumulators or self.metrics or self.measured)

    def merge(self, part: Totals) -> None:
        """Take in ``part``, whose objects belong to this one from now on.

        Raises:
            UsageError: an accumulator has another type in the part.
            UserFunctionError: an accumulator cannot be merged.
        """
        for tag, counted in part.counters.items():
            self.counters.setdefault(tag, Counter()).update(counted)
        for name, total in part.accumulators.items():
            mine = self.accumulators.setdefault(name, total)
            if mine is not total:
                _merge_accumulator(name, mine, total)
        for tag, metrics in part.metrics.items():
            merge_metrics(self.metrics.setdefault(tag, {}), metrics)
        for tag, measured in part.measured.items():
            merge_metrics(self.measured.setdefault(tag, {}), measured)

    def merged(self, part: Totals) -> Totals:
        """Both together; this one stays as it is, whoever may be reading it."""
        both = self.copy()
        both.merge(part)
        return both

    def copy(self) -> Totals:
        """A copy that shares nothing that changes."""
        accumulators = {
            name: AccumulatorTotal(total.accumulator.clone(), total.operator)
            for name, total in self.accumulators.items()
        }
        counters = {tag: counted.copy() for tag, counted in self.counters.items()}
        metrics = {tag: dict(of_operator) for tag, of_operator in self.metrics.items()}
        measured = {tag: dict(of_operator) for tag, of_operator in self.measured.items()}
        return Totals(counters, accumulators, metrics, measured)

    def accumulator_results(self) -> dict[str, Any]:
        """The accumulators' values, by name."""
        return {name: total.accumulator.get_local_value() for name, total in self.accumulators.items()}


def merge_metrics(metrics: dict[str, MetricTotal], part: dict[str, MetricTotal]) -> None:
    """Take the metrics of a part into ``metrics``, all of one operator."""
    for name, value in part.items():
        mine = metrics.get(name)
        if isinstance(mine, int) and isinstance(value, int):
            metrics[name] = mine + value
        elif isinstance(mine, DistributionSummary) and isinstance(value, DistributionSummary):
            metrics[name] = mine.merged(value)
        elif isinstance(mine, Counter) and isinstance(value, Counter):
            metrics[name] = mine + value
        elif isinstance(mine, SplitCounts) and isinstance(value, SplitCounts):
            metrics[name] = mine.merged(value)
        elif isinstance(mine, dict) and isinstance(value, dict):
            metrics[name] = mine | value
        else:  # the first one, or a function that gives a name to another kind of metric in another subtask
            metrics[name] = value


def _merge_accumulator(name: str, mine: AccumulatorTotal, other: AccumulatorTotal) -> None:
    one, two = type(mine.accumulator), type(other.accumulator)
    # By name: the class of a program's main module is another object after a restart, and may be in a worker.
    if (one.__module__, one.__qualname__) != (two.__module__, two.__qualname__):
        msg = (
            f"accumulator {name!r} is of type {one.__name__} in operator {mine.operator!r} and of type "
            f"{two.__name__} in operator {other.operator!r}; one name stands for one accumulator of the whole job: "
            "use one type, or another name"
        )
        raise UsageError(msg)
    try:
        mine.accumulator.merge(other.accumulator)
    except BaseException as error:
        raise user_function_error(other.operator, NoElement(f"merge of accumulator {name!r}"), error) from error
