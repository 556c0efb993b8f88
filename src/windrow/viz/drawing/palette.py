"""The colours of pictures, on light and on dark paper.

Those of windows are Okabe and Ito's, which people with any of the common kinds of colour blindness tell apart, with
a darker yellow on light paper; on dark paper they are lighter.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

Theme: TypeAlias = Literal["light", "dark"]

LIGHT = {
    "paper": "#ffffff",
    "ink": "#1f2933",
    "muted": "#5b6875",
    "grid": "#e3e8ec",
    "passed": "#7b8794",
    "watermark": "#1f2933",
    "late": "#c2410c",
    "window0": "#0072b2",
    "window1": "#d98e04",
    "window2": "#009e73",
    "window3": "#b0578d",
    "window4": "#3b9fd8",
    "window5": "#8a7a00",
}
DARK = {
    "paper": "#14181d",
    "ink": "#e6ebf0",
    "muted": "#a3afbb",
    "grid": "#2b333b",
    "passed": "#8a97a5",
    "watermark": "#f2f5f7",
    "late": "#ff8a5c",
    "window0": "#4aa8e8",
    "window1": "#f0b03c",
    "window2": "#34c79b",
    "window3": "#dd8fbd",
    "window4": "#8fd0f5",
    "window5": "#e3d454",
}
PALETTES: dict[Theme, dict[str, str]] = {"light": LIGHT, "dark": DARK}

_WINDOWS = 6


def window_color(number: int) -> str:
    """The name of the colour of a window: windows side by side have different ones.

    Example:
        >>> window_color(0), window_color(6)
        ('window0', 'window0')
    """
    return f"window{number % _WINDOWS}"
