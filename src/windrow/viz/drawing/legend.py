"""Explains the marks of a picture, those that are in it."""

from __future__ import annotations

from collections.abc import Iterator

from windrow.viz.drawing.scene import Box, Dot, Label, Line, Shape

_SIZE, _ROW, _GAP = 10.5, 19.0, 18.0
#: By name what is said of a mark, in the order of the legend.
WORDS = {
    "element": "element",
    "left": "left element",
    "right": "right element",
    "behind": "behind the watermark, and in time",
    "late": "too late",
    "no window": "in no window",
    "fired": "window fires",
    "kept": "kept for late elements",
    "cleaned": "cleaned up",
    "merged": "sessions become one",
    "purged": "emptied",
    "evicted": "evicted",
    "reach": "where its partners lie",
    "kept element": "kept for partners",
    "match": "match",
    "watermark": "watermark",
    "lateness": "watermark less allowed lateness",
    "processing time": "processing time",
}


class Legend:
    """A line, or some, of marks with words.

    Args:
        marks: Which ones.
        left: Where it begins, in pixels.
        right: Where it ends.
    """

    def __init__(self, marks: set[str], left: float, right: float) -> None:
        self._places: list[tuple[float, int, str]] = []
        x, row = left, 0
        for name in (name for name in WORDS if name in marks):
            wide = 26 + Label(0, 0, WORDS[name], size=_SIZE).width
            if x + wide > right and x > left:
                x, row = left, row + 1
            self._places.append((x, row, name))
            x += wide + _GAP
        self.height = _ROW * (row + 1) if self._places else 0.0

    def drawn(self, top: float) -> Iterator[Shape]:
        """The legend, with its upper end at ``top``."""
        for x, row, name in self._places:
            y = top + _ROW * row + _ROW / 2
            yield from _mark(name, x, y)
            yield Label(x + 26, y + 4, WORDS[name], "muted", _SIZE)


def _mark(name: str, x: float, y: float) -> Iterator[Shape]:
    middle = x + 10
    match name:
        case "element":
            yield Dot(middle, y, "window0")
        case "left":
            yield Dot(middle, y, "window0")
        case "right":
            yield Dot(middle, y, "window1", form="square")
        case "behind":
            yield Dot(middle, y, "late", 8, hollow=True)
            yield Dot(middle, y, "window0")
        case "late":
            yield Dot(middle, y, "late", form="cross")
        case "no window":
            yield Dot(middle, y, "muted", hollow=True)
        case "fired":
            yield Box(x, y - 2, 20, 4, "window0")
        case "kept":
            yield Box(x, y - 6, 20, 12, "window0", 0.12)
            yield Line(((x, y - 6), (x, y + 6)), "window0", 1.2, dashed=True)
            yield Line(((x + 20, y - 6), (x + 20, y + 6)), "window0", 1.2, dashed=True)
        case "cleaned":
            yield Line(((x, y - 3), (x, y + 3)), "muted", 1.5)
            yield Line(((x, y), (x + 20, y)), "muted", 1.5)
            yield Line(((x + 20, y - 3), (x + 20, y + 3)), "muted", 1.5)
        case "merged":
            yield Line(((x, y), (x + 20, y)), "window0", 3.0)
        case "purged":
            yield Line(((x, y), (x + 20, y)), "window0", 1.5, dashed=True)
        case "evicted":
            yield Box(x, y - 2, 20, 4, "window0")
            yield Dot(middle, y, "window0", 4.5, hollow=True)
        case "reach":
            yield Box(x, y - 3, 20, 6, "window0", 0.25)
        case "kept element":
            yield Line(((middle, y - 7), (middle, y + 7)), "window0", 1.5, dashed=True)
        case "match":
            yield Line(((x, y + 5), (x + 20, y - 5)), "window2", 2.0)
        case "watermark" | "processing time":
            yield Line(((x, y + 5), (middle, y + 5), (middle, y - 5), (x + 20, y - 5)), "watermark", 2.2)
        case "lateness":
            yield Line(((x, y + 5), (middle, y + 5), (middle, y - 5), (x + 20, y - 5)), "muted", 1.4, dashed=True)
