"""The generators of several splits."""

import pytest

from windrow.common.watermark import Watermark
from windrow.operators.watermarks.emitter import WatermarkEmitter
from windrow.operators.watermarks.split_generators import SplitGenerators


class Generator:
    """Gives, when it is asked, the watermark that it was set to."""

    def __init__(self):
        self.watermark = None

    def ask(self, output):
        if self.watermark is not None:
            output.emit_watermark(Watermark(self.watermark))


@pytest.fixture
def emitter():
    return WatermarkEmitter()


@pytest.fixture
def splits(emitter):
    return SplitGenerators(Generator, emitter)


def said(emitter):
    pending, emitter.pending[:] = list(emitter.pending), []
    return pending


def at(splits, watermarks):
    for name, watermark in watermarks.items():
        splits.get(name).generator.watermark = watermark
    splits.ask(Generator.ask)


def test_the_watermark_is_that_of_the_slowest_split(splits, emitter):
    """A split that has none yet holds it back; names are what tells splits apart, of any type."""
    for name in ("a", ("b", 1)):
        splits.add(name)
    at(splits, {"a": 7})
    assert said(emitter) == []
    at(splits, {("b", 1): 5})
    assert said(emitter) == [5]
    assert splits.active_watermarks() == {"a": 7, ("b", 1): 5}


def test_what_comes_with_an_element_counts_at_once(splits, emitter):
    """The immediate output combines; the deferred one waits until all are asked."""
    split = splits.add("a")
    split.deferred.emit_watermark(Watermark(3))
    assert said(emitter) == []
    split.immediate.emit_watermark(Watermark(4))
    assert said(emitter) == [4]


def test_a_split_that_is_gone_holds_nothing_back(splits, emitter):
    """Whether there was one is said."""
    splits.add("a")
    splits.add("b")
    at(splits, {"a": 7})
    assert splits.remove("b")
    assert not splits.remove("b")
    assert said(emitter) == [7]
    assert list(splits) == ["a"]
    assert "b" not in splits


def test_a_split_that_comes_later_does_not_lower_the_watermark(splits, emitter):
    """It holds it where it is until it has caught up."""
    splits.add("a")
    at(splits, {"a": 7})
    splits.add("b")
    at(splits, {"a": 9, "b": 2})
    assert said(emitter) == [7]
    at(splits, {"b": 8})
    assert said(emitter) == [8]


def test_a_snapshot_is_all_of_it(splits, emitter):
    """What is restored goes on as the one that was kept would have gone on."""
    for name in ("a", "b"):
        splits.add(name)
    at(splits, {"a": 7, "b": 5})
    kept = splits.snapshot(lambda generator: generator.watermark)
    restored = SplitGenerators(Generator, emitter)
    restored.restore(*kept, lambda generator, watermark: setattr(generator, "watermark", watermark))
    said(emitter)
    at(restored, {"b": 6})
    assert said(emitter) == [6]
    assert len(restored) == 2
