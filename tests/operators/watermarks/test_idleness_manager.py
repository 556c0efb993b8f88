"""The two outputs of a reader that are idle together."""

import pickle

import pytest

from windrow.common.watermark import Watermark
from windrow.operators.watermarks.emitter import WatermarkEmitter
from windrow.operators.watermarks.idleness_manager import IdlenessManager

IDLE, ACTIVE = True, False


@pytest.fixture
def emitter() -> WatermarkEmitter:
    return WatermarkEmitter()


def test_the_greater_watermark_counts(emitter: WatermarkEmitter) -> None:
    """Neither output waits for the other one."""
    manager = IdlenessManager(emitter)
    for output, timestamp in [("main", 10), ("split_local", 5), ("split_local", 20), ("main", 15), ("main", 30)]:
        getattr(manager, f"{output}_output").emit_watermark(Watermark(timestamp))
    assert emitter.pending == [10, 20, 30]
    assert (manager.main_output.watermark, manager.split_local_output.watermark) == (30, 20)


def test_it_is_idle_when_both_are(emitter: WatermarkEmitter) -> None:
    """A watermark or mark_active of either makes it active again."""
    manager = IdlenessManager(emitter)
    main, splits = manager.main_output, manager.split_local_output
    main.emit_watermark(Watermark(1))
    splits.emit_watermark(Watermark(1))
    splits.mark_idle()
    assert emitter.pending == [1]
    main.mark_idle()
    splits.mark_active()
    main.mark_idle()
    splits.mark_idle()
    main.emit_watermark(Watermark(2))
    assert emitter.pending == [1, IDLE, ACTIVE, IDLE, ACTIVE, 2]


def test_a_watermark_that_does_not_rise_makes_active_what_emits_it(emitter: WatermarkEmitter) -> None:
    """The underlying output stays idle until its watermark rises, as in Flink, and then needs both again."""
    manager = IdlenessManager(emitter)
    manager.main_output.emit_watermark(Watermark(9))
    manager.main_output.mark_idle()
    manager.split_local_output.emit_watermark(Watermark(3))
    manager.main_output.mark_idle()
    assert emitter.pending == [9, IDLE]
    manager.split_local_output.emit_watermark(Watermark(10))
    manager.main_output.mark_idle()
    assert emitter.pending == [9, IDLE, ACTIVE, 10]


def test_an_output_that_has_said_nothing_does_not_keep_it_active(emitter: WatermarkEmitter) -> None:
    """But it does not make it idle either."""
    manager = IdlenessManager(emitter)
    manager.no_splits()
    assert emitter.pending == []
    manager.split_local_output.mark_idle()
    assert emitter.pending == [IDLE]


def test_without_splits_the_main_output_decides(emitter: WatermarkEmitter) -> None:
    """What the splits have said is forgotten with the last of them."""
    manager = IdlenessManager(emitter)
    manager.split_local_output.emit_watermark(Watermark(9))
    manager.main_output.mark_idle()
    manager.no_splits()
    assert emitter.pending == [9, IDLE]


def test_a_restored_manager_goes_on(emitter: WatermarkEmitter) -> None:
    """Statuses and watermarks of both are in the snapshot."""
    before = IdlenessManager(WatermarkEmitter())
    before.main_output.emit_watermark(Watermark(7))
    before.split_local_output.mark_idle()
    after = IdlenessManager(emitter)
    after.restore(pickle.loads(pickle.dumps(before.snapshot())))
    assert after.main_output.watermark == 7
    after.split_local_output.mark_idle()
    assert emitter.pending == []
    after.main_output.mark_idle()
    assert emitter.pending == [IDLE]
