"""The base of operators that keep the aggregates of a key."""

from __future__ import annotations

from collections.abc import Sequence

from windrow.operators.base import Operator, OperatorContext
from windrow.operators.table.accumulators import Accumulators
from windrow.operators.table.row_aggregates import RowCall


class AggregatingOperator(Operator):
    """Has aggregates, which are opened and closed with it.

    Args:
        calls: The aggregates.
        retracts: Whether tuples may be taken back.
    """

    def __init__(self, calls: Sequence[RowCall], *, retracts: bool) -> None:
        for call in calls:
            call.check()
        self._aggregates = Accumulators(calls, retracts=retracts)

    def open(self, context: OperatorContext) -> None:
        super().open(context)
        self._aggregates.open(context)

    def close(self) -> None:
        self._aggregates.close()
