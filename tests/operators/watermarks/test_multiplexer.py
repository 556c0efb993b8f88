"""The output multiplexer, beyond Flink's own cases."""

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from windrow.common.limits import MIN_WATERMARK
from windrow.common.watermark import Watermark, WatermarkOutput
from windrow.errors import ConfigurationError
from windrow.operators.watermarks.multiplexer import PartialWatermark, WatermarkOutputMultiplexer


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


ACTIONS = st.tuples(
    st.sampled_from(["add", "remove", "emit", "idle", "active", "emit later", "idle later", "combine", "restore"]),
    st.integers(0, 4),
    st.integers(0, 30),
)


class Scanned:
    """What the multiplexer says, by looking at all outputs at each combination."""

    def __init__(self) -> None:
        self.parts: dict[int, tuple[int, bool]] = {}
        self.combined, self.idle, self.calls = MIN_WATERMARK, False, Calls()

    def combine(self) -> None:
        if self.parts:
            active = [watermark for watermark, idle in self.parts.values() if not idle]
            self.idle = not active
            combined = min(active) if active else max(watermark for watermark, _ in self.parts.values())
            if combined > self.combined:
                self.combined = combined
                self.calls.emit_watermark(Watermark(combined))
        if self.idle:
            self.calls.mark_idle()


@given(st.lists(ACTIONS, max_size=60))
def test_it_is_the_least_of_the_active_ones_whatever_happens(actions: list[tuple[str, int, int]]) -> None:
    """Outputs that come, go, rise, fall silent and speak again give what a look at all of them gives."""
    calls, scanned = Calls(), Scanned()
    multiplexer = WatermarkOutputMultiplexer(calls)
    gone: list[WatermarkOutput] = []
    for action, output_id, number in actions:
        parts = scanned.parts
        if action == "add" and output_id not in parts:
            multiplexer.register_new_output(output_id)
            parts[output_id] = MIN_WATERMARK, False
        elif action == "combine":
            multiplexer.on_periodic_emit()
            scanned.combine()
        elif action == "restore":
            gone += [multiplexer.get_deferred_output(each) for each in parts]
            multiplexer.restore(pickle.loads(pickle.dumps(multiplexer.snapshot())))
        elif action == "remove" and output_id in parts:
            gone.append(multiplexer.get_deferred_output(output_id))
            multiplexer.unregister_output(output_id)
            del parts[output_id]
        elif output_id in parts and action not in ("add", "remove"):
            what, later = action.partition(" ")[::2]
            output = (multiplexer.get_deferred_output if later else multiplexer.get_immediate_output)(output_id)
            watermark, _ = parts[output_id]
            if what == "emit":
                output.emit_watermark(Watermark(number))
                parts[output_id] = max(watermark, number), False
                combines = number > watermark and number > scanned.combined
            else:
                (output.mark_idle if what == "idle" else output.mark_active)()
                parts[output_id] = watermark, what == "idle"
                combines = True
            if combines and not later:
                scanned.combine()
        for each in gone:  # what is not connected any more is nobody's
            each.emit_watermark(Watermark(number))
            each.mark_idle()
            each.mark_active()
        assert multiplexer.statuses() == scanned.parts
    assert calls.calls == scanned.calls.calls


def test_splits_that_end_one_after_the_other_are_each_looked_at_a_few_times(
    calls: Calls, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of ten thousand outputs none looks at all the others when it goes."""
    count = 10_000
    looks = 0
    counts = PartialWatermark.counts.fget
    assert counts is not None

    def looked(part: PartialWatermark) -> bool:
        nonlocal looks
        looks += 1
        return bool(counts(part))

    monkeypatch.setattr(PartialWatermark, "counts", property(looked))
    multiplexer = multiplexer_of(calls, *map(str, range(count)))
    for number in range(count):
        multiplexer.get_deferred_output(str(number)).emit_watermark(Watermark(number))
    multiplexer.on_periodic_emit()
    for number in range(count):
        multiplexer.unregister_output(str(number))
        multiplexer.on_periodic_emit()
    assert calls.calls == list(range(count))
    assert count <= looks < 10 * count


def test_outputs_that_are_gone_take_no_memory(calls: Calls) -> None:
    """Also while one that never says anything holds the watermark back."""
    multiplexer = multiplexer_of(calls, "silent")
    for number in range(10_000):
        multiplexer.register_new_output(number)
        multiplexer.get_immediate_output(number).emit_watermark(Watermark(number))
        multiplexer.unregister_output(number)
    assert len(multiplexer._combined._heap) < 100
