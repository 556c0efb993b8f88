"""Jobs that still run when the program ends."""

from windrow.runtime import at_exit


class Job:
    stopped = 0

    def stop(self, seconds):
        self.stopped += 1


def test_what_runs_is_stopped(monkeypatch):
    """A job that is over is left alone."""
    monkeypatch.setattr(at_exit, "_running", set())
    over, running = Job(), Job()
    at_exit.stop_at_exit(over)
    at_exit.stop_at_exit(running)
    at_exit.forget_at_exit(over)
    at_exit._stop_all()
    assert (over.stopped, running.stopped) == (0, 1)
