from windrow.connectors.source.future_notifier import FutureNotifier


def test_all_who_wait_share_a_future_until_it_is_completed():
    """Whoever asks afterwards waits for the next completion."""
    notifier = FutureNotifier()
    first = notifier.future()
    assert notifier.future() is first
    notifier.notify_complete()
    assert first.done()
    assert not notifier.future().done()


def test_nobody_has_to_wait():
    """A completion that nobody waits for is not remembered."""
    notifier = FutureNotifier()
    notifier.notify_complete()
    notifier.notify_complete()
    assert not notifier.future().done()
