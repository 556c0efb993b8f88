"""All of the doctor's checks."""

from windrow.doctor import checks
from windrow.doctor.finding import State, fail, ok


def test_everything_is_looked_at():
    """A line each."""
    assert {"Python", "PySpark", "Java", "Python of workers", "temporary folder", "Kafka", "time zone"} <= {
        finding.what for finding in checks.examine()
    }


def test_a_job_is_run_only_if_nothing_is_missing(monkeypatch):
    """It could only fail in other words."""
    monkeypatch.setattr(checks.spark, "small_job", lambda: ok("a small job", "ran"))
    assert list(checks.examine(run=True))[-1].text == "ran"
    monkeypatch.setattr(checks.spark, "java", lambda: fail("Java", "none"))
    last = list(checks.examine(run=True))[-1]
    assert (last.state, last.text) == (State.NOTE, "not run: mend the above first")
    assert "a small job" not in [finding.what for finding in checks.examine()]
