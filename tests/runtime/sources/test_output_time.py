"""The generator and the clock of one output."""

import pickle

import pytest

from windrow.common import WatermarkStrategy
from windrow.common.watermark_strategy import WatermarkGenerator
from windrow.errors import UserFunctionError
from windrow.operators.watermarks.emitter import WatermarkEmitter
from windrow.runtime.sources.output_time import OutputTime

IDLE_AFTER_10 = WatermarkStrategy.for_monotonous_timestamps().with_idleness(10)


class Clock:
    now = 0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


def made(clock, strategy=IDLE_AFTER_10, *, progressive=True):
    return OutputTime("source", strategy, clock, progressive=progressive)


def asked(time, clock, *times):
    """What comes when the generator is asked at these times."""
    emitter = WatermarkEmitter()
    for clock.now in times:
        time.ask(emitter)
    return emitter.pending


def test_while_it_is_paused_it_does_not_become_idle(clock):
    """Pausing twice is pausing once."""
    time = made(clock)
    assert asked(time, clock, 0, 5) == []
    time.pause(paused=True)
    time.pause(paused=True)
    assert asked(time, clock, 50) == []
    time.pause(paused=False)
    assert asked(time, clock, 55) == []
    assert asked(time, clock, 56) == [True]


def test_a_restored_one_goes_on(clock):
    """With the generator's fields, and the pause."""
    time = made(clock)
    time.listener(8)
    assert asked(time, clock, 0, 1) == [7]
    time.pause(paused=True)
    again = made(clock)
    again.restore(pickle.loads(pickle.dumps(time.snapshot())))
    assert asked(again, clock, 100) == [7]
    again.pause(paused=False)
    assert asked(again, clock, 110) == [7]
    assert asked(again, clock, 111) == [True]


def test_a_strategy_without_idleness_has_none_to_ask_for(clock):
    """Nor is it asked for a watermark then."""
    time = made(clock, WatermarkStrategy.for_monotonous_timestamps())
    time.listener(8)
    emitter = WatermarkEmitter()
    for clock.now in (0, 100, 200):
        time.ask_idleness(emitter)
    assert emitter.pending == []


def test_in_batch_there_is_no_generator(clock):
    """Nothing is made, and nothing is idle."""
    time = made(clock, progressive=False)
    time.listener(8)
    assert asked(time, clock, 0, 100, 200) == []


class Broken(WatermarkGenerator):
    def on_event(self, event, event_timestamp, output):
        """Nothing."""

    def on_periodic_emit(self, output):
        msg = "broken"
        raise ValueError(msg)


def test_an_error_names_the_source(clock):
    """It is the user's."""
    with pytest.raises(UserFunctionError, match="broken") as caught:
        made(clock, WatermarkStrategy.for_generator(Broken)).ask(WatermarkEmitter())
    assert "operator 'source'" in str(caught.value)
    assert "on_periodic_emit" in str(caught.value)
