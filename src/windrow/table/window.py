"""Windows of the Table API (PyFlink's module of the same name)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from windrow.common.checks import instance_of, text
from windrow.errors import ConfigurationTypeError
from windrow.table.expression import Expression
from windrow.table.expressions import CURRENT_RANGE, CURRENT_ROW, UNBOUNDED_RANGE

__all__ = ["GroupWindow", "Over", "OverWindow", "Session", "Slide", "Tumble"]


@dataclass(frozen=True)
class GroupWindow:
    """Windows of time that rows are grouped by (PyFlink's class of the same name).

    Attributes:
        kind: TUMBLE, HOP or SESSION.
        spans: The lengths, as ``GROUP BY TUMBLE(...)`` and such take them.
        time_field: The time attribute.
        name: What ``group_by`` and ``select`` call it.
    """

    kind: str
    spans: tuple[Expression, ...]
    time_field: Expression
    name: str


class OnTime:
    """Windows by a time attribute; they need a name: ``alias``."""

    def __init__(self, kind: str, spans: Sequence[Expression], time_field: Expression) -> None:
        self._kind, self._spans, self._time_field = kind, tuple(spans), time_field

    def alias(self, alias: str | Expression) -> GroupWindow:
        """The windows by a name for ``group_by`` and ``select``."""
        return GroupWindow(self._kind, self._spans, self._time_field, _name(alias))


class Lengths:
    """Windows of some lengths; they need a time attribute: ``on``."""

    def __init__(self, kind: str, *spans: Expression) -> None:
        self._kind, self._spans = kind, spans

    def on(self, time_field: Expression) -> OnTime:
        """The windows by a time attribute."""
        return OnTime(self._kind, self._spans, _expression(time_field, "time_field"))


class SlideWithSize:
    """Windows of a size; they need a slide: ``every``."""

    def __init__(self, size: Expression) -> None:
        self._size = size

    def every(self, slide: Expression) -> Lengths:
        """Say how far apart the windows begin."""
        return Lengths("HOP", _expression(slide, "slide"), self._size)


class Tumble:
    """Windows that follow each other (PyFlink's class of the same name).

    Example:
        >>> from windrow.table.expressions import col, lit
        >>> Tumble.over(lit(10).minutes).on(col("rowtime")).alias("w").name
        'w'
    """

    @classmethod
    def over(cls, size: Expression) -> Lengths:
        """Windows of a size: ``lit(10).minutes``."""
        return Lengths("TUMBLE", _expression(size, "size"))


class Slide:
    """Windows that overlap (PyFlink's class of the same name).

    Example:
        >>> from windrow.table.expressions import col, lit
        >>> Slide.over(lit(10).minutes).every(lit(5).minutes).on(col("rowtime")).alias("w").kind
        'HOP'
    """

    @classmethod
    def over(cls, size: Expression) -> SlideWithSize:
        """Windows of a size."""
        return SlideWithSize(_expression(size, "size"))


class Session:
    """Windows that end where nothing came for a while (PyFlink's class of the same name)."""

    @classmethod
    def with_gap(cls, gap: Expression) -> Lengths:
        """Windows that end when nothing has come for so long."""
        return Lengths("SESSION", _expression(gap, "gap"))


@dataclass(frozen=True)
class OverWindow:
    """The rows before each row, over which it has aggregates (PyFlink's class of the same name).

    Attributes:
        partition: By what rows are told apart.
        order: The time attribute.
        frame: How far it reaches back.
        name: What ``select`` calls it.
    """

    partition: tuple[Expression, ...]
    order: Expression
    frame: Expression
    name: str


@dataclass(frozen=True)
class Ordered:
    """Rows before each row, in their order; they need a name: ``alias``."""

    _partition: tuple[Expression, ...]
    _order: Expression
    _frame: Expression = UNBOUNDED_RANGE

    def preceding(self, preceding: Expression) -> Ordered:
        """Say how far back: ``UNBOUNDED_RANGE``, ``UNBOUNDED_ROW``, ``row_interval(2)``, ``lit(10).minutes``."""
        return replace(self, _frame=_expression(preceding, "preceding"))

    def following(self, following: Expression) -> Ordered:
        """Up to where: the current row, which is so anyway.

        Raises:
            ConfigurationTypeError: it is another bound.
        """
        if following is not CURRENT_ROW and following is not CURRENT_RANGE:
            msg = f"following takes CURRENT_ROW or CURRENT_RANGE; got {following!r}"
            raise ConfigurationTypeError(msg)
        return self

    def alias(self, alias: str | Expression) -> OverWindow:
        """The window by a name for ``select``."""
        return OverWindow(self._partition, self._order, self._frame, _name(alias))


class Partitioned:
    """Rows with equal keys; they need an order: ``order_by``."""

    def __init__(self, partition: Sequence[Expression]) -> None:
        self._partition = tuple(partition)

    def order_by(self, order_by: Expression) -> Ordered:
        """Rows in the order of a time attribute."""
        return Ordered(self._partition, _expression(order_by, "order_by"))


class Over:
    """Rows before each row (PyFlink's class of the same name).

    Example:
        >>> from windrow.table.expressions import col, row_interval
        >>> Over.partition_by(col("a")).order_by(col("ts")).preceding(row_interval(2)).alias(col("w")).name
        'w'
    """

    @classmethod
    def partition_by(cls, *partition_by: Expression) -> Partitioned:
        """Rows with equal keys."""
        return Partitioned([_expression(each, "partition_by") for each in partition_by])

    @classmethod
    def order_by(cls, order_by: Expression) -> Ordered:
        """All rows in the order of a time attribute."""
        return Partitioned(()).order_by(order_by)


def _expression(given: Any, parameter: str) -> Expression:
    made: Expression = instance_of(given, Expression, parameter, "write col('name') or lit(10).minutes")
    return made


def _name(alias: str | Expression) -> str:
    if isinstance(alias, Expression) and alias._kind == "col":
        return str(alias._parts[0])
    return text(alias, "alias")
