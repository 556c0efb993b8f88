"""The clock that stands still under backpressure."""

import pytest

from windrow.errors import UsageError
from windrow.operators.watermarks.clock import PausableRelativeClock


class Base:
    now = 100

    def __call__(self) -> int:
        return self.now


def test_pauses_nest() -> None:
    """Hard and soft backpressure may overlap: the clock goes on after both."""
    base = Base()
    clock = PausableRelativeClock(base)
    clock.pause()
    base.now = 110
    clock.pause()
    base.now = 120
    clock.un_pause()
    base.now = 130
    assert clock.relative_time() == 100
    clock.un_pause()
    base.now = 135
    assert clock.relative_time() == 105


def test_ending_a_pause_that_is_not_there_is_an_error() -> None:
    """Pauses and their ends come in pairs."""
    with pytest.raises(UsageError, match="not paused"):
        PausableRelativeClock(Base()).un_pause()


def test_pauses_survive_a_restore() -> None:
    """Past and current pauses are in the snapshot."""
    base = Base()
    before, after = PausableRelativeClock(base), PausableRelativeClock(base)
    before.pause()
    base.now = 150
    after.restore(before.snapshot())
    assert after.relative_time() == 100
    after.un_pause()
    base.now = 160
    assert after.relative_time() == 110
