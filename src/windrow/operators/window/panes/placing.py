"""Finds where elements of a batch belong: to which panes, and whether they are late for some or all windows."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from windrow.common.limits import LONG_MAX, LONG_MIN
from windrow.operators.column_folds.field_fold import Longs
from windrow.operators.window.aligned_windows import AlignedWindows, Times
from windrow.operators.window.panes.pane_windows import Grid

Mask: TypeAlias = npt.NDArray[np.bool_]


class Placed(NamedTuple):
    """The panes of a batch's elements; nothing else if all are in time for all of their windows."""

    of_pane: Longs
    #: Which are in no window that is kept, and of these which are between two windows.
    skipped: Mask | None = None
    in_gap: Mask | None = None
    #: Which are skipped, or in a window that has fired and is kept.
    late: Mask | None = None
    #: Which are in a window that has not fired.
    is_open: Mask | None = None


def place(grid: Grid, times: Times, watermark: int, lateness: int) -> Placed:
    """Say for elements of these times where they belong.

    Args:
        grid: the panes.
        times: the elements' timestamps.
        watermark: the current watermark.
        lateness: how long windows are kept.
    """
    windows = grid.windows
    of_pane = grid.panes_of(times)
    first_open = windows.first_end_after(watermark)
    first_kept = LONG_MAX if watermark == LONG_MAX else first_end_kept(windows, watermark, lateness)
    over = grid.first_pane(first_kept)
    # Panes before this one are in a window that has fired.
    fired = grid.first_pane(first_open - windows.slide) + grid.panes
    limit = fired if lateness else over
    has_gaps = windows.slide > windows.size
    if int(of_pane.min()) >= limit and not has_gaps:
        return Placed(of_pane)
    in_gap = np.zeros(times.size, bool)
    if has_gaps:
        in_gap = times - windows.offset - of_pane * grid.pane >= windows.size
    skipped = _before(of_pane, over) | in_gap
    late = skipped | _before(of_pane, limit)
    return Placed(of_pane, skipped, in_gap, late, ~(_before(of_pane, grid.first_pane(first_open)) | in_gap))


def first_end_kept(windows: AlignedWindows, watermark: int, lateness: int) -> int:
    """The end of the first window that is not over."""
    # Windows that wait for late elements until the end of time are never over.
    return windows.first_end_after(max(min(watermark, LONG_MAX - 1) - lateness, LONG_MIN))


def _before(panes: Longs, limit: int) -> Mask:
    """Tell of each pane whether it is before one that may be before all numbers of 64 bits."""
    return panes < limit if limit > LONG_MIN else np.zeros(panes.size, bool)
