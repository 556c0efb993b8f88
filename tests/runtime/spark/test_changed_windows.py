"""A job that is started again on its checkpoint with a program whose window says something else."""

import pytest

from tests.runtime.local.window_programs import PROGRAMS, SIZE, windows
from windrow.errors import UserFunctionError

ELEMENTS = [("abc"[number * 7 % 3], number * 2, 10**number) for number in range(18)]


@pytest.mark.spark
@pytest.mark.parametrize(("before", "after"), [("plain", "lateness"), ("count, lateness", "plain")])
def test_every_open_window_goes_on(before, after, on_spark, tmp_path):
    """A window that was open when the first program failed gives the sum of all its elements, once."""
    settings = {
        "execution.checkpointing.dir": str(tmp_path / "checkpoint"),
        "windrow.source.elements-per-split": "6",
        "windrow.source.splits-per-batch": "1",
    }
    env = on_spark(settings)
    first, _ = windows(env, ELEMENTS, PROGRAMS[before], fails_at=26)
    with pytest.raises(UserFunctionError, match="ValueError: here"):
        env.execute()
    env = on_spark(settings)
    second, _ = windows(env, ELEMENTS, PROGRAMS[after])
    env.execute()
    expected = {}
    for key, time, value in ELEMENTS:
        window = (key, time // SIZE * SIZE)
        expected[window] = expected.get(window, 0) + value
    assert first.elements
    fired = [(key, start) for key, start, _, _ in second.elements]
    assert len(fired) == len(set(fired))
    last = {(key, start): value for key, start, _, value in [*first.elements, *second.elements]}
    assert last == expected
