"""The PostgreSQL server of the JDBC tests: one for all that leave it alone, one for each test that kills it."""

import subprocess
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.required import cannot_be_had, is_required

POSTGRES = Path(__file__).parents[3] / "scripts" / "postgres"


def pytest_collection_modifyitems(items):
    """Everything that asks for a server is marked ``postgres``."""
    for item in items:
        if {"postgres", "own_postgres"} & set(getattr(item, "fixturenames", ())):
            item.add_marker(pytest.mark.postgres)


@pytest.fixture(scope="session")
def postgres():
    """A server that runs for the whole session; tests make tables of their own."""
    with started() as running:
        yield running


@pytest.fixture
def own_postgres():
    """A server that a test may kill."""
    with started() as running:
        yield running


@contextmanager
def started():
    """A server; where it cannot be had the test is skipped, or fails if ``WINDROW_REQUIRE_POSTGRES`` is set."""
    required = is_required("POSTGRES")
    if not required:
        pytest.importorskip("psycopg", reason="no driver of PostgreSQL: pip install 'psycopg[binary]'")
    found = subprocess.run([POSTGRES, *([] if required else ["--find"])], check=False, capture_output=True, text=True)
    if found.returncode:
        cannot_be_had("POSTGRES", found.stderr.strip())
    from tests.postgres_server import PostgresServer

    with PostgresServer.started(Path(found.stdout.splitlines()[-1])) as server:
        yield server
