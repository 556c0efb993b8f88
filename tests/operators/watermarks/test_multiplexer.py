"""The output multiplexer, beyond Flink's own cases."""

import pickle

import pytest

from windrow.common.limits import MIN_WATERMARK
from windrow.common.watermark import Watermark, WatermarkOutput
from windrow.errors import ConfigurationError
from windrow.operators.watermarks.multiplexer import WatermarkOutputMultiplexer


class Calls(WatermarkOutput):
    """Keeps what was called."""

    def __init__(self) -> None:
        self.calls: list[int | str] = []

    def emit_watermark(self, watermark: Watermark) -> None:
        self.calls.append(watermark.timestamp)

    def mark_idle(self) -> None:
        self.calls.append("idle")

    def mark_active(self) -> None:
        self.calls.append("active")


@pytest.fixture
def calls() -> Calls:
    return Calls()


def multiplexer_of(calls: Calls, *ids: str) -> WatermarkOutputMultiplexer:
    multiplexer = WatermarkOutputMultiplexer(calls)
    for output_id in ids:
        multiplexer.register_new_output(output_id)
    return multiplexer


def test_the_combined_watermark_never_falls_on_the_deferred_path(calls: Calls) -> None:
    """An output that comes back from idle behind the others pulls nothing back at a periodic emit."""
    multiplexer = multiplexer_of(calls, "a", "b")
    a, b = multiplexer.get_deferred_output("a"), multiplexer.get_deferred_output("b")
    b.emit_watermark(Watermark(5))
    a.mark_idle()
    multiplexer.on_periodic_emit()
    a.emit_watermark(Watermark(3))
    multiplexer.on_periodic_emit()
    b.emit_watermark(Watermark(9))
    multiplexer.on_periodic_emit()
    a.emit_watermark(Watermark(7))
    multiplexer.on_periodic_emit()
    assert calls.calls == [5, 7]


def test_a_new_output_holds_the_watermark_back(calls: Calls) -> None:
    """An output registered later counts from -2^63, and does not pull the combined watermark back."""
    multiplexer = multiplexer_of(calls, "a")
    a = multiplexer.get_immediate_output("a")
    a.emit_watermark(Watermark(5))
    multiplexer.register_new_output("b")
    a.emit_watermark(Watermark(6))
    multiplexer.get_immediate_output("b").emit_watermark(Watermark(8))
    assert calls.calls == [5, 6]


def test_deferred_calls_wait_for_the_next_combination(calls: Calls) -> None:
    """Neither watermark nor idleness of a deferred output goes out by itself."""
    multiplexer = multiplexer_of(calls, "a")
    output = multiplexer.get_deferred_output("a")
    output.emit_watermark(Watermark(5))
    output.mark_idle()
    assert calls.calls == []
    multiplexer.on_periodic_emit()
    assert calls.calls == [5, "idle"]


@pytest.mark.parametrize("order", ["ab", "ba"])
def test_when_all_are_idle_the_newest_watermark_comes_out(calls: Calls, order: str) -> None:
    """Whichever of them became idle first; then the status."""
    multiplexer = multiplexer_of(calls, "a", "b")
    multiplexer.get_immediate_output("a").emit_watermark(Watermark(5))
    multiplexer.get_immediate_output("b").emit_watermark(Watermark(4))
    for output_id in order:
        multiplexer.get_immediate_output(output_id).mark_idle()
    assert calls.calls == [4, 5, "idle"]


def test_active_watermarks_are_those_of_outputs_that_count(calls: Calls) -> None:
    """Also of one that has none yet, but not of one that is idle."""
    multiplexer = multiplexer_of(calls, "a", "b", "c")
    multiplexer.get_deferred_output("a").emit_watermark(Watermark(5))
    multiplexer.get_deferred_output("b").mark_idle()
    assert multiplexer.active_watermarks() == {"a": 5, "c": MIN_WATERMARK}
    multiplexer.get_immediate_output("c").emit_watermark(Watermark(2))
    assert multiplexer.combined_watermark == 2


def test_an_active_output_counts_again(calls: Calls) -> None:
    """mark_active on either path brings an output back into the minimum."""
    multiplexer = multiplexer_of(calls, "a", "b")
    for kind in (multiplexer.get_immediate_output, multiplexer.get_deferred_output):
        kind("a").mark_idle()
        kind("a").mark_active()
    multiplexer.get_immediate_output("b").emit_watermark(Watermark(5))
    assert calls.calls == []


def test_an_id_is_registered_once(calls: Calls) -> None:
    """Registering an id twice is an error that names it."""
    with pytest.raises(ConfigurationError, match="'a'"):
        multiplexer_of(calls, "a", "a")


def test_an_unknown_id_is_named_with_those_that_are_known(calls: Calls) -> None:
    """Asking for an output that is not there says which are."""
    multiplexer = multiplexer_of(calls, "a", "b")
    with pytest.raises(ConfigurationError, match=r"'c'.*'a', 'b'"):
        multiplexer.get_immediate_output("c")
    with pytest.raises(ConfigurationError, match="'c'"):
        multiplexer.get_deferred_output("c")


def test_unregistering_tells_whether_it_was_there(calls: Calls) -> None:
    """True the first time, False the second."""
    multiplexer = multiplexer_of(calls, "a")
    assert [multiplexer.unregister_output("a"), multiplexer.unregister_output("a")] == [True, False]


def test_a_restored_multiplexer_goes_on(calls: Calls) -> None:
    """Outputs, statuses and the combined watermark are in the snapshot."""
    before = multiplexer_of(calls, "a", "b")
    before.get_immediate_output("a").emit_watermark(Watermark(5))
    before.get_immediate_output("b").mark_idle()
    after = WatermarkOutputMultiplexer(calls)
    after.restore(pickle.loads(pickle.dumps(before.snapshot())))
    after.get_immediate_output("b").emit_watermark(Watermark(4))
    after.get_immediate_output("a").emit_watermark(Watermark(9))
    after.get_immediate_output("b").emit_watermark(Watermark(8))
    assert calls.calls == [5, 8]
