"""The jobs that Flink runs."""

import re

import pytest

from bench.suite.engines import JAVA
from bench.suite.rows import ROWS


@pytest.mark.parametrize("name", [name for name, row in ROWS.items() if not row.alone])
def test_flink_has_every_job_that_stands_beside_it(name: str) -> None:
    """The Java programs name the job in a table of jobs."""
    tables = "".join(path.read_text() for path in JAVA.rglob("*Jobs.java"))
    assert re.search(rf'\(\s*"{ROWS[name].peer_job()}",', tables)
