"""What once gave wrong results without a word, in the programs in which it was found."""

import pytest

from tests.trials.trial import Trial, play, rows
from windrow.errors import UserFunctionError

_RULES = ((0, 99, "small"), (100, 19_998, "large"))


def _class_of(number):
    return next(name for low, high, name in _RULES if low <= number <= high)


def _map(env, folder):
    return len(list(env.from_collection(range(20_000)).map(_class_of).name("classify").execute_and_collect()))


def _filter(env, folder):
    numbers = env.from_collection(range(20_000)).filter(lambda n: _class_of(n) == "small").name("small ones")
    return len(list(numbers.execute_and_collect()))


def _key(env, folder):
    keyed = env.from_collection([5, 19_999]).map(lambda n: n).name("numbers").key_by(_class_of)
    return len(list(keyed.map(lambda n: n).execute_and_collect()))


def _said(operator):
    return f"StopIteration in operator {operator!r} on element 19999"


TRIALS = [
    Trial("a map that finds no rule for one of 20,000 elements", _map, UserFunctionError, _said("classify")),
    Trial("a filter that finds no rule", _filter, UserFunctionError, _said("small ones"), runtimes=["local"]),
    Trial(
        "a key selector that finds no rule", _key, UserFunctionError, _said("key_by after numbers"), runtimes=["local"]
    ),
]


@pytest.mark.parametrize(("runtime", "trial"), rows(TRIALS))
def test_nothing_is_wrong_in_silence(trial, env, tmp_path):
    """What goes wrong is said, with operator and element."""
    play(trial, env, tmp_path)
