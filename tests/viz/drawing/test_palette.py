"""Colours are legible on their paper, and told apart."""

from itertools import combinations

import pytest

from windrow.viz.drawing.palette import DARK, LIGHT, window_color


def luminance(color):
    """Relative luminance as WCAG 2 defines it."""
    parts = [int(color[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one, other):
    darker, lighter = sorted([luminance(one), luminance(other)])
    return (lighter + 0.05) / (darker + 0.05)


@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
def test_contrast(palette):
    """Text has a contrast of 4.5 to the paper, late elements too; the other marks have 2.5 at least, and differ."""
    for name in ("ink", "muted", "late"):
        assert contrast(palette[name], palette["paper"]) >= 4.5, name
    windows = [palette[window_color(number)] for number in range(6)]
    assert all(contrast(color, palette["paper"]) >= 2.5 for color in windows)
    assert all(one != other for one, other in combinations(windows, 2))


def test_both_have_the_same_names():
    """A shape has its colour on both papers."""
    assert LIGHT.keys() == DARK.keys()
