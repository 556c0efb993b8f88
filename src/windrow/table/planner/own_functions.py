"""Checks that aggregates of a program's own can do what they have to where they stand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from windrow.datastream.window import MergingWindowAssigner
from windrow.errors import ConfigurationError
from windrow.expressions.nodes import USER_AGGREGATE
from windrow.operators.table.row_aggregates import RowCall
from windrow.table.udf import UserDefinedAggregateFunctionWrapper


def own_functions(calls: Sequence[RowCall]) -> list[UserDefinedAggregateFunctionWrapper]:
    """The program's own among the aggregates."""
    return [call.options[0] for call in calls if call.name == USER_AGGREGATE]


def check_merges(calls: Sequence[RowCall], assigner: Any) -> None:
    """Refuse what cannot merge where windows do.

    Raises:
        ConfigurationError: a function has no ``merge``.
    """
    if not isinstance(assigner, MergingWindowAssigner):
        return
    for call in calls:
        if call.name == USER_AGGREGATE and not call.distinct and not call.options[0].merges:
            msg = f"function {call.options[0].name} has no merge, which windows that become one need: write the method"
            raise ConfigurationError(msg)


def check_without_window(calls: Sequence[RowCall], *, retracts: bool) -> None:
    """Refuse what a group without a window cannot compute row by row.

    Raises:
        ConfigurationError: a function takes columns, or has no ``retract`` where rows are taken back.
    """
    for function in own_functions(calls):
        if function.takes_columns:
            msg = (
                f"function {function.name} takes columns of all rows of a group, which a GROUP BY without a window "
                "never has: group by a window, or write an AggregateFunction"
            )
            raise ConfigurationError(msg)
        if retracts and not function.retracts:
            msg = f"function {function.name} has no retract, and here rows are taken back: write the method"
            raise ConfigurationError(msg)


def check_over(calls: Sequence[RowCall], *, bounded: bool) -> None:
    """Refuse what cannot take back rows that leave a frame.

    Raises:
        ConfigurationError: a function has no ``retract``.
    """
    for function in own_functions(calls):
        if bounded and not function.retracts:
            msg = f"function {function.name} has no retract, which OVER with a bounded frame needs: write the method"
            raise ConfigurationError(msg)
