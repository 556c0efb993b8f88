"""What once gave wrong results without a word."""

import pytest

from tests.trials.trial import Trial, play, rows
from windrow.errors import UserFunctionError


def _divides(env, folder):
    return env.from_collection([1, 0]).map(lambda n: 1 / n).name("divide").execute_and_collect(limit=2)


TRIALS = [
    Trial(
        "a map whose function raises",
        _divides,
        error=UserFunctionError,
        says="ZeroDivisionError: division by zero in operator 'divide' on element 0",
    ),
]


@pytest.mark.parametrize(("runtime", "trial"), rows(TRIALS))
def test_nothing_is_wrong_in_silence(trial, env, tmp_path):
    """What goes wrong is said, with operator and element; what does not gives the right result."""
    play(trial, env, tmp_path)
