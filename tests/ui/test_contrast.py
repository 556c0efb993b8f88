"""The colours of the page can be told apart by people who see little contrast (WCAG 2.2, level AA)."""

from __future__ import annotations

import re
from importlib.resources import files

import pytest

CSS = files("windrow.ui").joinpath("page", "page.css").read_text()
COLOUR = re.compile(r"--([\w-]+):\s*(#[0-9a-f]{6})")
LIGHT, DARK = (dict(COLOUR.findall(part)) for part in CSS.split("@media (prefers-color-scheme: dark)")[:2])
#: What is read on what: 4.5 to 1.
TEXT = [
    *[(ink, ground) for ink in ("ink", "quiet", "accent") for ground in ("card", "ground", "band", "note-ground")],
    *[(ink, "card") for ink in ("good", "bad", "warn")],
    ("ink", "warn-ground"),
    ("bad", "bad-ground"),
]
#: What has to be seen beside what: 3 to 1.
SHAPES = [
    *[(shape, "card") for shape in ("strong-line", "accent", "warn", *(f"line-{n}" for n in range(6)))],
    ("strong-line", "band"),
]


def luminance(colour: str) -> float:
    channels = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = [each / 12.92 if each <= 0.04045 else ((each + 0.055) / 1.055) ** 2.4 for each in channels]
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, two: str) -> float:
    brighter, darker = sorted((luminance(one), luminance(two)), reverse=True)
    return (brighter + 0.05) / (darker + 0.05)


def test_black_on_white_is_21():
    """The formula is WCAG's."""
    assert contrast("#000000", "#ffffff") == pytest.approx(21)


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize(("pairs", "least"), [(TEXT, 4.5), (SHAPES, 3.0)], ids=["text", "shapes"])
def test_colours_have_contrast(theme, pairs, least):
    """Text 4.5 to 1, shapes and lines 3 to 1, by day and by night."""
    weak = {f"{one} on {two}": round(contrast(theme[one], theme[two]), 2) for one, two in pairs}
    assert {pair: ratio for pair, ratio in weak.items() if ratio < least} == {}


def test_both_themes_name_the_same_colours():
    """No colour of the day is left over in the night."""
    assert set(LIGHT) - {"accent-ink"} <= set(DARK)


def test_no_colour_is_used_that_has_no_name():
    """So that this test sees all of them."""
    rules = re.sub(r":root \{.*?\}", "", CSS, flags=re.DOTALL)
    assert not re.search(r"#[0-9a-f]{3,8}\b|rgb\(|hsl\(", rules)
