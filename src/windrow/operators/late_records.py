"""The counter of elements that came too late."""

from __future__ import annotations

#: Counts elements that came too late and had no side output to go to.
LATE_RECORDS = "num_late_records_dropped"
