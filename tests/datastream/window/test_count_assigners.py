import pytest

from windrow.datastream.window import (
    CountSlidingWindowAssigner,
    CountTrigger,
    CountTumblingWindowAssigner,
    CountWindow,
    PurgingTrigger,
    WindowAssignerContext,
)
from windrow.errors import ConfigurationError


class Counter:
    """One key's value state under any name, which is all that these assigners ask for."""

    def __init__(self):
        self.stored = {}

    def get_state(self, descriptor):
        self.name = descriptor.name
        return self

    def value(self):
        return self.stored.get(self.name)

    def update(self, value):
        self.stored[self.name] = value


class Context(WindowAssignerContext):
    def __init__(self):
        self.counter = Counter()

    def get_current_processing_time(self):
        return 0

    def get_runtime_context(self):
        return self.counter


def assigned(assigner, elements):
    context = Context()
    return [[window.id for window in assigner.assign_windows(n, 0, context)] for n in range(elements)]


def test_tumbling():
    """Each so many elements are one window."""
    assert assigned(CountTumblingWindowAssigner.of(3), 7) == [[0], [0], [0], [1], [1], [1], [2]]


@pytest.mark.parametrize(("size", "slide"), [(4, 2), (3, 2), (2, 3), (1, 1), (5, 1)])
def test_sliding(size, slide):
    """Window k holds the elements from k * slide to k * slide + size, and every element knows all its windows."""
    for index, ids in enumerate(assigned(CountSlidingWindowAssigner.of(size, slide), 20)):
        assert ids == [k for k in range(20, -1, -1) if k * slide <= index < k * slide + size]


def test_full_window_is_purged():
    """The default trigger fires a full window and throws its contents away: no element follows."""
    trigger = CountTumblingWindowAssigner.of(3).get_default_trigger()
    assert isinstance(trigger, PurgingTrigger)
    assert isinstance(trigger.nested_trigger, CountTrigger)
    assert trigger.nested_trigger.window_size == 3


def test_counting_is_not_event_time():
    """Count windows are never late."""
    assert not CountSlidingWindowAssigner.of(2, 1).is_event_time()
    assert CountWindow(0).max_timestamp() == 2**63 - 1


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: CountTumblingWindowAssigner.of(0), "window_size >= 1, but got 0"),
        (lambda: CountSlidingWindowAssigner.of(2, 0), "window_slide >= 1, but got 0"),
    ],
)
def test_wrong_parameters(make, message):
    """Sizes and slides below 1 are refused."""
    with pytest.raises(ConfigurationError, match=message):
        make()
