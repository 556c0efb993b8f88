"""A key selector is opened and closed like every function."""

import pytest

from windrow.datastream import KeySelector
from windrow.errors import UserFunctionError
from windrow.operators.key_selection import KeySelectorOperator, SharedKeySelector
from windrow.testing.harness import OperatorHarness


class Recording(KeySelector):
    def __init__(self):
        self.calls = []

    def open(self, runtime_context):
        self.calls.append("open")

    def close(self):
        self.calls.append("close")

    def get_key(self, value):
        return value


def test_subtasks_of_a_process_open_it_once_and_the_last_closes_it():
    """Two subtasks share the selector, which the exchange behind them calls."""
    selector = Recording()
    shared = SharedKeySelector(selector)
    first, second = OperatorHarness(KeySelectorOperator(shared)), OperatorHarness(KeySelectorOperator(shared))
    first.process_elements([("a", 1), ("b", 2)])
    assert [tuple(record) for record in first.records()] == [("a", 1), ("b", 2)]
    first.close()
    assert selector.calls == ["open"]
    second.close()
    assert selector.calls == ["open", "close"]


def test_an_error_in_open_names_the_operator():
    """What a selector's open raises ends the job as an error of that operator."""

    class Failing(Recording):
        def open(self, runtime_context):
            raise ConnectionError("no names")

    with pytest.raises(UserFunctionError, match=r"(?s)ConnectionError: no names.*'keys'"):
        OperatorHarness(KeySelectorOperator(SharedKeySelector(Failing())), name="keys")
