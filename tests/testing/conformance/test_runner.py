import pytest

from windrow.testing.conformance import registry, spark_player
from windrow.testing.conformance.failure import ConformanceFailure
from windrow.testing.conformance.runner import run_local, run_on_spark


def case(case_id, kind):
    return {"id": case_id, "operator": {"kind": kind}, "steps": []}


@pytest.fixture
def made_up_kinds(monkeypatch):
    def fail(_case):
        raise ConformanceFailure("two\nlines")

    def crash(_case):
        raise KeyError("oops")

    for kind, handler in {"good": lambda _: None, "bad": fail, "broken": crash}.items():
        monkeypatch.setitem(registry._handlers, kind, handler)


@pytest.mark.usefixtures("made_up_kinds")
def test_report():
    """Each failed case takes one line with id and reason, and the totals come last."""
    cases = [case("A.good", "good"), case("A.bad", "bad"), case("A.broken", "broken"), case("A.unknown", "unheard")]
    assert list(run_local(cases).lines(spark=False)) == [
        "A.bad: two lines",
        "A.broken: KeyError: 'oops'",
        "A.unknown: cases of kind 'unheard' are not known here",
        "1 passed, 3 failed",
    ]


def test_spark(monkeypatch):
    """Window and join cases go to Spark; the other kinds are counted as local only."""
    played = []

    class Player:
        def play(self, case):
            played.append(case["id"])

    monkeypatch.setattr(spark_player, "SparkPlayer", Player)
    kinds = ["window", "trigger", "evicting_window", "window_contract", "interval_join"]
    report = run_on_spark([case(f"C.{kind}", kind) for kind in kinds])
    assert played == ["C.window", "C.evicting_window", "C.interval_join"]
    assert list(report.lines(spark=True)) == ["local only: 2", "3 passed, 0 failed"]
