"""A picture is written as SVG or PNG, light or dark, still or moving."""

import struct
import xml.etree.ElementTree as ElementTree

import pytest

from windrow.datastream.window import EventTimeSessionWindows
from windrow.errors import ConfigurationError
from windrow.testing import window_harness
from windrow.viz import Recording
from windrow.viz.drawing.palette import DARK, LIGHT

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def picture():
    recording = Recording()
    harness = window_harness(EventTimeSessionWindows.with_gap(10), key=len, reduce=max, recording=recording)
    for timestamp in (0, 15, 8):
        harness.process_element("<&>", timestamp)
    harness.process_watermark(30)
    harness.process_element("abc", 2)
    return recording.trace().draw(title="a < b")


def test_it_is_well_formed(picture):
    """What elements are is text in the document, whatever characters they have."""
    root = ElementTree.fromstring(picture.svg())
    texts = [element.text for element in root.iter(f"{SVG}text")]
    assert "a < b" in texts
    assert texts.count("<&>") == 4  # three elements, and a result


def test_themes(picture):
    """Without a theme the reader's system decides; with one it does not."""
    both, dark = picture.svg(), picture.svg("dark")
    assert "prefers-color-scheme: dark" in both
    assert "prefers-color-scheme" not in dark
    assert DARK["window0"] in dark
    assert LIGHT["window0"] not in dark
    with pytest.raises(ConfigurationError, match="'sepia'"):
        picture.svg("sepia")


def test_an_animation_repeats_and_ends_with_the_whole_picture(picture):
    """The opening of the animation goes from nothing to all, in rising times from 0 to 1."""
    root = ElementTree.fromstring(picture.svg(animated=True))
    heights = [element for element in root.iter(f"{SVG}animate") if element.get("attributeName") == "height"]
    (animated,) = heights
    opening = [float(value) for value in animated.get("values").split(";")]
    times = [float(value) for value in animated.get("keyTimes").split(";")]
    assert opening == sorted(opening)
    assert opening[0] == 0
    assert (times[0], times[-1]) == (0, 1)
    assert times == sorted(times)
    assert len(times) == len(opening)
    assert animated.get("repeatCount") == "indefinite"
    still = next(root.iter(f"{SVG}clipPath")).find(f"{SVG}rect")
    assert float(still.get("height")) == opening[-1]  # where nothing moves all is shown


def test_styles_of_one_picture_do_not_reach_another(picture):
    """Each rule is of the picture's own class."""
    root = ElementTree.fromstring(picture.svg())
    name = root.get("class")
    rules = [line for line in root.find(f"{SVG}style").text.splitlines() if "{" in line and not line.startswith("@")]
    assert rules
    assert all(line.startswith(f".{name} ") for line in rules)


def test_files(picture, tmp_path):
    """The path's end says the form."""
    svg = picture.save(tmp_path / "a.svg", "light")
    assert svg.read_text() == picture.svg("light")
    png = picture.save(str(tmp_path / "a.png"), "dark").read_bytes()
    assert png.startswith(b"\x89PNG")
    width, _ = struct.unpack(">II", png[16:24])
    assert width == 2 * 860
    for path, animated in (("a.gif", False), ("b.png", True)):
        with pytest.raises(ConfigurationError, match="if it does not move"):
            picture.save(tmp_path / path, animated=animated)
