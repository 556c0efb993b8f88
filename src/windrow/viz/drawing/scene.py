"""A picture as shapes, in pixels from the upper left corner; colours are names that a palette knows."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

Anchor: TypeAlias = Literal["start", "middle", "end"]
Form: TypeAlias = Literal["circle", "square", "cross"]


@dataclass(frozen=True)
class Box:
    """A filled rectangle; places and sizes are in pixels."""

    x: float
    y: float
    width: float
    height: float
    fill: str
    opacity: float = 1.0
    #: What is told where the pointer rests on it.
    title: str | None = None


@dataclass(frozen=True)
class Line:
    """A line through points; with ``fill`` it is closed and filled, and has no stroke."""

    points: tuple[tuple[float, float], ...]
    color: str
    width: float = 1.0
    dashed: bool = False
    opacity: float = 1.0
    fill: bool = False


@dataclass(frozen=True)
class Dot:
    """A small mark; ``hollow`` ones are filled with the colour of the paper."""

    x: float
    y: float
    color: str
    radius: float = 5.0
    form: Form = "circle"
    hollow: bool = False
    title: str | None = None


@dataclass(frozen=True)
class Label:
    """Text; ``y`` is that of its base line."""

    x: float
    y: float
    text: str
    color: str = "ink"
    size: float = 11.0
    anchor: Anchor = "start"
    bold: bool = False
    #: Whether it is written upwards.
    upwards: bool = False
    #: Whether it has a border in the colour of the paper, to be legible on lines.
    halo: bool = False

    @property
    def width(self) -> float:
        """About how many pixels it takes."""
        return width_of(self.text, self.size, bold=self.bold)


Shape: TypeAlias = Box | Line | Dot | Label


@dataclass
class Region:
    """A part of the picture that an animation shows bit by bit, from below to above."""

    x: float
    y: float
    width: float
    height: float
    shapes: list[Shape] = field(default_factory=list)
    #: Where each step is, from below to above.
    stops: list[float] = field(default_factory=list)


@dataclass
class Scene:
    """A whole picture: what is always there, and regions on top of it."""

    width: float
    height: float
    title: str
    still: list[Shape] = field(default_factory=list)
    regions: list[Region] = field(default_factory=list)


def width_of(text: str, size: float, *, bold: bool = False) -> float:
    """About how many pixels a text takes in a usual sans-serif font.

    Example:
        >>> width_of("watermark", 10)
        48.0
    """
    narrow = sum(character in "ijlt.,:;'|!()[] fr" for character in text)
    units = 0.62 * (len(text) - narrow) + 0.36 * narrow
    return round(units * size * (1.06 if bold else 1.0), 1)
