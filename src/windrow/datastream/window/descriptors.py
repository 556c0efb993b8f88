"""The state that built-in triggers keep: a count, or the next time to fire."""

from __future__ import annotations

from windrow.common.typeinfo import Types
from windrow.datastream.state import ReducingStateDescriptor


def _add(left: int, right: int) -> int:
    return left + right


def _earlier(left: int, right: int) -> int:
    return min(left, right)


#: How many elements a window has received; counts of merged windows add up.
COUNT = ReducingStateDescriptor("count", _add, Types.LONG())
#: When a continuous trigger fires next; of merged windows the earliest counts.
FIRE_TIME = ReducingStateDescriptor("fire-time", _earlier, Types.LONG())
