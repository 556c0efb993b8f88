import pytest

from windrow.common.limits import NO_TIMESTAMP
from windrow.testing import Record, StatusOut, WatermarkOut
from windrow.testing.conformance.failure import ConformanceFailure
from windrow.testing.conformance.output_json import check_output, output_json

OUTPUT = [Record(("b", 1), 5), Record(("a", 1), 5), WatermarkOut(5), Record("c", NO_TIMESTAMP)]
EXPECTED = [
    {"value": ["a", 1], "ts": 5},
    {"value": ["b", 1], "ts": 5},
    {"watermark": 5},
    {"value": "c", "ts": None},
]


def test_any_order_is_between_watermarks():
    """Records between two watermarks compare as a multiset."""
    check_output(OUTPUT, EXPECTED, "any")
    with pytest.raises(ConformanceFailure):
        check_output([OUTPUT[2], *OUTPUT[:2], OUTPUT[3]], EXPECTED, "any")
    with pytest.raises(ConformanceFailure):
        check_output(OUTPUT[:-1], EXPECTED, "any")


def test_exact_order():
    """An exact expectation compares lists."""
    check_output(OUTPUT, [EXPECTED[1], EXPECTED[0], *EXPECTED[2:]], "exact")
    with pytest.raises(ConformanceFailure):
        check_output(OUTPUT, EXPECTED, "exact")


def test_status_is_written():
    """A status is IDLE or ACTIVE."""
    assert [output_json(StatusOut(True)), output_json(StatusOut(False))] == [{"status": "IDLE"}, {"status": "ACTIVE"}]
