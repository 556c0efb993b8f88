"""A trace is plain data, which can be narrowed to a key and drawn."""

import pickle
import re

import pytest

from windrow.datastream.window import TumblingEventTimeWindows
from windrow.errors import ConfigurationError
from windrow.testing import window_harness
from windrow.viz import Recording
from windrow.viz.events import OfKey, WatermarkAdvanced


@pytest.fixture
def trace():
    recording = Recording()
    harness = window_harness(TumblingEventTimeWindows(10), key=lambda word: word[0], reduce=max, recording=recording)
    harness.process_elements([("ab", 1), ("ba", 2), ("ca", 2), ("da", 2), ("ea", 2)])
    harness.process_watermark(9)
    return recording.trace()


def test_it_is_plain_data(trace):
    """A trace can be compared and pickled."""
    assert pickle.loads(pickle.dumps(trace)) == trace


def test_of_a_key(trace):
    """What is of one key, and the time that it saw."""
    mine = trace.of_key("b")
    assert mine.keys() == ["b"]
    assert {event.key for event in mine.events if isinstance(event, OfKey)} == {"b"}
    assert any(isinstance(event, WatermarkAdvanced) for event in mine.events)


def test_a_key_that_no_element_had(trace):
    """A wrong key is an error that names those that there are."""
    for ask in (trace.of_key, trace.draw):
        with pytest.raises(ConfigurationError, match="no element had the key 'z'; there are: 'a', 'b'"):
            ask("z")


def test_the_first_keys_are_drawn(trace):
    """Without a key the first four are drawn, and the picture says of how many."""
    svg = trace.draw().svg()
    assert "the first 4 of 5 keys" in svg
    assert "key 'd'" in svg
    assert "key 'e'" not in svg


def test_arrival_by_processing_time():
    """Steps lie as far apart as processing time has moved in between, which is named beside them."""
    recording = Recording()
    harness = window_harness(TumblingEventTimeWindows(10), reduce=max, recording=recording)
    for time in (1000, 1500, 4000):
        harness.set_processing_time(time)
        harness.process_element("a", 1)
    svg = recording.trace().draw(arrival="processing time").svg()
    assert "processing time \u2192" in svg
    heights = [float(re.search(rf'y="([0-9.]+)"[^>]*>\+{name}<', svg).group(1)) for name in ("500 ms", "3 s")]
    assert heights[0] > heights[1] + 100
    with pytest.raises(ConfigurationError, match="'time'"):
        recording.trace().draw(arrival="time")


def test_nothing_to_draw():
    """Without an element there is no picture."""
    recording = Recording()
    window_harness(TumblingEventTimeWindows(10), reduce=max, recording=recording)
    with pytest.raises(ConfigurationError, match="no element has come"):
        recording.trace().draw()


def test_a_notebook_shows_the_picture(trace):
    """A notebook asks a trace for SVG."""
    assert trace._repr_svg_() == trace.draw().svg()
