"""Finds assigners that have something to remember: those that draw a stagger at their first element."""

from __future__ import annotations

from typing import Any, TypeAlias

from windrow.datastream.window import (
    TumblingEventTimeWindows,
    TumblingProcessingTimeWindows,
    WindowAssigner,
    WindowStagger,
)

StaggeredAssigner: TypeAlias = TumblingEventTimeWindows | TumblingProcessingTimeWindows


def staggered(assigner: WindowAssigner[Any, Any]) -> StaggeredAssigner | None:
    """The assigner, if its ``stagger_offset`` is drawn and so belongs to the operator's state; else None.

    Example:
        >>> staggered(TumblingEventTimeWindows.of(10, 0, WindowStagger.RANDOM))
        TumblingEventTimeWindows(10, 0, RANDOM)
    """
    if isinstance(assigner, StaggeredAssigner) and assigner.window_stagger is not WindowStagger.ALIGNED:
        return assigner
    return None
