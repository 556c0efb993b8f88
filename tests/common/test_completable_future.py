"""A result that may not be there yet."""

from concurrent.futures import Future

import pytest

from windrow.common.completable_future import CompletableFuture


@pytest.mark.parametrize("ask", ["result", "exception"])
def test_who_is_interrupted_while_waiting_gives_up_the_work(ask):
    """Ctrl-C in a program that waits for its job."""

    class Interrupted(Future):
        def result(self, timeout=None):
            raise KeyboardInterrupt

        exception = result

    given_up = []
    future = CompletableFuture(Interrupted(), lambda: given_up.append(True))
    with pytest.raises(KeyboardInterrupt):
        getattr(future, ask)()
    assert given_up == [True]
    with pytest.raises(KeyboardInterrupt):
        getattr(CompletableFuture(Interrupted()), ask)()
