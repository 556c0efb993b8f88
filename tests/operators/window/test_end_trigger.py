"""A trigger is known if it fires a window at its end and does nothing else, and by what it does, not by its name."""

import pytest

from windrow.datastream.window import (
    ContinuousProcessingTimeTrigger,
    CountTrigger,
    EventTimeTrigger,
    ProcessingTimeTrigger,
    PurgingTrigger,
    Trigger,
    TriggerResult,
)
from windrow.operators.window.end_trigger import Fires, fires_at_end


class AtEnd(Trigger):
    def on_element(self, element, timestamp, window, ctx):
        ctx.register_processing_time_timer(window.max_timestamp())
        return TriggerResult.CONTINUE

    def on_processing_time(self, time, window, ctx):
        return TriggerResult.FIRE

    def on_event_time(self, time, window, ctx):
        return TriggerResult.CONTINUE

    def on_merge(self, window, ctx):
        """Windows do not merge."""

    def clear(self, window, ctx):
        ctx.delete_processing_time_timer(window.max_timestamp())


class Either(AtEnd):
    def on_element(self, element, timestamp, window, ctx):
        ctx.register_event_time_timer(window.max_timestamp())
        return TriggerResult.CONTINUE

    def on_event_time(self, time, window, ctx):
        return TriggerResult.FIRE_AND_PURGE


class FiresTwice(Either):
    """What the watermark fires stays, and the clock fires it again."""

    def on_event_time(self, time, window, ctx):
        return TriggerResult.FIRE


class AtOnce(AtEnd):
    def on_element(self, element, timestamp, window, ctx):
        return TriggerResult.FIRE


class Branching(AtEnd):
    def on_element(self, element, timestamp, window, ctx):
        if element:
            ctx.register_processing_time_timer(window.max_timestamp())
        return TriggerResult.CONTINUE


class Earlier(AtEnd):
    def on_element(self, element, timestamp, window, ctx):
        ctx.register_processing_time_timer(window.max_timestamp() - 1)
        return TriggerResult.CONTINUE


class ByElement(AtEnd):
    def on_element(self, element, timestamp, window, ctx):
        ctx.register_processing_time_timer(element)
        return TriggerResult.CONTINUE


class Counting(AtEnd):
    def __init__(self):
        self.count = 0

    def on_element(self, element, timestamp, window, ctx):
        self.count += 1
        return TriggerResult.CONTINUE


class Looking(AtEnd):
    def on_processing_time(self, time, window, ctx):
        return (TriggerResult.CONTINUE, TriggerResult.FIRE)[time > ctx.get_current_watermark()]


class Equal(AtEnd):
    def on_element(self, element, timestamp, window, ctx):
        return (TriggerResult.CONTINUE, TriggerResult.FIRE)[element == 5]


class IsNone(AtEnd):
    def on_element(self, element, timestamp, window, ctx):
        return (TriggerResult.CONTINUE, TriggerResult.FIRE)[element is None]


class Deleting(Either):
    def on_element(self, element, timestamp, window, ctx):
        ctx.register_event_time_timer(window.max_timestamp())
        ctx.delete_event_time_timer(window.max_timestamp())
        return TriggerResult.CONTINUE


class Failing(AtEnd):
    def clear(self, window, ctx):
        raise ValueError


class Never(AtEnd):
    def on_processing_time(self, time, window, ctx):
        return TriggerResult.PURGE


class SetsAnother(AtEnd):
    def clear(self, window, ctx):
        ctx.register_event_time_timer(window.max_timestamp())


def patched():
    """A trigger one of whose objects does something else."""
    trigger = AtEnd()
    trigger.on_element = lambda *_: TriggerResult.FIRE
    return trigger


@pytest.mark.parametrize(
    ("trigger", "fires"),
    [
        (ProcessingTimeTrigger(), Fires.BY_CLOCK),
        (PurgingTrigger.of(ProcessingTimeTrigger()), Fires.BY_CLOCK),
        (AtEnd(), Fires.BY_CLOCK),
        (Either(), Fires.BY_CLOCK_AND_WATERMARK),
        *[
            (trigger, None)
            for trigger in (
                FiresTwice(),
                AtOnce(),
                Branching(),
                Earlier(),
                ByElement(),
                Counting(),
                Looking(),
                Equal(),
                IsNone(),
                Deleting(),
                Failing(),
                Never(),
                SetsAnother(),
                patched(),
                PurgingTrigger.of(CountTrigger.of(2)),
                PurgingTrigger.of(AtEnd()),
                CountTrigger.of(3),
                EventTimeTrigger(),
                ContinuousProcessingTimeTrigger.of(5),
            )
        ],
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_a_trigger_does_is_known_or_not(trigger, fires):
    """What it does to an element, to time or to itself makes it unknown."""
    assert fires_at_end(trigger) is fires
