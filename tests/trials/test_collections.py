"""What people give to ``from_collection``."""

import pandas as pd
import pytest

from tests.trials.trial import Trial, play, rows
from windrow.common import Row, Types
from windrow.errors import ConfigurationTypeError

LOCAL = ("local",)


def _frame(env, folder):
    frame = pd.DataFrame({"word": ["a", "b", "a"], "n": [1, 2, 3]})
    rows = env.from_collection(frame).key_by("word").sum("n").execute_and_collect()
    return sorted(rows, key=lambda row: row.n)


def _tuples(env, folder):
    frame = pd.DataFrame({"word": ["a"], "n": [1]})
    return list(env.from_collection(frame, Types.TUPLE([Types.STRING(), Types.INT()])).execute_and_collect())


TRIALS = [
    Trial(
        "rows of a pandas table",
        _frame,
        gives=[Row(word="a", n=1), Row(word="b", n=2), Row(word="a", n=4)],
        runtimes=LOCAL,
    ),
    Trial("rows of a pandas table as tuples", _tuples, gives=[("a", 1)], runtimes=LOCAL),
    Trial(
        "a dict",
        lambda env, folder: env.from_collection({"a": 1}),
        error=ConfigurationTypeError,
        says="from_collection takes a list of elements; got {'a': 1} (dict): its elements would be its keys: give "
        "list(d.items()), list(d), or [d]",
        runtimes=LOCAL,
    ),
]


@pytest.mark.parametrize(("runtime", "trial"), rows(TRIALS))
def test_elements_are_what_was_meant(trial, env, tmp_path):
    """Rows of a table, not the names of its columns; what has no elements is refused."""
    play(trial, env, tmp_path)
