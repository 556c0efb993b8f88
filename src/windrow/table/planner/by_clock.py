"""Streams of relations that depend on processing time: OVER, interval joins."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from windrow.datastream.streams.data_stream import DataStream
from windrow.datastream.streams.keyed_stream import KeyedStream
from windrow.datastream.streams.program import factory
from windrow.errors import ConfigurationError
from windrow.operators.table.by_clock import OverByClockOperator
from windrow.operators.table.over import RunningOverOperator
from windrow.operators.table.row_aggregates import RowCall
from windrow.sql.plan import Aggregate, Over, Relation, Window, WindowTable


def refuse_by_clock(window: Window, what: str) -> None:
    """Refuse what Flink has for event time alone.

    Raises:
        ConfigurationError: these are windows of processing time.
    """
    if window.by_clock:
        msg = (
            f"{what} is not supported by processing time, as in Flink: aggregate by window_start and window_end, or "
            "take event time"
        )
        raise ConfigurationError(msg)


def refuse_open_windows(relation: Aggregate) -> None:
    """Refuse groups of windows of processing time whose rows come before these are over.

    Raises:
        ConfigurationError: they do; only groups of the window itself know when that is.
    """
    if not _is_over(relation.input):
        msg = (
            "groups of windows of processing time are made of the window table function as it is: GROUP BY "
            "window_start, window_end and columns behind it, without computing with them"
        )
        raise ConfigurationError(msg)


def _is_over(relation: Relation) -> bool:
    """Tell whether rows of a window come when it is over."""
    if isinstance(relation, Aggregate):
        return relation.windowed
    return not isinstance(relation, WindowTable) and all(_is_over(each) for each in relation.inputs)


def refuse_in_batch(streaming: bool, what: str) -> None:
    """Refuse what needs time that goes on.

    Raises:
        ConfigurationError: tables are read at once.
    """
    if not streaming:
        msg = f"{what} are not supported in batch mode, as in Flink: take streaming mode"
        raise ConfigurationError(msg)


def over_by_clock(elements: KeyedStream, relation: Over, calls: Sequence[RowCall]) -> DataStream:
    """Aggregates over the rows that came up to each row: at once, unless rows of one time have one result."""
    if relation.by_rows or relation.preceding is None:
        running = factory(partial(RunningOverOperator, preceding=relation.preceding), calls)
        return elements._transform("Over Aggregate", running, None, stateless=False, convert=False)
    make = factory(OverByClockOperator, calls, relation.preceding)
    return elements._transform("Over Aggregate", make, None, stateless=False, convert=False, uses_processing_time=True)
