"""The check that `make conformance` makes: only the cases of what is not there yet may fail."""

import pytest

from scripts.check_conformance import complaints

JOINS = "IntervalJoinOperatorTest.testA: not supported\nIntervalJoinOperatorTest.testB: not supported\n"


def test_only_the_expected_failures_are_accepted():
    """A run in which all interval joins fail, and nothing else, is as it should be."""
    assert complaints(JOINS + "local only: 3\n230 passed, 2 failed\n", 2) == []


@pytest.mark.parametrize(
    "output",
    [
        "",
        "Traceback\n",
        JOINS + "WindowOperatorTest.testC: wrong\n229 passed, 3 failed\n",
        "WindowOperatorTest.testC: wrong\nIntervalJoinOperatorTest.testA: x\n229 passed, 2 failed\n",
        JOINS + "0 passed, 2 failed\n",
        "231 passed, 1 failed\n",
        "232 passed, 0 failed\n",
    ],
)
def test_anything_else_is_a_complaint(output):
    """Another failure, fewer failures than expected, and a run that did not finish are all noticed."""
    assert complaints(output, 2)
