"""Cases as micro-batches; that the queries give what is expected is played by the conformance command."""

import pytest

from tests.testing.conformance.test_interval_join_kind import LATE, RIGHT, joined
from windrow.testing.conformance.failure import ConformanceFailure
from windrow.testing.conformance.spark_cases import spark_case
from windrow.testing.conformance.spark_player import SparkPlayer
from windrow.testing.conformance.spark_script import Script


def script_of(case):
    return Script.of(spark_case(case["operator"]), case["steps"])


def test_a_micro_batch_has_one_source_and_ends_with_its_watermark():
    """Only one source gives something in a micro-batch: so elements and watermarks come in the case's order."""
    script = script_of(joined())
    given = [[[len(batch.values) for batch in split.batches] for split in source] for source in script.splits]
    assert given == [[[0], [], [1, 1], []], [[], [0], [], [1]]]
    assert script.reached == [1, 2, 3, 3, 3, 4]
    assert script.stops == [3, 4]


def test_an_unknown_step_fails():
    """What the player does not know is no silence."""
    case = joined()
    with pytest.raises(ConformanceFailure, match="unknown step 'elephant'"):
        script_of({**case, "steps": [{"elephant": 1}]})


@pytest.mark.spark
@pytest.mark.usefixtures("spark_session")
def test_a_join_case_on_spark():
    """A case is accepted if all holds, and fails at a step whose expectation is wrong."""
    case = joined()
    SparkPlayer().play({**case, "steps": case["steps"] + RIGHT, "expect_side": [LATE]})
    wrong = {**case, "steps": [*case["steps"], {"expect": []}]}
    with pytest.raises(ConformanceFailure, match="step 6 "):
        SparkPlayer().play(wrong)
