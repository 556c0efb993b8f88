"""The interval join operator."""

from windrow.datastream.functions import ProcessJoinFunction
from windrow.operators.base import TwoInputOperator
from windrow.operators.interval_join.interval import Interval
from windrow.operators.interval_join.operator import IntervalJoinOperator

__all__ = ["Interval", "IntervalJoinOperator", "interval_join_operator"]


def interval_join_operator(
    function: ProcessJoinFunction,
    interval: Interval,
    late_left_tag_id: str | None = None,
    late_right_tag_id: str | None = None,
    of_windows: bool = False,
) -> TwoInputOperator:
    """The operator that joins: on columns where it can, unless the function may use keyed state.

    The arguments are those of :class:`IntervalJoinOperator`.
    """
    by_row = IntervalJoinOperator(function, interval, late_left_tag_id, late_right_tag_id, of_windows=of_windows)
    if by_row.may_use_state:
        return by_row
    # Here, because it imports Arrow.
    from windrow.operators.interval_join.column_operator import ColumnJoinOperator

    return ColumnJoinOperator(by_row)
