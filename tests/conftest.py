"""Fixtures for tests that run whole jobs: the same test on every runtime."""

from collections.abc import Iterator
from typing import Any

import pytest

from windrow.common import Configuration
from windrow.datastream import StreamExecutionEnvironment

#: Where tests that ask for ``runtime`` or ``env`` run; Spark is ``pytest.param("spark", marks=pytest.mark.spark)``.
RUNTIMES = ["local", pytest.param("spark", marks=pytest.mark.spark)]


@pytest.fixture(params=RUNTIMES)
def runtime(request: pytest.FixtureRequest) -> str:
    """The name of the runtime."""
    name: str = request.param
    return name


@pytest.fixture(scope="session")
def spark_session() -> Iterator[Any]:
    """One Spark session for all tests."""
    from windrow.runtime.spark.session import session

    spark = session({"spark.master": "local[2]"})
    yield spark
    spark.stop()


@pytest.fixture
def env(runtime: str, request: pytest.FixtureRequest) -> StreamExecutionEnvironment:
    """A new environment with parallelism 2 on the runtime."""
    spark = request.getfixturevalue("spark_session") if runtime == "spark" else None
    configuration = Configuration().set_string("windrow.runtime", runtime)
    return StreamExecutionEnvironment.get_execution_environment(configuration, spark).set_parallelism(2)
