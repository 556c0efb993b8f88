"""What the examples on Spark run in."""

import pytest

from tests.examples.programs import programs


@pytest.fixture(scope="session")
def session_of_programs(tmp_path_factory):
    """A process with one Spark, in which examples run one after the other."""
    with programs(tmp_path_factory.mktemp("programs")) as started:
        yield started
