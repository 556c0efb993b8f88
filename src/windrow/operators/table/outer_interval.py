"""Rows within an interval of time of each other, and those alone (Flink's ``RowTimeIntervalJoin``)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from windrow.datastream.functions import KeyedCoProcessFunction
from windrow.datastream.state import MapStateDescriptor
from windrow.operators.table.joins import Condition


class OuterIntervalJoin(KeyedCoProcessFunction):
    """Pairs of rows whose times are within an interval, and rows beside NULL once none can come that fits.

    Args:
        kind: LEFT, RIGHT or FULL.
        bounds: From when to when the right row's time is behind that of the left one, in milliseconds.
        keys: The places of the keys in tuples of the left side, and of the right side: NULL is equal to nothing.
        widths: How many fields tuples of each side have, behind the first one, which is their key.
        condition: What else has to be true of pairs.
    """

    def __init__(
        self,
        kind: str,
        bounds: tuple[int, int],
        keys: tuple[Sequence[int], Sequence[int]],
        widths: tuple[int, int],
        condition: Condition,
    ) -> None:
        self._outer = (kind in ("LEFT", "FULL"), kind in ("RIGHT", "FULL"))
        self._lower, self._upper = bounds
        self._keys = keys
        self._widths = widths
        self._condition = condition

    def open(self, runtime_context: Any) -> None:
        # By their time, the rows of each side that may still meet others, each with whether it has met one.
        self._kept = tuple([runtime_context.get_map_state(MapStateDescriptor(name)) for name in ("left", "right")])

    def process_element1(self, value: Any, ctx: Any) -> Iterator[Any]:
        return self._joined(0, value[1:], ctx)

    def process_element2(self, value: Any, ctx: Any) -> Iterator[Any]:
        return self._joined(1, value[1:], ctx)

    def _joined(self, side: int, row: Any, ctx: Any) -> Iterator[Any]:
        time, others = ctx.timestamp(), self._kept[1 - side]
        first, last = (self._lower, self._upper) if side == 0 else (-self._upper, -self._lower)
        has_met = False
        if all(row[place] is not None for place in self._keys[side]):
            for at in [each for each in others.keys() if time + first <= each <= time + last]:  # noqa: SIM118
                rows = others.get(at)
                pairs = [row + other if side == 0 else other + row for other, _ in rows]
                fit = self._condition.of(pairs)
                if any(fit):
                    has_met = True
                    others.put(at, [(o, met or fits) for (o, met), fits in zip(rows, fit, strict=True)])
                    yield from [pair for pair, fits in zip(pairs, fit, strict=True) if fits]
        if ctx.timer_service().current_watermark() < time + last:
            kept = self._kept[side]
            kept.put(time, [*(kept.get(time) or []), (row, has_met)])
            ctx.timer_service().register_event_time_timer(time + last)
        elif not has_met and self._outer[side]:
            yield self._alone(side, row)

    def on_timer(self, timestamp: int, ctx: Any) -> Iterator[Any]:
        for side, time in enumerate((timestamp - self._upper, timestamp + self._lower)):
            rows = self._kept[side].get(time) or []
            if rows:
                self._kept[side].remove(time)
            if self._outer[side]:
                yield from [self._alone(side, row) for row, has_met in rows if not has_met]

    def _alone(self, side: int, row: Any) -> Any:
        nothing = (None,) * self._widths[1 - side]
        return row + nothing if side == 0 else nothing + row
