"""The forms in which assigners, triggers and evictors take a span of time."""

from __future__ import annotations

import datetime
from typing import TypeAlias

from windrow.common.time import Duration, Time

#: An int is a number of milliseconds.
TimeSpan: TypeAlias = Time | Duration | datetime.timedelta | int
