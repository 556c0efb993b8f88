"""Running reduce and aggregation: on columns where the function folds each field, else on rows."""

from __future__ import annotations

from typing import Any

from windrow.operators.base import Operator
from windrow.operators.reduce import ReduceOperator


def running_reduce(function: Any) -> Operator:
    """The operator that emits each result so far.

    Args:
        function: A ``ReduceFunction``, a callable of two elements, or a built-in aggregation.
    """
    by_row = ReduceOperator(function)
    if by_row.may_use_state:
        return by_row
    # Here, because it imports Arrow.
    from windrow.operators.running_reduce.operator import RunningReduceOperator

    return RunningReduceOperator(by_row)
