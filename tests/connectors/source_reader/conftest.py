"""Every test here ends the threads it has started."""

import threading

import pytest


@pytest.fixture(autouse=True)
def no_fetcher_is_left():
    """Fail a test that leaves a fetcher's thread running."""
    yield
    assert not [thread.name for thread in threading.enumerate() if thread.name.startswith("source data fetcher")]
